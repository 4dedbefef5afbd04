/**
 * What one alert does over some minutes: silent just before, firing with these labels and this text, resolved.
 * Samples are 15 seconds apart, in promtool's notation; `job="dcsim"`, `instance="a"` and `session="s"` are added to each series
 * and to the labels. The world moves at speed 60 unless a case says otherwise.
 */
export interface AlertCase {
  readonly series: Readonly<Record<string, string>>
  readonly silentAt: string
  readonly firesAt: string
  readonly resolvedAt: string
  readonly labels: Readonly<Record<string, string>>
  /** The title of its message. */
  readonly summary: string
  readonly description: string
  /** What follows the address of Grafana. */
  readonly opens: string
}
