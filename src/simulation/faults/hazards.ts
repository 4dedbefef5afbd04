import type { RootKind } from '../../contract/vocabularies.ts'
import { ageHours } from '../plant/ageing.ts'
import { deviceKind, type DeviceTable, type NetworkSku } from '../plant/tables.ts'
import type { RandomStream } from '../random.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { hour, type Micros, minute } from '../time.ts'
import { ageingFactor, coolingConditionPct } from './wear.ts'

/**
 * How often things break by themselves. At rated MTBFs a plant of 120 hosts would see two faults a month and one
 * of 10,000 two an hour: the one is dull, the other a permanent disaster. So each kind has a number of faults a
 * simulated day that a medium plant in average condition sees, which grows with the fourth root of the number of
 * hosts. MTBF, age, wear, temperature and load decide which part it is, and make the whole fail more often as it
 * gets worse.
 */
export interface Hazard {
  readonly kind: RootKind
  readonly target: PartKind
  /** In a plant of `referenceHosts` hosts in average condition. */
  readonly aDay: number
  readonly parts: number
  /** What a part's rating says, relative to the others. */
  readonly weight: (row: number) => number
  /** How many times likelier it is now than in average condition; 0 for what is broken already. */
  readonly strain: (row: number) => number
  /** How bad it gets; left out where it simply breaks until somebody repairs it. */
  readonly harm?: (stream: RandomStream) => Harm
}

export interface Harm {
  readonly magnitude: number
  /** Null where somebody must repair it. */
  readonly lasts: Micros | null
}

const referenceHosts = 120
/** Strain counts up to this. */
export const strainMax = 8

export const sizeFactor = (hosts: number): number => Math.sqrt(Math.sqrt(hosts / referenceHosts))

/** What is put in has been burned in before: it holds for days, and for two weeks fails far less often than later. */
const trust = (hours: number): number => (hours < 4 * 24 ? 0 : hours < 14 * 24 ? 0.1 : 1)

type PartKind = Exclude<FaultTarget['kind'], 'Customer' | 'Pool'>
const untilRepaired = (magnitude: number): Harm => ({ magnitude, lasts: null })
const forSome = (magnitude: number, lasts: Micros): Harm => ({ magnitude, lasts })

/** One of the two supplies, rarely both at once: bit 0 is on feed A, bit 1 on feed B. */
const supplies = (stream: RandomStream): Harm => untilRepaired(stream.chance(0.06) ? 3 : 1 + stream.below(2))

export function hazardsOf(state: WorldState): readonly Hazard[] {
  return [...hostHazards(state), ...networkHazards(state), ...linkHazards(state), ...facilityHazards(state)]
}

function hostHazards(state: WorldState): Hazard[] {
  const { plant, condition } = state
  const { hosts, hostSkus } = plant
  const rated = (row: number): number => hostSkus[hosts.sku[row]].mtbfHours
  const weight = (row: number): number => 1 / rated(row)
  const ageing = (row: number): number => ageingFactor(hosts, row, state.now, rated(row)) / 1.3
  const heat = (row: number): number => 0.8 + Math.max(0, state.physical.hostCelsius[row] - 45) / 20
  const parts = hosts.count
  return [
    {
      kind: 'HostFailure',
      target: 'Host',
      aDay: 1.3,
      parts,
      weight,
      strain: (row) => (condition.hostBroken[row] ? 0 : ageing(row) * heat(row)),
    },
    {
      kind: 'DiskFailure',
      target: 'Host',
      aDay: 1.1,
      parts,
      weight,
      strain: (row) => {
        const wear = condition.hostWear[row]
        const busy = state.load.iopsUsed[row] / hostSkus[hosts.sku[row]].iops
        return condition.hostDiskBroken[row] ? 0 : (0.3 + 3 * wear * wear) * (0.7 + busy)
      },
    },
    {
      kind: 'PowerSupplyFailure',
      target: 'Host',
      aDay: 0.8,
      parts,
      weight,
      strain: (row) => (condition.hostSupplyBroken[row] ? 0 : ageing(row)),
      harm: supplies,
    },
    {
      kind: 'FanFailure',
      target: 'Host',
      aDay: 0.8,
      parts,
      weight,
      strain: (row) => (condition.hostFanBroken[row] ? 0 : ageing(row) * heat(row)),
    },
  ]
}

/** What all hazards of network devices of a kind have in common. */
const device =
  (state: WorldState, target: PartKind, table: DeviceTable, skus: readonly NetworkSku[]) =>
  (broken: ArrayLike<number>) => {
    const rated = (row: number): number => skus[table.sku[row]].mtbfHours
    const ageing = (row: number): number => ageingFactor(table, row, state.now, rated(row)) / 1.3
    return {
      target,
      parts: table.count,
      weight: (row: number) => 1 / rated(row),
      strain: (row: number) => (broken[row] ? 0 : ageing(row) * trust(ageHours(table, row, state.now))),
    }
  }

