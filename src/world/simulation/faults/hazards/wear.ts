import { conditionPct, mtbfAt } from '../../facility/depreciation.ts'
import { clamp } from '../../numeric.ts'
import type { DeviceTable } from '../../topology/tables.ts'
import type { HazardWorld } from '../../state.ts'
import { hour } from '../../time.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'

/** Parts age and wear: their condition falls from 100 percent (new) to 0 (worn out) until they are renewed. */

/** Age of a worn-out cooling unit. */
const coolingLifeHours = 60_000

type WornWorld = Pick<HazardWorld, 'topology' | 'condition' | 'now'>

/** The minimum of the condition of a host's SSDs and of the host itself. */
export function hostConditionPct(world: WornWorld, row: number): number {
  const { hosts, hostSkus } = world.topology
  const devicePct = conditionPct(hosts, row, world.now, hostSkus[hosts.sku[row]].mtbfHours)
  return Math.min(devicePct, 100 * clamp(1 - world.condition.hostWear[row], 0, 1))
}

export function coolingConditionPct(world: WornWorld, row: number): number {
  const lifeShare = (world.now - world.condition.coolingInstalled[row]) / hour / coolingLifeHours
  return clamp(100 - 100 * lifeShare * (0.35 + 0.65 * lifeShare), 0, 100)
}

/** Failure rate of a device relative to a new one of the same model. */
export function ageingFactor(table: DeviceTable, row: number, now: number, mtbfHours: number): number {
  return mtbfHours / mtbfAt(conditionPct(table, row, now, mtbfHours), mtbfHours)
}

/** Share of writes among disk operations. */
const writeShare = 0.3
/** Rated endurance of SSDs, and its load as a share of rated operations. */
const enduranceHours = 400 * 24
const enduranceLoad = 0.33

/** Wears a host's SSDs by an hour of its writes. */
export function addHourlyWear(world: HazardWorld, host: number): void {
  const rated = world.topology.hostSkus[world.topology.hosts.sku[host]].iops * writeShare * enduranceLoad
  const written = world.load.iopsUsed[host] * writeShare
  const { hostWear } = world.condition
  hostWear[host] = Math.min(1, hostWear[host] + written / rated / enduranceHours)
}

/** Resets the wear of a replaced part. */
export function renewPart({ condition, now }: HazardWorld, target: FaultTarget): void {
  if (target.kind === 'Host') condition.hostWear[target.row] = 0
  else if (target.kind === 'CoolingUnit') condition.coolingInstalled[target.row] = now
}

/** Resets the wear of replaced SSDs. */
export function renewDisks({ condition }: HazardWorld, target: FaultTarget): void {
  if (target.kind === 'Host') condition.hostWear[target.row] = 0
}
