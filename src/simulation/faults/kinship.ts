import type { Fault, FaultTarget, Tenant, WorldState } from '../state.ts'
import { hour, type Micros, minute } from '../time.ts'
import type { Symptom } from './board.ts'
import type { Domains } from './domain.ts'
import { isAtCustomer, isHostile, signals, type Subject } from './signals.ts'
import { deviceOfPort, endsOf, sameTarget, zonesOf } from './targets.ts'

/**
 * How strongly two symptoms point at one cause, from 0 to 1, as an operator would see it: one explains the other
 * through cabling, power and air, or both are felt in the same place at the same time.
 */
export type Kinship = (a: Symptom, b: Symptom) => number

export interface Kinships {
  readonly between: Kinship
  /** The same one way: how well the first explains the second. */
  readonly explained: Kinship
}

/** Symptoms at least this close fall into one incident. */
export const kin = 0.3

export const together: Micros = 4 * minute
const apart: Micros = 10 * minute

export function createKinship(state: WorldState, domains: Domains): Kinships {
  const directed = (cause: Symptom, effect: Symptom): number => {
    const known = signals[cause.signal]
    if (isHostile(effect.signal)) return 0
    if (isAtCustomer(effect.signal)) {
      if (known.harm === 0 || effect.subject.kind !== 'Customer') return 0
      const tenant = state.tenants.byId.get(effect.subject.id)
      return tenant === undefined
        ? 0
        : known.harm * hurts(state, domains, cause, tenant) * fresh(cause, effect)
    }
    if (!known.brings.includes(effect.signal)) return 0
    return near(state, domains, cause.subject, effect.subject)
  }
  return {
    explained: directed,
    between(a, b) {
      if (sameSubject(a.subject, b.subject)) return 0.8
      const explained = Math.max(directed(a, b), directed(b, a))
      return explained > 0 ? explained : felt(state, a, b)
    },
  }
}

/**
 * What has been there for long and hurt nobody is a poor explanation for what begins now, and what begins now is none
 * for what has hurt for long.
 */
function fresh(cause: Symptom, effect: Symptom): number {
  const older = effect.turned - cause.since
  if (older < -apart) return 0
  return older < apart ? 1 : older < hour ? 0.55 : 0.35
}

/** How much of a customer lies in reach of what a symptom was seen at. */
function hurts(state: WorldState, domains: Domains, cause: Symptom, tenant: Tenant): number {
  const { subject } = cause
  if (subject.kind === 'Customer') {
    if (subject.id === tenant.id) return 1
    return shareZones(state, subject, { kind: 'Customer', id: tenant.id }) ? 0.5 : 0
  }
  const reaches =
    subject.kind === 'Zone'
      ? (host: number) => state.plant.hosts.zone[host] === subject.row
      : domains.reachOf(subject)
  let inside = 0
  for (const host of tenant.hosts) if (reaches(host)) inside++
  return inside === 0 ? 0 : 0.5 + (0.5 * inside) / tenant.hosts.length
}

/** Customers of the same zones who begin to suffer at the same time. */
function felt(state: WorldState, a: Symptom, b: Symptom): number {
  if (a.subject.kind !== 'Customer' || b.subject.kind !== 'Customer') return 0
  if (Math.abs(a.since - b.since) > together) return 0
  if (signals[a.signal].harm > 0 || signals[b.signal].harm > 0) return 0
  return shareZones(state, a.subject, b.subject) ? 0.45 : 0
}

/** 1 for neighbours: what stands in reach of the other, or is plugged into it. Less in the same zone. */
function near(state: WorldState, domains: Domains, cause: Subject, effect: Subject): number {
  if (!shareZones(state, cause, effect)) return 0
  if (cause.kind === 'Zone' || effect.kind === 'Zone') return 0.8
  if (touches(state, cause, effect) || touches(state, effect, cause)) return 1
  if (effect.kind === 'Host') return domains.reachOf(cause)(effect.row) ? 0.8 : 0
  if (cause.kind === 'Host') return 0
  return 0.45
}

/** Whether a cable is plugged into a device. */
function touches({ plant }: WorldState, cable: FaultTarget, device: FaultTarget): boolean {
  if (cable.kind !== 'Cable') return false
  return endsOf(plant, cable.row).some((port) => {
    const owner = deviceOfPort(plant, port)
    return owner !== null && sameTarget(owner, device)
  })
}

export const sameSubject = (a: Subject, b: Subject): boolean =>
  a.kind === 'Zone' ? b.kind === 'Zone' && a.row === b.row : b.kind !== 'Zone' && sameTarget(a, b)

export const zonesOfSubject = (state: WorldState, subject: Subject): number[] =>
  subject.kind === 'Zone' ? [subject.row] : zonesOf(state, subject)

function shareZones(state: WorldState, a: Subject, b: Subject): boolean {
  const zones = zonesOfSubject(state, a)
  return zonesOfSubject(state, b).some((zone) => zones.includes(zone))
}

/** Whether a cause that is known can be behind a symptom that is new: only then is it the same incident. */
export function explains(state: WorldState, domains: Domains, root: Fault, symptom: Symptom): boolean {
  const { subject, signal } = symptom
  if (subject.kind === 'Customer') {
    const isItself = root.target.kind === 'Customer' && root.target.id === subject.id
    if (isHostile(signal)) return isItself && root.kind === 'Attack'
    if (isItself) return true
    // What aims at one fills the links of others.
    if (root.kind === 'Attack') return shareZones(state, root.target, subject)
    return state.tenants.byId.get(subject.id)?.hosts.some(domains.reachOf(root.target)) ?? false
  }
  if (subject.kind === 'Host') return domains.reachOf(root.target)(subject.row)
  if (subject.kind === 'Zone') return shareZones(state, root.target, subject)
  if (sameTarget(subject, root.target) || isPortOf(state, root.target, subject)) return true
  if (touches(state, subject, root.target) || touches(state, root.target, subject)) return true
  const isCrowding = signal === 'link-full' || signal.endsWith('-dropping') || signal === 'gateway-throttled'
  return (isCrowding || root.kind === 'PowerFeedLoss') && shareZones(state, root.target, subject)
}

export const isPortOf = ({ plant }: WorldState, port: FaultTarget, cable: FaultTarget): boolean =>
  port.kind === 'Port' && cable.kind === 'Cable' && plant.ports.cable[port.row] === cable.row
