import { threatClasses } from '../../contract/vocabularies.ts'
import type { ResidualAttack, WorldState } from '../state.ts'
import { stepSeconds } from '../time.ts'
import { gbpsPerUnit, threatIndex } from './capabilities.ts'
import { layerOf } from './graph.ts'
import type { AttackNow } from './hostile.ts'

/** Attacks on their way to the hosts of their target, and what of them gets there. */

/** Sums up for every node what is sent over it at hosts below, as the routes lead. */
export function spreadAttacks(state: WorldState): void {
  const { hostile } = state.threats
  const { flows, routes } = state.network
  for (let gateway = 0; gateway < hostile.noiseGbps.length; gateway++) {
    flows.noise[routes.graph.gatewayNode[gateway]] = hostile.noiseGbps[gateway]
  }
  for (let i = 0; i < hostile.classCount; i++) {
    const from = hostile.classes[i] * hostile.nodeCount
    hostile.wanted.fill(0, from, from + hostile.nodeCount)
  }
  for (let i = 0; i < hostile.attackCount; i++) {
    const attack = hostile.attacks[i]
    const first = attack.class * hostile.nodeCount
    for (let n = 0; n < attack.hosts.length; n++) {
      hostile.wanted[first + attack.hosts[n]] += attack.gbps * attack.hostShare[n]
    }
  }
  for (let i = 0; i < hostile.classCount; i++) spreadClass(state, hostile.classes[i] * hostile.nodeCount)
}

function spreadClass(state: WorldState, first: number): void {
  const { routes } = state.network
  const { graph, coreOrder } = routes
  const { layerStart } = graph
  const direct = coreOrder.length - routes.detouringCores
  for (let node = 0; node < layerStart[layerOf.core]; node++) spreadUpwards(state, first, node)
  for (let i = direct; i < coreOrder.length; i++) spreadToOtherZones(state, first, coreOrder[i])
  for (let i = 0; i < direct; i++) spreadUpwards(state, first, coreOrder[i])
  for (let node = layerStart[layerOf.firewall]; node < layerStart[layerOf.carrier]; node++) {
    spreadUpwards(state, first, node)
  }
}

function spreadUpwards(state: WorldState, first: number, node: number): void {
  const { graph, linkShare } = state.network.routes
  const { wanted } = state.threats.hostile
  const sent = wanted[first + node]
  if (sent === 0) return
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
    wanted[first + graph.linkParent[link]] += sent * linkShare[link]
  }
}

function spreadToOtherZones(state: WorldState, first: number, core: number): void {
  const { graph, detourShare } = state.network.routes
  const { wanted } = state.threats.hostile
  const sent = wanted[first + core]
  for (let peer = 0; peer < graph.peerCount; peer++) {
    if (graph.peerFrom[peer] === core) wanted[first + graph.peerTo[peer]] += sent * detourShare[peer]
  }
}

/** Requests a second that waste a customer's CPU, for each natural unit that gets through, by class. */
const wastedRequests = [0, 400, 1000, 1, 1] as const

/** Tells what got through to whom. */
export function settleResidual(state: WorldState): void {
  const { hostile, residual } = state.threats
  if (residual.size > 0) residual.clear()
  for (let i = 0; i < hostile.attackCount; i++) {
    const attack = hostile.attacks[i]
    const gbps = arrivingOf(state, attack)
    const magnitude = gbps / gbpsPerUnit[attack.class]
    const breach = exposedBy(state, attack, magnitude)
    if (magnitude <= 0 && !breach) continue
    const one: ResidualAttack = {
      class: threatClasses[attack.class],
      magnitude,
      gbps,
      requests: magnitude * wastedRequests[attack.class],
      breach,
    }
    const other = residual.get(attack.customerId)
    residual.set(attack.customerId, other === undefined ? one : together(one, other))
  }
}

function arrivingOf(state: WorldState, attack: AttackNow): number {
  const { hostile } = state.threats
  const first = attack.class * hostile.nodeCount
  let gbps = 0
  for (let n = 0; n < attack.hosts.length; n++) {
    gbps += attack.gbps * attack.hostShare[n] * hostile.share[first + attack.hosts[n]]
  }
  return gbps
}

/** Several attacks on one customer: their traffic adds up, and the one that hurts more gives the name. */
function together(one: ResidualAttack, other: ResidualAttack): ResidualAttack {
  const worse =
    one.breach === other.breach ? one.requests + one.gbps > other.requests + other.gbps : one.breach
  return {
    class: worse ? one.class : other.class,
    magnitude: worse ? one.magnitude : other.magnitude,
    gbps: one.gbps + other.gbps,
    requests: one.requests + other.requests,
    breach: one.breach || other.breach,
  }
}

/** Intruders are in when so many attempts have got through; they stay in while the attack lasts. */
export const attemptsUntilBreach = 4_000

function exposedBy(state: WorldState, attack: AttackNow, attempts: number): boolean {
  if (attack.class !== threatIndex.Intrusion) return false
  const { exposure } = state.threats.hostile
  const seen = (exposure.get(attack.faultId) ?? 0) + attempts * stepSeconds
  exposure.set(attack.faultId, seen)
  return seen >= attemptsUntilBreach
}

/** Empties the columns of classes that were under attack in the step before. */
export function clearAttacks(state: WorldState): void {
  const { hostile } = state.threats
  for (let i = 0; i < hostile.classCount; i++) {
    const first = hostile.classes[i] * hostile.nodeCount
    hostile.wanted.fill(0, first, first + hostile.nodeCount)
    hostile.share.fill(0, first, first + hostile.nodeCount)
  }
  hostile.classCount = 0
  hostile.attackCount = 0
}
