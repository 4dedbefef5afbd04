import type { collectorFamilies } from '../src/metrics/exposition/exposition.ts'
import type { FamilyName, LabelOf } from '../src/metrics/families/all.ts'
import type { mirrorFamilies } from '../src/metrics/declaration/mirror-families.ts'

/** The declared metrics, and the labels of their series. */

type ServiceFamilies = typeof mirrorFamilies & typeof collectorFamilies
type Declared = FamilyName | keyof ServiceFamilies
type PartName = `${Extract<Declared, 'dcsim_mirror_publish_duration_seconds'>}_${'sum' | 'count'}`
/** Metrics that Prometheus adds for each target. */
type ScrapeName = 'up' | 'scrape_duration_seconds'
/** Process metrics of the mirror beside its own families. */
type ProcessName =
  | 'process_start_time_seconds'
  | 'process_resident_memory_bytes'
  | 'nodejs_eventloop_lag_p99_seconds'
/** Metrics of Prometheus and Alertmanager themselves, with the labels that annotations use. */
interface WatcherLabels {
  readonly prometheus_rule_evaluation_failures_total: 'rule_group'
  readonly prometheus_notifications_dropped_total: never
  readonly alertmanager_notifications_failed_total: 'integration'
}
export type MetricName = Declared | PartName | ScrapeName | ProcessName | keyof WatcherLabels
export type CounterName = Extract<MetricName, `${string}_total` | PartName>

/**
 * The labels that identify the target of a series. `session` names the world, as one store may contain several whose
 * mirrors have the same address. A target without a session lacks the label, which PromQL treats as empty.
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
