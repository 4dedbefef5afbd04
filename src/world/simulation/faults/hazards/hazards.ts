import type { RandomStream } from '../../random.ts'
import type { HazardWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { hour } from '../../time.ts'
import { ageHours } from '../../facility/depreciation.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import { hasTransceiver } from '../../topology/optics.ts'
import type { DeviceTable, NetworkSku } from '../../topology/tables.ts'
import { deviceKind } from '../../topology/tables.ts'
import type { Rhythm } from './rhythm.ts'
import { ageingFactor } from './wear.ts'

/**
 * How often parts fail at random. At rated MTBFs a world of 120 hosts would see two faults a month and one of 10,000
 * two an hour. Each kind has a number of faults a simulated day in a world of reference size instead, which grows with
 * the fourth root of the number of hosts. MTBF, age, wear, temperature and load decide which part fails, and make
 * all of them fail more often as they get worse.
 */
export interface Hazard {
  readonly target: HazardTargetKind
  /**
   * The place of this hazard in the hourly rotation in which parts are examined, unique among all hazards. Changing it
   * changes every world.
   */
  readonly turn: number
  /** In a world of reference size, with parts in average condition. */
  readonly faultsPerDay: number
  readonly partCount: number
  /** Relative likelihood of a part by its rating. */
  weight(row: number): number
  /** Factor on the likelihood by the condition of a part now; 0 for a part that is already broken. */
  strain(row: number): number
  /** Draws how bad a fault is and how long it lasts. */
  draw(stream: RandomStream): FailureMode
}

export type HazardTargetKind = Exclude<FaultTarget['kind'], 'Customer' | 'Pool'>

interface FailureMode {
  readonly magnitude: number
  /** Null until it is repaired. */
  readonly lasts: Micros | null
  /** Given if it is intermittent. */
  readonly rhythm?: Rhythm
}

const referenceHosts = 120
export const strainMax = 24

/** Factor on the rates of a world by its size. */
export const sizeFactor = (hosts: number): number => Math.sqrt(Math.sqrt(hosts / referenceHosts))

export const untilRepaired = (magnitude: number): FailureMode => ({ magnitude, lasts: null })
export const temporary = (magnitude: number, lasts: Micros): FailureMode => ({ magnitude, lasts })
/** It comes and goes until it is repaired. */
export const intermittent = (magnitude: number, rhythm: Rhythm): FailureMode => ({
  magnitude,
  lasts: null,
  rhythm,
})
/** It breaks, and stays broken until it is repaired. */
export const drawBreakage = (): FailureMode => untilRepaired(1)

/** Share of frames that a dying laser or a bad cable loses: mostly few, seldom so many that nothing useful gets through. */
export function drawFrameLoss(stream: RandomStream): number {
  const how = stream.fraction()
  if (how < 0.55) return stream.uniform(0.003, 0.03)
  return how < 0.85 ? stream.uniform(0.03, 0.15) : stream.uniform(0.15, 0.5)
}

/** One of the two supplies, rarely both: bit 0 is that on feed A, bit 1 that on feed B. */
export const drawSupplies = (stream: RandomStream): FailureMode =>
  untilRepaired(stream.chance(0.06) ? 3 : 1 + stream.below(2))

/** Ageing of a device in average condition. */
const averageAgeing = 1.3

/** What hazards of a host's parts have in common. */
export function hostParts({ topology }: HazardWorld): Pick<Hazard, 'target' | 'partCount' | 'weight'> {
  const { hosts, hostSkus } = topology
  const inPlace = new Set(hosts.rows)
  return {
    target: 'Host',
    partCount: hosts.count,
    weight: (row) => (inPlace.has(row) ? 1 / hostSkus[hosts.sku[row]].mtbfHours : 0),
  }
}

export function hostAgeing({ topology, now }: HazardWorld, row: number): number {
  const { hosts, hostSkus } = topology
  return ageingFactor(hosts, row, now, hostSkus[hosts.sku[row]].mtbfHours) / averageAgeing
}

export const hostHeat = ({ facility }: HazardWorld, row: number): number =>
  0.8 + Math.max(0, facility.hostCelsius[row] - 45) / 20

/** New devices were burned in: they hold for days, and fail far less often for two weeks. */
function burnInFactor(ageInHours: number): number {
  if (ageInHours < 4 * 24) return 0
  return ageInHours < 14 * 24 ? 0.1 : 1
}

/** What hazards of network devices have in common; `broken` marks those that have failed already. */
export function networkDevices(
  world: HazardWorld,
  target: 'Switch' | 'Gateway' | 'Appliance',
  broken: ArrayLike<number>,
): Pick<Hazard, 'target' | 'partCount' | 'weight' | 'strain'> {
  const { table, skus } = deviceTable(world, target)
  const ratedMtbf = (row: number): number => skus[table.sku[row]].mtbfHours
  return {
    target,
    partCount: table.count,
    weight: (row) => 1 / ratedMtbf(row),
    strain(row) {
      if (broken[row] > 0) return 0
      const ageing = ageingFactor(table, row, world.now, ratedMtbf(row)) / averageAgeing
      return ageing * burnInFactor(ageHours(table, row, world.now))
    },
  }
}

function deviceTable(
  { topology }: HazardWorld,
  target: 'Switch' | 'Gateway' | 'Appliance',
): { readonly table: DeviceTable; readonly skus: readonly NetworkSku[] } {
  if (target === 'Switch') return { table: topology.switches, skus: topology.switchSkus }
  if (target === 'Gateway') return { table: topology.gateways, skus: topology.gatewaySkus }
  return { table: topology.appliances, skus: topology.applianceSkus }
}

/** People make mistakes while they are at work. */
export function mistakeFactor(now: Micros): number {
  const hourOfDay = Math.floor(now / hour) % 24
  return hourOfDay >= 8 && hourOfDay < 18 ? 1.8 : 0.4
}

/** Ports with a transceiver, not those of carriers. */
export function transceivers(world: HazardWorld): Pick<Hazard, 'target' | 'partCount' | 'weight'> {
  const plugged = pluggedPorts(world)
  return {
    ...plugged,
    weight: (port) => (hasTransceiver(world.topology, port) ? plugged.weight(port) : 0),
  }
}

/** Ports with a cable to another device, not those of carriers. */
export function pluggedPorts({ topology }: HazardWorld): Pick<Hazard, 'target' | 'partCount' | 'weight'> {
  const { ports } = topology
  const isPlugged = (port: number): boolean =>
    ports.peer[port] >= 0 && ports.deviceKind[port] !== deviceKind.Upstream
  return { target: 'Port', partCount: ports.count, weight: (port) => (isPlugged(port) ? 1 : 0) }
}
