import { type Fault, type Threats, threatClassCount, type WorldState } from '../state.ts'
import type { Plant } from '../plant/tables.ts'
import { clamp, interpolateRound } from '../numeric.ts'
import { day, minute } from '../time.ts'
import { applianceCapacity, gatewayCapacity, gbpsPerUnit, threatIndex } from './capabilities.ts'
import { attacksMax, createHostile, type HostileTraffic } from './hostile.ts'
import { stepsAMinute } from './physical.ts'
import { clearAttacks } from './targets.ts'

/**
 * Who is attacked and how hard, and the noise that always arrives: settled every minute, and when an attack
 * begins or ends. What becomes of it on its way is
 * settled together with all other traffic in network/flows.ts, which stops it at network/defence.ts.
 */
export function stepSecurity(state: WorldState): void {
  const { hostile } = state.threats
  const minuteBegins = state.tick % stepsAMinute === 0
  if (!changedSince(state, hostile.known) && !minuteBegins) return
  hostile.version++
  stirNoise(state, minuteBegins)
  clearAttacks(state)
  for (const fault of state.faults.active) {
    if (fault.attack !== null) readyAttack(state, fault)
  }
  if (hostile.exposure.size > 0) forgetEnded(state, hostile.exposure)
}

/** Whether attacks began or ended, their targets moved, or the ways to them changed. */
function changedSince(state: WorldState, known: HostileTraffic['known']): boolean {
  let attacks = 0
  for (const fault of state.faults.active)
    if (fault.attack !== null) attacks = (attacks * 31 + fault.id) % 1_000_003
  const { version } = state.tenants
  const { made } = state.network.routes
  if (attacks === known.attacks && version === known.tenants && made === known.routes) return false
  known.attacks = attacks
  known.tenants = version
  known.routes = made
  return true
}

export function createThreats(plant: Plant): Threats {
  const byGateway = () => new Float64Array(plant.gateways.count * threatClassCount)
  const byAppliance = () => new Float64Array(plant.appliances.count * threatClassCount)
  const at = (index: number) => [Math.floor(index / threatClassCount), index % threatClassCount] as const
  return {
    gatewayReaching: byGateway(),
    gatewayMitigated: byGateway(),
    gatewayCapacity: byGateway().map((_, index) => gatewayCapacity(plant, ...at(index))),
    applianceReaching: byAppliance(),
    applianceMitigated: byAppliance(),
    applianceCapacity: byAppliance().map((_, index) => applianceCapacity(plant, ...at(index))),
    gatewayHostileInGbps: new Float64Array(plant.gateways.count),
    hostile: createHostile(plant),
    residual: new Map(),
  }
}

/** An attack grows to its full strength in so long, and dies down in as much. */
const rampMinutes = 3
/** An attack wavers about its strength: it goes through this table once in `waverMinutes`. */
const waver = [1, 1.09, 0.96, 0.88, 1.04, 1.12, 0.93, 1.01, 0.9, 1.07] as const
const waverMinutes = 17

/** How strong an attack is now, against its full strength. */
function attackStrength(fault: Fault, now: number): number {
  const begun = (now - fault.began) / minute / rampMinutes
  const left = fault.endsBy === null ? 1 : (fault.endsBy - now) / minute / rampMinutes
  const phase = (now / minute + fault.id * 3.7) / waverMinutes
  return clamp(Math.min(begun, left), 0.05, 1) * interpolateRound(waver, phase)
}

function readyAttack(state: WorldState, fault: Fault): void {
  const { hostile } = state.threats
  const { class: threat, customerId } = fault.attack!
  const tenant = state.tenants.byId.get(customerId)
  if (tenant === undefined || hostile.attackCount === attacksMax) return
  const attack = hostile.attacks[hostile.attackCount]
  const shares = shareOverHosts(state, tenant.hosts, tenant.hostUnits)
  if (shares === null) return
  hostile.attackCount++
  attack.faultId = fault.id
  attack.customerId = customerId
  attack.class = threatIndex[threat]
  attack.gbps = fault.magnitude * attackStrength(fault, state.now) * gbpsPerUnit[attack.class]
  attack.hosts = tenant.hosts
  attack.hostShare = shares
  for (let i = 0; i < hostile.classCount; i++) if (hostile.classes[i] === attack.class) return
  hostile.classes[hostile.classCount++] = attack.class
}

/** An attack goes to the hosts that can be reached, by how many units of its target are on each. */
function shareOverHosts(state: WorldState, hosts: Int32Array, units: Int32Array): Float64Array | null {
  const { hostReachable } = state.network
  const shares = new Float64Array(hosts.length)
  let sum = 0
  for (let n = 0; n < hosts.length; n++) {
    shares[n] = hostReachable[hosts[n]] ? units[n] : 0
    sum += shares[n]
  }
  if (sum === 0) return null
  for (let n = 0; n < hosts.length; n++) shares[n] /= sum
  return shares
}

function forgetEnded(state: WorldState, exposure: Map<number, number>): void {
  for (const fault of exposure.keys()) {
    if (!state.faults.active.some((active) => active.id === fault)) exposure.delete(fault)
  }
}

/** Probes a second and million junk packets a second that arrive at a gateway at noon. */
const noiseProbes = 60
const noiseJunk = 0.004
/** Noise over the hours of a day: it is made where it is day. */
const noiseDay = [0.7, 0.6, 0.55, 0.6, 0.75, 0.9, 1, 1.1, 1.15, 1.1, 1, 0.85] as const

/** Noise wanders a little every minute; a gateway that announces nothing gets none. */
function stirNoise(state: WorldState, minuteBegins: boolean): void {
  const { threats, network } = state
  const { hostile } = threats
  const stream = state.random.stream('security.noise')
  const today = interpolateRound(noiseDay, state.now / day)
  for (let gateway = 0; gateway < hostile.noiseGbps.length; gateway++) {
    if (minuteBegins) hostile.noiseLevel[gateway] = wander(hostile.noiseLevel[gateway], stream.bell())
    const advertising = network.gatewayAdvertising[gateway]
    const level = advertising ? hostile.noiseLevel[gateway] * today : 0
    settleNoise(threats, hostile, gateway, level)
  }
}

const wander = (level: number, shock: number): number => clamp(1 + (level - 1) * 0.95 + shock * 0.08, 0.3, 2)

function settleNoise(threats: Threats, hostile: HostileTraffic, gateway: number, level: number): void {
  const first = gateway * threatClassCount
  const { Scan, Protocol } = threatIndex
  const within = (threat: number, amount: number) =>
    Math.min(amount, threats.gatewayCapacity[first + threat] / 2)
  hostile.noise[first + Scan] = within(Scan, noiseProbes * level)
  hostile.noise[first + Protocol] = within(Protocol, noiseJunk * level)
  hostile.noiseGbps[gateway] =
    hostile.noise[first + Scan] * gbpsPerUnit[Scan] + hostile.noise[first + Protocol] * gbpsPerUnit[Protocol]
}