function networkHazards(state: WorldState): Hazard[] {
  const { plant, condition } = state
  const { switches, gateways, appliances } = plant
  /** People make mistakes while they are at work. */
  const mistakes = (made: ArrayLike<number>) => (row: number) => {
    const hourOfDay = Math.floor(state.now / hour) % 24
    return made[row] ? 0 : hourOfDay >= 8 && hourOfDay < 18 ? 1.8 : 0.4
  }
  const asSwitch = device(state, 'Switch', switches, plant.switchSkus)
  const asGateway = device(state, 'Gateway', gateways, plant.gatewaySkus)
  const asAppliance = device(state, 'Appliance', appliances, plant.applianceSkus)
  return [
    { kind: 'SwitchFailure', aDay: 0.4, ...asSwitch(condition.switchBroken) },
    {
      kind: 'PowerSupplyFailure',
      aDay: 0.2,
      ...asSwitch(condition.switchSupplyBroken),
      harm: supplies,
    },
    {
      kind: 'FirmwareFault',
      aDay: 0.35,
      ...asSwitch(condition.switchFabricLost),
      harm: (stream) => untilRepaired(stream.uniform(0.35, 0.9)),
    },
    {
      kind: 'BroadcastStorm',
      aDay: 0.22,
      ...asSwitch(condition.switchStorm),
      harm: (stream) => forSome(stream.uniform(0.5, 1), stream.between(20, 90) * minute),
    },
    { kind: 'GatewayFailure', aDay: 0.12, ...asGateway(condition.gatewayBroken) },
    { kind: 'ApplianceFailure', aDay: 0.2, ...asAppliance(condition.applianceBroken) },
    {
      kind: 'Misconfiguration',
      aDay: 0.12,
      ...asGateway(condition.gatewayWithdrawn),
      strain: mistakes(condition.gatewayWithdrawn),
    },
    {
      kind: 'Misconfiguration',
      aDay: 0.25,
      ...asAppliance(condition.applianceMisrule),
      strain: mistakes(condition.applianceMisrule),
      harm: (stream) => forSome(stream.uniform(0.04, 0.35), stream.between(4, 14) * hour),
    },
    {
      kind: 'AddonThrottling',
      aDay: 0.35,
      ...asGateway(condition.gatewayThrottle),
      harm: (stream) => forSome(stream.uniform(0.3, 0.85), stream.between(3, 20) * hour),
    },
  ]
}

function linkHazards(state: WorldState): Hazard[] {
  const { plant, condition } = state
  const { ports, cables } = plant
  const plugged = (port: number): number =>
    ports.peer[port] >= 0 && ports.deviceKind[port] !== deviceKind.Upstream ? 1 : 0
  return [
    {
      kind: 'PortFlap',
      target: 'Port',
      aDay: 0.8,
      parts: ports.count,
      weight: plugged,
      strain: (row) => (condition.portFlapping[row] ? 0 : 1),
      harm: (stream) => (stream.chance(0.4) ? forSome(1, stream.between(2, 9) * hour) : untilRepaired(1)),
    },
    {
      kind: 'TransceiverFailure',
      target: 'Port',
      aDay: 0.8,
      parts: ports.count,
      weight: plugged,
      strain: (row) => (condition.portLoss[row] > 0 ? 0 : 1),
      harm: (stream) => untilRepaired(stream.chance(0.25) ? 1 : stream.uniform(0.02, 0.5)),
    },
    {
      kind: 'CableCut',
      target: 'Cable',
      aDay: 0.35,
      parts: cables.count,
      // The longer the way, the more hands and rodents pass it.
      weight: (row) => 2 + Math.min(20, cables.lengthM[row]),
      strain: (row) => (condition.cableCut[row] ? 0 : 1),
    },
  ]
}

function facilityHazards(state: WorldState): Hazard[] {
  const { plant, condition } = state
  const { feeds, coolingUnits } = plant
  return [
    {
      kind: 'PowerFeedLoss',
      target: 'PowerFeed',
      aDay: 0.1,
      parts: feeds.count,
      weight: () => 1,
      strain: (row) => {
        const load = state.physical.feedLoadKw[row] / feeds.capacityKw[row]
        return condition.feedBroken[row] ? 0 : 0.6 + load
      },
      harm: (stream) => forSome(1, stream.between(20, 240) * minute),
    },
    {
      kind: 'CoolingFailure',
      target: 'CoolingUnit',
      aDay: 0.25,
      parts: coolingUnits.count,
      weight: () => 1,
      strain: (row) => (condition.coolingBroken[row] ? 0 : 1.6 - coolingConditionPct(state, row) / 100),
    },
  ]
}
