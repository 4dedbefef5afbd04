import type { RandomStream } from '../../random.ts'
import type { HazardWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { daysPerYear, hour, weekdayOf } from '../../time.ts'
import { ageHours } from '../../facility/depreciation.ts'
import { zonesOf } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import { hasTransceiver } from '../../topology/optics.ts'
import type { DeviceTable, NetworkSku } from '../../topology/tables.ts'
import { deviceKind, isPlugged } from '../../topology/tables.ts'
import type { Rhythm } from './rhythm.ts'
import { ageingFactor } from './wear.ts'

/**
 * Random failure rates. At rated MTBFs a world of 120 hosts would have two faults a month and one of 10,000 two an
 * hour. Instead, each kind has a daily rate at the reference size of a world, which grows with the square root of the
 * number of hosts below it, and with the fourth root above. MTBF, age, wear, temperature and load determine the failing part, and raise the rate as parts
 * deteriorate.
 */
export interface Hazard {
  readonly target: HazardTargetKind
  /** At the reference size of a world, with parts in average condition. */
  readonly faultsPerDay: number
  readonly partCount: number
  /** Relative likelihood of a part's failure by its rating. */
  weight(row: number): number
  /** Factor on the likelihood by the current condition of a part that is not broken; 1 where left out. */
  strain?(row: number): number
  /** Draws the severity and duration of a fault. */
  draw(stream: RandomStream): FailureMode
}

export type HazardTargetKind = Exclude<FaultTarget['kind'], 'Customer' | 'Pool'>

interface FailureMode {
  readonly magnitude: number
  /** Null for a fault that lasts until its repair. */
  readonly lasts: Micros | null
  /** Set for an intermittent fault. */
  readonly rhythm?: Rhythm
}

const referenceHosts = 120
export const strainMax = 24

/** Factor of a world's size on the rates of its customers' faults. */
export const customersFactor = (hosts: number): number => Math.sqrt(hosts / referenceHosts)
/** Factor of a world's size on its other rates: large worlds have better ones. */
export const sizeFactor = (hosts: number): number => {
  const root = customersFactor(hosts)
  return root < 1 ? root : Math.sqrt(root)
}

export const untilRepaired = (magnitude: number): FailureMode => ({ magnitude, lasts: null })
export const temporary = (magnitude: number, lasts: Micros): FailureMode => ({ magnitude, lasts })
/** An intermittent fault, until its repair. */
export const intermittent = (magnitude: number, rhythm: Rhythm): FailureMode => ({
  magnitude,
  lasts: null,
  rhythm,
})
/** A total failure, until its repair. */
export const drawBreakage = (): FailureMode => untilRepaired(1)

/** Frame loss of a dying laser or a bad cable: usually a few percent, rarely too much for any useful traffic. */
export function drawFrameLoss(stream: RandomStream): number {
  const how = stream.fraction()
  if (how < 0.55) return stream.uniform(0.003, 0.03)
  return how < 0.85 ? stream.uniform(0.03, 0.15) : stream.uniform(0.15, 0.5)
}

/** One of the two supplies, rarely both, as a bit mask of feeds: 1 for A, 2 for B. */
export const drawSupplies = (stream: RandomStream): FailureMode =>
  untilRepaired(stream.chance(0.06) ? 3 : 1 + stream.below(2))

/** Ageing factor of a device in average condition. */
const averageAgeing = 1.3

/** The fields common to hazards of a host's parts. */
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

/** Burned-in devices do not fail in their first days, and far less often for two weeks. */
function burnInFactor(ageInHours: number): number {
  if (ageInHours < 4 * 24) return 0
  return ageInHours < 14 * 24 ? 0.1 : 1
}

/** The fields common to hazards of network devices. */
export function networkDevices(
  world: HazardWorld,
  target: 'Switch' | 'Gateway' | 'Appliance',
): Pick<Hazard, 'target' | 'partCount' | 'weight' | 'strain'> {
  const { table, skus } = deviceTable(world, target)
  const ratedMtbf = (row: number): number => skus[table.sku[row]].mtbfHours
  return {
    target,
    partCount: table.count,
    weight: (row) => 1 / ratedMtbf(row),
    strain(row) {
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

/** The fields common to hazards of the cables in place. */
export const cableParts = (
  { topology }: HazardWorld,
  weight: (cable: number) => number,
): Pick<Hazard, 'target' | 'partCount' | 'weight'> => ({
  target: 'Cable',
  partCount: topology.cables.count,
  weight: (cable) => (isPlugged(topology, cable) ? weight(cable) : 0),
})

/** A rate per part and year, independent of the size of the world, as rate per day at the reference size. */
export const perPartYear = ({ topology }: HazardWorld, rate: number, parts: number): number =>
  (rate * parts) / daysPerYear / sizeFactor(topology.hosts.rows.length)

/** The fields common to hazards of power feeds and of cooling units, which fail as rarely as in other data centers. */
type FacilityParts = Pick<Hazard, 'target' | 'partCount' | 'weight' | 'faultsPerDay'>
const facilityParts =
  (target: 'PowerFeed' | 'CoolingUnit') =>
  (world: HazardWorld, perYear: number): FacilityParts => {
    const { feeds, coolingUnits } = world.topology
    const partCount = (target === 'PowerFeed' ? feeds : coolingUnits).count
    return { target, partCount, weight: () => 1, faultsPerDay: perPartYear(world, perYear, partCount) }
  }
export const feedParts = facilityParts('PowerFeed')
export const coolingParts = facilityParts('CoolingUnit')

/**
 * Parts fail with load, heat and the work around them: most by day, fewer at night and on weekends. The mean of a week is
 * 1.
 */
export function activityFactor(now: Micros): number {
  const hourOfDay = Math.floor(now / hour) % 24
  const isNight = hourOfDay < 8 || hourOfDay >= 22
  const ofDay = isNight ? 0.54 : hourOfDay < 18 ? 1.44 : 1.05
  return ofDay * (weekdayOf(now) < 5 ? 1.1 : 0.75)
}

/** Factor of a storm on the failures of what comes from outside: utility power and carrier lines. */
const stormyFactor = 20
export function stormFactor(world: HazardWorld, target: FaultTarget): number {
  const { topology, facility } = world
  const isStormy = (zone: number): boolean => facility.weather.stormUntil[topology.zones[zone].region] > 0
  return zonesOf(world, target).some(isStormy) ? stormyFactor : 1
}

/** Operators make most mistakes during working hours. */
export function mistakeFactor(now: Micros): number {
  const hourOfDay = Math.floor(now / hour) % 24
  return hourOfDay >= 8 && hourOfDay < 18 ? 1.8 : 0.4
}

/** Ports with a transceiver, except those of carriers. */
export function transceivers(world: HazardWorld): Pick<Hazard, 'target' | 'partCount' | 'weight'> {
  const plugged = pluggedPorts(world)
  return { ...plugged, weight: (port) => (hasTransceiver(world.topology, port) ? plugged.weight(port) : 0) }
}

/** Ports cabled to another device, except to carriers. */
export function pluggedPorts({ topology }: HazardWorld): Pick<Hazard, 'target' | 'partCount' | 'weight'> {
  const { ports } = topology
  const isCabled = (port: number): boolean =>
    ports.peer[port] >= 0 && ports.deviceKind[port] !== deviceKind.Upstream
  return { target: 'Port', partCount: ports.count, weight: (port) => (isCabled(port) ? 1 : 0) }
}
