import { conditionPct, mtbfAt } from '../../facility/depreciation.ts'
import { clamp } from '../../numeric.ts'
import type { DeviceTable } from '../../topology/tables.ts'
import type { HazardWorld } from '../../state.ts'
import { hour } from '../../time.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'

/** Parts age and wear: their condition goes from 100 percent (new) to 0 (worn out) until they are renewed. */

/** Age at which a cooling unit is worn out. */
const coolingLifeHours = 60_000

type WornWorld = Pick<HazardWorld, 'topology' | 'condition' | 'now'>

/** The worse of the condition of a host's SSDs and that of the rest of it. */
export function hostConditionPct(world: WornWorld, row: number): number {
  const { hosts, hostSkus } = world.topology
  const devicePct = conditionPct(hosts, row, world.now, hostSkus[hosts.sku[row]].mtbfHours)
  return Math.min(devicePct, 100 * clamp(1 - world.condition.hostWear[row], 0, 1))
}

export function coolingConditionPct(world: WornWorld, row: number): number {
  const lifeShare = (world.now - world.condition.coolingInstalled[row]) / hour / coolingLifeHours
  return clamp(100 - 100 * lifeShare * (0.35 + 0.65 * lifeShare), 0, 100)
}

/** How many times likelier a device is to fail than a new one of the same model. */
export function ageingFactor(table: DeviceTable, row: number, now: number, mtbfHours: number): number {
  return mtbfHours / mtbfAt(conditionPct(table, row, now, mtbfHours), mtbfHours)
}

/** Share of disk operations that write. */
const writeShare = 0.3
/** SSDs endure this many simulated hours at this share of their rated operations. */
const enduranceHours = 400 * 24
const enduranceLoad = 0.33

/** Wears the SSDs of a host by what it writes in an hour. */
export function wearForAnHour(world: HazardWorld, host: number): void {
  const rated = world.topology.hostSkus[world.topology.hosts.sku[host]].iops * writeShare * enduranceLoad
  const written = world.load.iopsUsed[host] * writeShare
  const { hostWear } = world.condition
  hostWear[host] = Math.min(1, hostWear[host] + written / rated / enduranceHours)
}

/** Resets the wear of a part that was replaced. */
export function renewPart({ condition, now }: HazardWorld, target: FaultTarget): void {
  if (target.kind === 'Host') condition.hostWear[target.row] = 0
  else if (target.kind === 'CoolingUnit') condition.coolingInstalled[target.row] = now
}

/** Resets the wear of a host's SSDs, which were replaced. */
export function renewDisks({ condition }: HazardWorld, target: FaultTarget): void {
  if (target.kind === 'Host') condition.hostWear[target.row] = 0
}
