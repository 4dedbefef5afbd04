import { threatClassCount } from '../../../contract/vocabularies.ts'
import type { WorldView } from '../state.ts'
import { clamp, interpolatePeriodic, power } from '../numeric.ts'
import { day, minute } from '../time.ts'
import { gbpsPerUnit, threatIndex } from '../network/capabilities.ts'
import { attacksMax } from '../network/threats/hostile-traffic.ts'
import type { HostileTraffic, Threats } from '../network/threats/hostile-traffic.ts'
import { demandMinutes, isDue, movedAt, schedule } from '../schedule.ts'
import { clearAttacks } from '../network/threats/attack-distribution.ts'
import type { Fault } from './model.ts'

/**
 * Derives hostile traffic from active attacks each minute, and at their start and end, and background noise when demand
 * moves. The network carries it with all other traffic, and mitigates it (threat-mitigation.ts).
 */
export function stepAttacks(world: WorldView): void {
  const { hostile } = world.threats
  const isNoisier = isDue(schedule.attackNoise, world.tick)
  const isStronger = hostile.attackCount > 0 && isDue(schedule.attackStrength, world.tick)
  if (!isChangedSince(world, hostile.derivedFrom) && !isNoisier && !isStronger) return
  hostile.version++
  updateNoise(world, isNoisier)
  clearAttacks(world)
  for (const fault of world.faults.active) {
    if (fault.attack !== null) startFlow(world, fault)
  }
  if (hostile.intrusionAttempts.size > 0) forgetEnded(world, hostile.intrusionAttempts)
}

/** Whether attacks began or ended, their targets moved, or routes changed. */
function isChangedSince(world: WorldView, derivedFrom: HostileTraffic['derivedFrom']): boolean {
  let attacks = 0
  for (const fault of world.faults.active)
    if (fault.attack !== null) attacks = (attacks * 31 + fault.id) % 1_000_003
  const { version } = world.tenants
  const { routeVersion } = world.network
  if (
    attacks === derivedFrom.attacks &&
    version === derivedFrom.tenants &&
    routeVersion === derivedFrom.routes
  )
    return false
  derivedFrom.attacks = attacks
  derivedFrom.tenants = version
  derivedFrom.routes = routeVersion
  return true
}

/** Duration of an attack's ramp to full strength, and of the ramp down. */
const rampMinutes = 3
/** Fluctuation of an attack's strength about 1, over one period. */
const fluctuation = [1, 1.09, 0.96, 0.88, 1.04, 1.12, 0.93, 1.01, 0.9, 1.07] as const
const fluctuationMinutes = 17

/** Current strength of an attack, relative to its full strength. */
function attackStrength(fault: Fault, now: number): number {
  const begun = (now - fault.began) / minute / rampMinutes
  const left = fault.endsBy === null ? 1 : (fault.endsBy - now) / minute / rampMinutes
  const phase = (now / minute + fault.id * 3.7) / fluctuationMinutes
  return clamp(Math.min(begun, left), 0.05, 1) * interpolatePeriodic(fluctuation, phase)
}

function startFlow(world: WorldView, fault: Fault): void {
  const { hostile } = world.threats
  const { class: threat, customerId } = fault.attack!
  const tenant = world.tenants.byId.get(customerId)
  if (tenant === undefined || hostile.attackCount === attacksMax) return
  const attack = hostile.attacks[hostile.attackCount]
  const shares = hostShares(world, tenant.hosts, tenant.hostUnits)
  if (shares === null) return
  hostile.attackCount++
  attack.faultId = fault.id
  attack.customerId = customerId
  attack.class = threatIndex[threat]
  attack.gbps = fault.magnitude * attackStrength(fault, world.now) * gbpsPerUnit[attack.class]
  attack.hosts = tenant.hosts
  attack.hostShare = shares
  for (let i = 0; i < hostile.classCount; i++) if (hostile.classes[i] === attack.class) return
  hostile.classes[hostile.classCount++] = attack.class
}

/** Shares of an attack by reachable host, proportional to the target's units there; null if no host is reachable. */
function hostShares(world: WorldView, hosts: Int32Array, units: Int32Array): Float64Array | null {
  const { hostReachable } = world.network
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

function forgetEnded(world: WorldView, intrusionAttempts: Map<number, number>): void {
  for (const fault of intrusionAttempts.keys()) {
    if (!world.faults.active.some((active) => active.id === fault)) intrusionAttempts.delete(fault)
  }
}

/** Mean noise at a gateway: probes per second, and million junk packets per second. */
const noiseProbes = 60
const noiseJunk = 0.004
/** Daily cycle of the noise, by two hours. */
const noiseByTimeOfDay = [0.7, 0.6, 0.55, 0.6, 0.75, 0.9, 1, 1.1, 1.15, 1.1, 1, 0.85] as const

/** Noise drifts as demand does; a gateway without announced routes receives none. */
function updateNoise(world: WorldView, isDrifting: boolean): void {
  const { threats, network } = world
  const { hostile } = threats
  const stream = world.random.stream('security.noise')
  const today = interpolatePeriodic(noiseByTimeOfDay, movedAt(world) / day)
  for (let gateway = 0; gateway < world.topology.gateways.count; gateway++) {
    if (isDrifting) hostile.noiseLevel[gateway] = drift(hostile.noiseLevel[gateway], stream.bell())
    const advertising = network.gatewayAdvertising[gateway]
    const level = advertising ? hostile.noiseLevel[gateway] * today : 0
    setNoise(threats, hostile, gateway, level)
  }
}

/** The share of a deviation that is retained from move to move, and the shock of one. */
const noiseMemory = power(0.95, demandMinutes)
const noiseShock = 0.256 * Math.sqrt(1 - noiseMemory * noiseMemory)
const drift = (level: number, shock: number): number =>
  clamp(1 + (level - 1) * noiseMemory + shock * noiseShock, 0.3, 2)

function setNoise(threats: Threats, hostile: HostileTraffic, gateway: number, level: number): void {
  const first = gateway * threatClassCount
  const { Scan, Protocol } = threatIndex
  const bounded = (threat: number, amount: number) =>
    Math.min(amount, threats.gatewayCapacity[first + threat] / 2)
  hostile.noise[first + Scan] = bounded(Scan, noiseProbes * level)
  hostile.noise[first + Protocol] = bounded(Protocol, noiseJunk * level)
  hostile.noiseGbps[gateway] =
    hostile.noise[first + Scan] * gbpsPerUnit[Scan] + hostile.noise[first + Protocol] * gbpsPerUnit[Protocol]
}
