import type { collectorFamilies } from '../../src/metrics/exposition/exposition.ts'
import type { FamilyName, LabelOf } from '../../src/metrics/families/all.ts'
import type { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'

/** The metrics that exist, and the labels that their series carry. */

type ServiceFamilies = typeof mirrorFamilies & typeof collectorFamilies
type Declared = FamilyName | keyof ServiceFamilies
type PartName = `${Extract<Declared, 'dcsim_mirror_publish_duration_seconds'>}_${'sum' | 'count'}`
/** What Prometheus itself says about a target. */
type ScrapeName = 'up' | 'scrape_duration_seconds'
/** What the mirror's process says of itself beside its own families. */
type ProcessName =
  | 'process_start_time_seconds'
  | 'process_resident_memory_bytes'
  | 'nodejs_eventloop_lag_p99_seconds'
/** What Prometheus and Alertmanager count of themselves, with the labels that texts name. */
interface WatcherLabels {
  readonly prometheus_rule_evaluation_failures_total: 'rule_group'
  readonly prometheus_notifications_dropped_total: never
  readonly alertmanager_notifications_failed_total: 'integration'
}
export type MetricName = Declared | PartName | ScrapeName | ProcessName | keyof WatcherLabels
export type CounterName = Extract<MetricName, `${string}_total` | PartName>

/**
 * The labels that identify the target of a series. `session` names the world, as one store may hold several whose
 * mirrors have the same address. A target without a session lacks the label, which PromQL takes for an empty one.
 */
export type TargetLabel = 'job' | 'instance' | 'session'
export const targetLabels: readonly TargetLabel[] = ['job', 'instance', 'session']

type OwnLabel<N extends MetricName> = N extends FamilyName
  ? LabelOf<N>
  : N extends keyof ServiceFamilies
    ? ServiceFamilies[N]['labels'][number]
    : N extends keyof WatcherLabels
      ? WatcherLabels[N]
      : never
export type MetricLabel<N extends MetricName> = OwnLabel<N> | TargetLabel
