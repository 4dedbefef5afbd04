/**
 * The beginning of the time range in which graphs explain an incident. Links to graphs contain it, as the record has
 * the world's clock only.
 */
import type { IncidentRecord } from '../../../contract/collections.ts'
import { str } from '../../../contract/fields.ts'
import { secondsBetween } from '../../../words/moments.ts'
import type { TableWorld } from '../../engine/table-world.ts'

export const lastHour = 'now-1h'

export const graphFromColumn = str(
  `Since when graphs explain it, from some minutes before its opening, as Grafana writes time ranges: now-15m. That is wall time, at the present speed; ${lastHour} while the world is paused, or its speed is unknown.`,
)

/** The range begins half the incident's duration, and at least ten minutes, before it opened. */
export function graphFrom({ started_at_ns }: IncidentRecord, { nowNs, simulation }: TableWorld): string {
  const { speed, paused } = simulation
  // The speed of an upstream may be unknown.
  if (paused || !(speed > 0)) return lastHour
  const minutes = Math.max(0, secondsBetween(started_at_ns, nowNs)) / speed / 60
  return `now-${5 * Math.ceil((minutes + Math.max(10, minutes / 2)) / 5)}m`
}
