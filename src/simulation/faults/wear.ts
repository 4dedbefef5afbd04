import { conditionPct, mtbfAt } from '../plant/ageing.ts'
import { clamp } from '../numeric.ts'
import type { DeviceTable } from '../plant/tables.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { hour } from '../time.ts'

/** Condition of parts that age and wear, from 100 (new) to 0 (worn out), and what renews them. */

/** How long a cooling unit lasts at the condition that makes it as good as worn out. */
const coolingMtbfHours = 60_000

/** A host is as good as the worse of its SSDs and the rest of it. */
export function hostConditionPct(state: WorldState, row: number): number {
  const { hosts, hostSkus } = state.plant
  const rest = conditionPct(hosts, row, state.now, hostSkus[hosts.sku[row]].mtbfHours)
  return Math.min(rest, 100 * clamp(1 - state.condition.hostWear[row], 0, 1))
}

export function coolingConditionPct(state: WorldState, row: number): number {
  const lived = (state.now - state.condition.coolingInstalled[row]) / hour / coolingMtbfHours
  return clamp(100 - 100 * lived * (0.35 + 0.65 * lived), 0, 100)
}

/** How many times likelier a device fails than a new one of the same model. */
export function ageingFactor(table: DeviceTable, row: number, now: number, mtbfHours: number): number {
  return mtbfHours / mtbfAt(conditionPct(table, row, now, mtbfHours), mtbfHours)
}

/** Share of disk operations that write. */
const writeShare = 0.3
/** Writing a third of what they can, SSDs last this many simulated hours. */
const enduranceHours = 400 * 24
const enduranceLoad = 0.33

/** An hour of writing wears the SSDs of a host. */
export function wearForAnHour(state: WorldState, host: number): void {
  const rated = state.plant.hostSkus[state.plant.hosts.sku[host]].iops * writeShare * enduranceLoad
  const written = state.load.iopsUsed[host] * writeShare
  const { hostWear } = state.condition
  hostWear[host] = Math.min(1, hostWear[host] + written / rated / enduranceHours)
}

/** A part was replaced by a new one. What cannot age is left as it is. */
export function renewPart(state: WorldState, target: FaultTarget): void {
  const { plant, condition, physical, now } = state
  if (target.kind === 'Host') {
    plant.hosts.installed[target.row] = now
    condition.hostWear[target.row] = 0
    physical.hostDarkMinutes[target.row] = 0
  } else if (target.kind === 'Switch') {
    plant.switches.installed[target.row] = now
    physical.switchDarkMinutes[target.row] = 0
  } else if (target.kind === 'Gateway') plant.gateways.installed[target.row] = now
  else if (target.kind === 'Appliance') plant.appliances.installed[target.row] = now
  else if (target.kind === 'CoolingUnit') condition.coolingInstalled[target.row] = now
}

/** The SSDs of a host were replaced. */
export function renewDisks({ condition }: WorldState, target: FaultTarget): void {
  if (target.kind === 'Host') condition.hostWear[target.row] = 0
}
