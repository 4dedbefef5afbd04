import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { day, hour, minute, week } from '../time.ts'
import type { WorkOrder } from './work-order.ts'

/** Twice a year, on a Wednesday morning, everyone leaves the buildings of a region for a while. */
const drillInterval: Micros = 26 * week
const firstDrill: Micros = 37 * day + 10 * hour
const betweenRegions: Micros = 5 * week
export const drillMinutes = 25

/** The end of the fire drill in a zone; null without one. */
export function drillEnd({ topology, now }: WorldView, zone: number): Micros | null {
  if (zone === -1) return null
  const first = firstDrill + topology.zones[zone].region * betweenRegions
  if (now < first) return null
  const sinceDrill = (now - first) % drillInterval
  return sinceDrill < drillMinutes * minute ? now - sinceDrill + drillMinutes * minute : null
}

/** The regions in which a fire drill begins in this step. */
export const drillsBeginning = ({ topology, now }: WorldView): number[] =>
  topology.regions.flatMap((_, region) => {
    const since = now - firstDrill - region * betweenRegions
    return since >= 0 && since % drillInterval === 0 ? [region] : []
  })

/** Pauses work in the buildings of a region for a fire drill. Returns the orders whose technicians leave. */
export function pauseWork(
  { topology: { zones } }: WorldView,
  open: readonly WorkOrder[],
  region: number,
): WorkOrder[] {
  const inside = open.filter(
    ({ stepEnds, onSite, zone }) => stepEnds !== null && onSite && zones[zone]?.region === region,
  )
  for (const order of inside) {
    order.stepEnds = order.stepEnds! + drillMinutes * minute
    order.version++
  }
  return inside
}
