import type { OwnTimes } from '../own-times.ts'

/**
 * The expected behavior of one alert over some minutes: silent just before, firing with these labels and this text,
 * resolved. Samples are 15 seconds apart, in promtool's notation; `job="dcsim"`, `instance="a"` and `session="s"` are
 * added to each series and to the labels. The world moves at speed 60 unless a case specifies another.
 */
export interface AlertCase {
  readonly series: Readonly<Record<string, string>>
  readonly silentAt: string
  readonly firesAt: string
  readonly resolvedAt: string
  readonly labels: Readonly<Record<string, string>>
  /** The title of its notification. */
  readonly summary: string
  readonly description: string
  /** The times of its incident, where it tells them. */
  readonly times?: OwnTimes
  /** The URL after the address of Grafana. */
  readonly opens: string
}
