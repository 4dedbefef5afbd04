import { threatClasses } from '../../../../contract/vocabularies.ts'
import type { WorldView } from '../../state.ts'
import type { TrafficWorld } from '../../state.ts'
import { stepSeconds } from '../../time.ts'
import { gbpsPerUnit, threatIndex } from '../capabilities.ts'
import { layerOf } from '../routing/graph.ts'
import type { AttackFlow } from './hostile-traffic.ts'
import type { AttackRemainder } from './hostile-traffic.ts'

/** Distributes attacks over the network, and sums the traffic that reaches their targets. */

/** Sums the hostile traffic routed through each node. */
export function spreadAttacks(world: TrafficWorld): void {
  const { hostile } = world.threats
  const { flows, routes } = world.network
  for (let gateway = 0; gateway < world.topology.gateways.count; gateway++) {
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
  for (let i = 0; i < hostile.classCount; i++) spreadClass(world, hostile.classes[i] * hostile.nodeCount)
}

function spreadClass(world: TrafficWorld, first: number): void {
  const { routes } = world.network
  const { graph, coreOrder } = routes
  const { layerStart } = graph
  const direct = coreOrder.length - routes.detouringCores
  for (let node = 0; node < layerStart[layerOf.core]; node++) spreadUpwards(world, first, node)
  for (let i = direct; i < coreOrder.length; i++) spreadToOtherZones(world, first, coreOrder[i])
  for (let i = 0; i < direct; i++) spreadUpwards(world, first, coreOrder[i])
  for (let node = layerStart[layerOf.firewall]; node < layerStart[layerOf.carrier]; node++) {
    spreadUpwards(world, first, node)
  }
}

function spreadUpwards(world: TrafficWorld, first: number, node: number): void {
  const { graph, linkShare } = world.network.routes
  const { wanted } = world.threats.hostile
  const sent = wanted[first + node]
  if (sent === 0) return
  for (let link = graph.firstLink[node]; link < graph.firstLink[node + 1]; link++) {
    wanted[first + graph.linkParent[link]] += sent * linkShare[link]
  }
}

function spreadToOtherZones(world: TrafficWorld, first: number, core: number): void {
  const { graph, detourShare } = world.network.routes
  const { wanted } = world.threats.hostile
  const sent = wanted[first + core]
  for (let peer = 0; peer < graph.peerCount; peer++) {
    if (graph.peerFrom[peer] === core) wanted[first + graph.peerTo[peer]] += sent * detourShare[peer]
  }
}

/** CPU-wasting requests per second for each unit of delivered attack traffic, by class. */
const wastedRequestsPerUnit = [0, 400, 1000, 1, 1] as const

/** Records the attack traffic delivered to each customer. */
export function recordRemainders(world: TrafficWorld): void {
  const { hostile, remainders } = world.threats
  if (remainders.size > 0) remainders.clear()
  for (let i = 0; i < hostile.attackCount; i++) {
    const attack = hostile.attacks[i]
    const gbps = remainingGbps(world, attack)
    const magnitude = gbps / gbpsPerUnit[attack.class]
    const breach = hasBreached(world, attack, magnitude)
    if (magnitude <= 0 && !breach) continue
    const remainder: AttackRemainder = {
      class: threatClasses[attack.class],
      magnitude,
      gbps,
      requestsPerSecond: magnitude * wastedRequestsPerUnit[attack.class],
      breach,
    }
    const other = remainders.get(attack.customerId)
    remainders.set(attack.customerId, other === undefined ? remainder : combine(remainder, other))
  }
}

function remainingGbps(world: TrafficWorld, attack: AttackFlow): number {
  const { hostile } = world.threats
  const first = attack.class * hostile.nodeCount
  let gbps = 0
  for (let n = 0; n < attack.hosts.length; n++) {
    gbps += attack.gbps * attack.hostShare[n] * hostile.share[first + attack.hosts[n]]
  }
  return gbps
}

/** Combines attacks on one customer: their traffic adds up, and the class is that of the more harmful one. */
function combine(a: AttackRemainder, b: AttackRemainder): AttackRemainder {
  const isWorse = a.breach === b.breach ? harmOf(a) > harmOf(b) : a.breach
  const worse = isWorse ? a : b
  return {
    class: worse.class,
    magnitude: worse.magnitude,
    gbps: a.gbps + b.gbps,
    requestsPerSecond: a.requestsPerSecond + b.requestsPerSecond,
    breach: a.breach || b.breach,
  }
}

const harmOf = ({ requestsPerSecond, gbps }: AttackRemainder): number => requestsPerSecond + gbps

/** Number of delivered attempts that causes a breach, which lasts as long as the attack. */
const attemptsUntilBreach = 4_000

function hasBreached(world: TrafficWorld, attack: AttackFlow, attempts: number): boolean {
  if (attack.class !== threatIndex.Intrusion) return false
  const { intrusionAttempts } = world.threats.hostile
  const total = (intrusionAttempts.get(attack.faultId) ?? 0) + attempts * stepSeconds
  intrusionAttempts.set(attack.faultId, total)
  return total >= attemptsUntilBreach
}

/** Clears the columns of the classes with attacks in the previous step. */
export function clearAttacks(world: Pick<WorldView, 'threats'>): void {
  const { hostile } = world.threats
  for (let i = 0; i < hostile.classCount; i++) {
    const first = hostile.classes[i] * hostile.nodeCount
    hostile.wanted.fill(0, first, first + hostile.nodeCount)
    hostile.share.fill(0, first, first + hostile.nodeCount)
  }
  hostile.classCount = 0
  hostile.attackCount = 0
}
