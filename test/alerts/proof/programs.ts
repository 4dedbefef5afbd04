import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { Span } from '../../../src/practice/grading/firing.ts'

/**
 * Injected faults of the programs around a world: the mirror's process, Prometheus and Alertmanager. Each has the span
 * in which its alert is justified, in wall seconds of the run; a window contains a fault for longer than the fault
 * lasts.
 */
export const programTroubles = {
  DcsimMirrorRestarted: [[4600, 5495]],
  DcsimMirrorErrors: [[4600, 5490]],
  DcsimMirrorMemoryHigh: [[4600, 5200]],
  DcsimMirrorEventLoopLag: [[4600, 4900]],
  DcsimScrapeSlow: [[4600, 4900]],
  DcsimRuleFailures: [[4600, 4990]],
  DcsimNotificationsFail: [[4600, 4990]],
  DcsimAlertsDropped: [[4600, 4990]],
  DcsimWorldNotSaved: [[4600, 5590]],
  DcsimWorldRestarted: [[5300, 6200]],
  DcsimWorldReplaced: [[5300, 5600]],
  DcsimScrapesTooFew: [[5630, 6450]],
  DcsimWorldChanged: [[6600, 100_000]],
} as const satisfies Partial<Record<AlertName, readonly Span[]>>

const first = 4600
/** A counter that increases for a hundred seconds, by one a second. */
const failures = (at: number): number => Math.max(0, Math.min(at, first + 100) - first)
const within = ([from, to]: Span, at: number): boolean => at >= from && at < to

type Chunk = (family: string, type: string, samples: Readonly<Record<string, number>>) => ExpositionChunk

/** The families that these programs expose. */
export function programChunks(chunk: Chunk, at: number): ExpositionChunk[] {
  const {
    DcsimMirrorMemoryHigh: large,
    DcsimMirrorEventLoopLag: slow,
    DcsimWorldReplaced: other,
  } = programTroubles
  const errors = Math.max(0, Math.min(at, 5200) - first)
  return [
    chunk('process_start_time_seconds', 'gauge', { '': at < first ? 1000 : 5600 }),
    chunk('process_resident_memory_bytes', 'gauge', { '': within(large[0], at) ? 1.2e9 : 2e8 }),
    chunk('nodejs_eventloop_lag_p99_seconds', 'gauge', { '': within(slow[0], at) ? 0.9 : 0.01 }),
    chunk('scrape_duration_seconds', 'gauge', { '': within(slow[0], at) ? 3.6 : 0.1 }),
    chunk('dcsim_mirror_http_requests', 'counter', {
      '_total{route="/metrics",code="200"}': at,
      '_total{route="/api/v1/hosts",code="500"}': errors,
    }),
    chunk('dcsim_mirror_state_saves', 'counter', { '_total{result="failure"}': failures(at) }),
    chunk('dcsim_mirror_world_replaced', 'gauge', { '{reason="seed"}': within(other[0], at) ? 1 : 0 }),
    chunk('prometheus_rule_evaluation_failures', 'counter', {
      '_total{rule_group="/rules/sla.rules.yaml;dcsim-sla"}': failures(at),
    }),
    chunk('prometheus_notifications_dropped', 'counter', { _total: failures(at) }),
    chunk('alertmanager_notifications_failed', 'counter', { '_total{integration="slack"}': failures(at) }),
  ]
}

/** Whether Prometheus misses the scrape at this second. */
export const isSkipped = (at: number): boolean => at >= 5600 && at < 6400 && at % 30 !== 0

/** Alterations of the world's families while another world replaces it, or while its clock goes back. */
export function troubledWorld(
  at: number,
): readonly (readonly [family: string, from: RegExp, to: (found: string) => string])[] {
  const isBack = at === programTroubles.DcsimWorldRestarted[0][0]
  const isOther = within(programTroubles.DcsimWorldChanged[0], at)
  return [
    ...(isBack
      ? ([['dcsim_sim_time_seconds', / [\d.e+]+$/gm, (found: string) => ` ${Number(found) - 600}`]] as const)
      : []),
    ...(isOther ? ([['dcsim_sim_info', /seed="[^"]*"/g, () => 'seed="4711"']] as const) : []),
  ]
}
