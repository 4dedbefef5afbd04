import { describe, expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import {
  canExplain,
  createSimilarity,
} from '../../../../src/world/simulation/incidents/correlation/similarity.ts'
import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Similarity of symptoms, and confirmed causes of further ones. */

const { topology } = createQuietWorld(1n).state
const [zone, otherZone] = topology.zones
/** The first host has its neighbor in the rack of the same edge switches, and the distant one in another. */
const [host] = zone.hosts
const isInItsRack = (row: number): boolean => topology.hosts.rack[row] === topology.hosts.rack[host]
const neighbor = zone.hosts.find((row) => row !== host && isInItsRack(row))!
const distant = zone.hosts.find((row) => !isInItsRack(row))!
const [hostElsewhere] = otherZone.hosts
const rackOf = (edge: number): number => topology.switches.rack[edge]
const edgeOf = (row: number): number => zone.edges.find((edge) => rackOf(edge) === topology.hosts.rack[row])!
const edge = edgeOf(host)
const twin = zone.edges.find((row) => row !== edge && rackOf(row) === rackOf(edge))!
const port = topology.hosts.firstPort[host]
const cableAt = (row: number) => ({ kind: 'Cable', row: topology.ports.cable[row] }) as const

const at = {
  host: { kind: 'Host', row: host },
  neighbor: { kind: 'Host', row: neighbor },
  distant: { kind: 'Host', row: distant },
  elsewhere: { kind: 'Host', row: hostElsewhere },
  edge: { kind: 'Switch', row: edge },
  twin: { kind: 'Switch', row: twin },
  distantEdge: { kind: 'Switch', row: edgeOf(distant) },
  core: { kind: 'Switch', row: zone.cores[0] },
  otherCore: { kind: 'Switch', row: zone.cores[1] },
  gateway: { kind: 'Gateway', row: zone.gateways[0] },
  gatewayElsewhere: { kind: 'Gateway', row: otherZone.gateways[0] },
  feed: { kind: 'PowerFeed', row: zone.feeds[0] },
  cooling: { kind: 'CoolingUnit', row: zone.coolingUnits[0] },
  zone: { kind: 'Zone', row: 0 },
  port: { kind: 'Port', row: port },
  cable: cableAt(port),
  line: cableAt(topology.gateways.firstPort[zone.gateways[0]]),
  distantCable: cableAt(topology.hosts.firstPort[distant]),
  /** On the first host, on it and its neighbor, on its neighbor alone, in both zones, in the other zone, nowhere. */
  one: { kind: 'Customer', id: 1 },
  both: { kind: 'Customer', id: 2 },
  next: { kind: 'Customer', id: 3 },
  spread: { kind: 'Customer', id: 4 },
  away: { kind: 'Customer', id: 5 },
  gone: { kind: 'Customer', id: 6 },
} as const satisfies Record<string, Subject>
type Place = keyof typeof at

type Prepare = (world: MutableWorld) => void
const unprepared: Prepare = () => {}
const hot: Prepare = ({ facility }) => void (facility.hostCelsius[host] = 68)
const warmAir: Prepare = ({ facility }) => void facility.rackInletCelsius.fill(27.1)
const hotInWarmAir: Prepare = (world) => [hot, warmAir].forEach((prepare) => prepare(world))
const reachable: Prepare = ({ network }) => void network.hostReachable.fill(1)
const delayed: Prepare = (world) => {
  reachable(world)
  world.network.hostQueueMs[host] = 4
}
const stopped: Prepare = ({ facility }) => void (facility.hostRunning[host] = 0)
const advertised: Prepare = ({ network }) => void network.gatewayAdvertising.fill(1)
const drained: Prepare = ({ condition }) => void (condition.hostMaintenance[host] = 1)

function worldWith(prepare: Prepare) {
  const { state, blastRadius, addTenant } = createQuietWorld(1n)
  state.facility.hostRunning.fill(1)
  for (const hosts of [[host], [host, neighbor], [neighbor], [host, hostElsewhere], [hostElsewhere]])
    addTenant({ hosts: Int32Array.from(hosts) })
  prepare(state)
  return { state, blastRadius }
}

const symptom = (signal: SignalName, place: Place, since = 0, worsenedAt = since) =>
  ({ signal, subject: at[place], since, worsenedAt }) as Symptom

type Seen = readonly [SignalName, Place, since?: number, worsenedAt?: number]
const similarityIn = (prepare: Prepare) => {
  const { state, blastRadius } = worldWith(prepare)
  return createSimilarity(state, blastRadius)
}

describe('what a customer feels', () => {
  test.each<[string, Seen, Seen, Prepare, number]>([
    ['all of its hosts', ['host-silent', 'host'], ['customer-failing', 'one'], unprepared, 0.9],
    ['one of its two hosts', ['host-silent', 'host'], ['customer-failing', 'both'], unprepared, 0.675],
    ['a host of others', ['host-silent', 'host'], ['customer-failing', 'away'], unprepared, 0],
    ['no host of one that has left', ['host-silent', 'host'], ['customer-failing', 'gone'], unprepared, 0],
    ['a signal of its own strength', ['host-fan', 'host'], ['customer-slow', 'one'], unprepared, 0.1],
    ['the switch above', ['switch-degraded', 'edge'], ['customer-slow', 'one'], unprepared, 0.65],
    ['a switch elsewhere', ['switch-degraded', 'distantEdge'], ['customer-slow', 'one'], unprepared, 0],
    ['one of two feeds', ['feed-dead', 'feed'], ['customer-failing', 'one'], unprepared, 0.2],
    [
      'the only feed',
      ['feed-dead', 'feed'],
      ['customer-failing', 'one'],
      ({ facility }) => zone.feeds.forEach((feed) => (facility.feedLive[feed] = 0)),
      0.95,
    ],
    ['what harms no customer', ['customer-failing', 'one'], ['customer-slow', 'one'], unprepared, 0],
    ['an attack on itself', ['customer-flood', 'one'], ['customer-failing', 'one'], unprepared, 0.85],
    ['an attack on a neighbor', ['customer-flood', 'next'], ['customer-failing', 'one'], unprepared, 0.425],
    ['an attack elsewhere', ['customer-flood', 'away'], ['customer-failing', 'one'], unprepared, 0],
    ['no attack, if hosts are lost', ['customer-flood', 'one'], ['customer-stranded', 'one'], unprepared, 0],
    ['a host, if hosts are lost', ['host-silent', 'host'], ['customer-stranded', 'one'], unprepared, 0.9],
    ['no host that serves', ['host-memory', 'host'], ['customer-stranded', 'one'], reachable, 0],
    ['no host, if it is drained', ['host-silent', 'host'], ['customer-redundancy', 'one'], drained, 0],
    ['no other attack', ['switch-silent', 'edge'], ['customer-flood', 'one'], unprepared, 0],
    ['a hot zone', ['zone-hot', 'zone'], ['customer-failing', 'one'], hotInWarmAir, 0.1],
    ['a hot zone, of another host', ['zone-hot', 'zone'], ['customer-failing', 'next'], hotInWarmAir, 0],
    ['no hot zone, in cool air', ['zone-hot', 'zone'], ['customer-failing', 'one'], hot, 0],
    ['a stopped cooling unit', ['cooling-stopped', 'cooling'], ['customer-slow', 'one'], hotInWarmAir, 0.1],
    ['no cooling unit, while cool', ['cooling-stopped', 'cooling'], ['customer-slow', 'one'], warmAir, 0],
  ])('is explained by %s', (_, cause, effect, prepare, expected) => {
    const { explains } = similarityIn(prepare)
    expect(explains(symptom(...cause), symptom(...effect))).toBeCloseTo(expected, 12)
  })

  test.each([
    [hour, hour - 10 * minute - 1, 0],
    [hour, hour - 10 * minute, 0.9],
    [hour, hour + 10 * minute - 1, 0.9],
    [hour, hour + 10 * minute, 0.495],
    [hour, 2 * hour - 1, 0.495],
    [hour, 2 * hour, 0.315],
  ])('is explained by what is seen since %d, as it got worse at %d: %d', (since, worsenedAt, expected) => {
    const { explains } = similarityIn(unprepared)
    const effect = symptom('customer-failing', 'one', 0, worsenedAt)
    expect(explains(symptom('host-silent', 'host', since), effect)).toBeCloseTo(expected, 12)
  })
})

describe('a lossy link explains, of the requests that fail,', () => {
  const explained = (lost: number, crossing: number, failing: number, worsenedAt = 0): number => {
    const { explains } = similarityIn(({ network }) => {
      for (const [each, gbps] of [crossing, 1 - crossing].entries()) {
        network.portTxGbps[port + each] = gbps
        network.portRxGbps[topology.ports.peer[port + each]] = gbps
      }
    })
    const link = { ...symptom('link-errors', 'cable', hour), reading: lost }
    return explains(link, { ...symptom('customer-failing', 'one', worsenedAt), reading: failing })
  }
  test.each([
    ['as many as it loses, there and back', 1, 1, 2, hour, 0.65],
    ['as many, however long it has been lossy', 1, 1, 2, 5 * hour, 0.65],
    ['a fifth of ten times as many', 1, 1, 10, hour, 0.13],
    ['a part of what it loses, with a part of the traffic', 10, 0.125, 2.5, hour, 0.65],
    ['little of an attack, with a part of the traffic', 1, 0.25, 10, hour, 0.0325],
    ['none from long before', 1, 1, 2, hour - 10 * minute - 1, 0],
  ])('%s', (_, lost, crossing, failing, worsenedAt, expected) => {
    expect(explained(lost, crossing, failing, worsenedAt)).toBeCloseTo(expected, 12)
  })
})

test('beyond the cores, a lossy link explains requests by its part of the traffic with users', () => {
  const { explains } = similarityIn(({ network }) => {
    network.hostReachable.fill(0)
    network.portTxGbps[port] = 100
    network.portTxGbps[topology.cables.a[at.line.row]] = 1
    network.zoneWanInGbps[0] = 3
    network.zoneWanOutGbps[0] = 1
  })
  const link = { ...symptom('link-errors', 'line'), reading: 10 }
  expect(explains(link, { ...symptom('customer-failing', 'one'), reading: 5 })).toBeCloseTo(0.65, 12)
  expect(explains(link, { ...symptom('customer-failing', 'one'), reading: 50 })).toBeCloseTo(0.065, 12)
})

test.each<[Seen, Seen, Prepare, number]>([
  // Cabling.
  [['link-down', 'cable'], ['link-flapping', 'cable'], unprepared, 0],
  [['switch-silent', 'edge'], ['link-down', 'cable'], unprepared, 1],
  [['link-down', 'cable'], ['link-full', 'distantCable'], unprepared, 0],
  [['host-silent', 'host'], ['link-down', 'cable'], unprepared, 1],
  [['host-silent', 'host'], ['link-down', 'distantCable'], unprepared, 0],
  [['switch-silent', 'distantEdge'], ['link-errors', 'cable'], unprepared, 0],
  [['switch-storm', 'distantEdge'], ['link-errors', 'cable'], unprepared, 0.45],
  // Silent hosts: cut off, or stopped.
  [['switch-silent', 'edge'], ['host-silent', 'host'], unprepared, 0.8],
  [['switch-silent', 'edge'], ['host-silent', 'host'], stopped, 0],
  [['switch-silent', 'edge'], ['host-silent', 'distant'], unprepared, 0],
  [['link-down', 'cable'], ['host-silent', 'neighbor'], unprepared, 0],
  [['feed-dead', 'feed'], ['host-silent', 'host'], stopped, 0.8],
  [['feed-dead', 'feed', 1], ['host-silent', 'host', 0, 1], stopped, 0.8],
  [['feed-dead', 'feed', 1], ['host-silent', 'host'], stopped, 0],
  [['feed-dead', 'feed'], ['host-silent', 'elsewhere'], stopped, 0],
  // Silent devices: redundant pairs.
  [['switch-silent', 'edge'], ['switch-silent', 'twin'], unprepared, 0.45],
  [['switch-silent', 'edge'], ['switch-silent', 'distantEdge'], unprepared, 0],
  [['switch-silent', 'edge'], ['switch-silent', 'core'], unprepared, 0],
  [['switch-silent', 'core'], ['switch-silent', 'otherCore'], unprepared, 0.45],
  [['switch-silent', 'edge'], ['gateway-silent', 'gateway'], unprepared, 0],
  [['feed-dead', 'feed'], ['switch-silent', 'edge'], unprepared, 0.45],
  [['feed-dead', 'feed'], ['gateway-silent', 'gatewayElsewhere'], unprepared, 0],
  // Congestion, which spreads through a zone.
  [['link-full', 'cable'], ['gateway-dropping', 'gateway'], unprepared, 0.45],
  [['link-full', 'cable'], ['gateway-dropping', 'gatewayElsewhere'], unprepared, 0],
  [['customer-flood', 'one'], ['gateway-throttled', 'gateway'], unprepared, 0.45],
  // Detours: without a gateway that announces routes, another zone carries the traffic.
  [['gateway-silent', 'gateway'], ['gateway-dropping', 'gatewayElsewhere'], unprepared, 0.45],
  [['link-down', 'line'], ['gateway-dropping', 'gatewayElsewhere'], unprepared, 0.45],
  [['link-down', 'line', 1], ['gateway-dropping', 'gatewayElsewhere'], unprepared, 0],
  [['link-down', 'line'], ['gateway-dropping', 'gatewayElsewhere'], advertised, 0],
  [['link-down', 'cable'], ['gateway-dropping', 'gatewayElsewhere'], unprepared, 0],
  [['gateway-silent', 'gateway'], ['switch-dropping', 'edge'], unprepared, 0.45],
  [['gateway-dropping', 'gateway'], ['gateway-throttled', 'gateway'], unprepared, 0],
  // Heat.
  [['zone-hot', 'zone'], ['host-hot', 'host'], hotInWarmAir, 0.8],
  [['zone-hot', 'zone'], ['host-hot', 'host'], hot, 0],
  [['zone-hot', 'zone'], ['host-hot', 'elsewhere'], hotInWarmAir, 0],
  [['cooling-stopped', 'cooling'], ['zone-hot', 'zone'], unprepared, 0.8],
  [['cooling-stopped', 'cooling'], ['host-hot', 'host'], hotInWarmAir, 0.8],
  [['cooling-stopped', 'cooling'], ['host-hot', 'host'], hot, 0],
  // Unrelated signals.
  [['host-silent', 'host'], ['host-hot', 'host'], unprepared, 0],
])('%o explains %o', (cause, effect, prepare, expected) => {
  expect(similarityIn(prepare).explains(symptom(...cause), symptom(...effect))).toBe(expected)
})

test('behind an edge switch are the hosts of its rack, each once', () => {
  const { blastRadius } = worldWith(unprepared)
  const hosts = Array.from(blastRadius.hostsOf({ kind: 'Switch', row: edge }))
  expect(hosts.toSorted((a, b) => a - b)).toEqual(zone.hosts.filter(isInItsRack))
})

describe('similar are', () => {
  test.each<[string, Seen, Seen, number]>([
    ['two signals of one host', ['host-fan', 'host'], ['host-disk', 'host'], 0.8],
    ['two of one customer', ['customer-flood', 'one'], ['customer-failing', 'one'], 0.8],
    ['two of one zone', ['zone-hot', 'zone'], ['zone-hot', 'zone'], 0.8],
    ['cause and effect', ['switch-silent', 'edge'], ['link-down', 'cable'], 1],
    ['not an attack and lost hosts', ['customer-flood', 'one'], ['customer-stranded', 'one'], 0],
    ['not two attacks', ['customer-flood', 'one'], ['customer-flood', 'next'], 0],
    ['not a fan and a disk of two hosts', ['host-fan', 'host'], ['host-disk', 'neighbor'], 0],
    ['customers at a time', ['customer-slow', 'one'], ['customer-failing', 'next', 4 * minute], 0.45],
    [
      'customers at a time of any hour',
      ['customer-slow', 'one', hour],
      ['customer-failing', 'next', hour],
      0.45,
    ],
    ['not later ones', ['customer-slow', 'one'], ['customer-failing', 'next', 4 * minute + 1], 0],
    ['customers that share one zone', ['customer-slow', 'away'], ['customer-failing', 'spread'], 0.45],
    ['not customers of two zones', ['customer-slow', 'one'], ['customer-failing', 'away'], 0],
  ])('%s', (_, one, other, expected) => {
    const { between } = similarityIn(unprepared)
    expect(between(symptom(...one), symptom(...other))).toBe(expected)
    expect(between(symptom(...other), symptom(...one))).toBe(expected)
  })
})

describe('a confirmed cause explains', () => {
  const explains = (kind: CauseKind, target: Subject, seen: Seen, prepare: Prepare): boolean => {
    const { state, blastRadius } = worldWith(prepare)
    const root = { id: 1, kind, target: target as FaultTarget, endsBy: null, ended: null }
    return canExplain(state, blastRadius, root, symptom(...seen))
  }
  test.each<[CauseKind, Place, Seen, Prepare, boolean]>([
    // Customers.
    ['Attack', 'one', ['customer-flood', 'one'], unprepared, true],
    ['Attack', 'one', ['customer-flood', 'both'], unprepared, false],
    ['DemandSurge', 'one', ['customer-flood', 'one'], unprepared, false],
    ['DemandSurge', 'one', ['customer-failing', 'one'], unprepared, true],
    ['Attack', 'one', ['customer-stranded', 'one'], unprepared, false],
    ['Attack', 'one', ['customer-failing', 'next'], unprepared, true],
    ['Attack', 'one', ['customer-failing', 'away'], unprepared, false],
    ['DemandSurge', 'one', ['customer-failing', 'next'], unprepared, false],
    ['HostFailure', 'host', ['customer-stranded', 'both'], unprepared, true],
    ['HostFailure', 'host', ['customer-stranded', 'both'], reachable, false],
    ['HostFailure', 'host', ['customer-stranded', 'one'], drained, false],
    ['CableFault', 'cable', ['customer-stranded', 'one'], unprepared, true],
    ['CableFault', 'cable', ['customer-stranded', 'one'], delayed, false],
    ['CableFault', 'cable', ['customer-failing', 'one'], delayed, true],
    ['DemandSurge', 'one', ['host-silent', 'host'], stopped, false],
    ['HostFailure', 'host', ['customer-failing', 'one'], drained, true],
    ['HostFailure', 'host', ['customer-failing', 'next'], unprepared, false],
    ['HostFailure', 'host', ['customer-failing', 'gone'], unprepared, false],
    ['PowerFeedLoss', 'feed', ['customer-failing', 'one'], reachable, false],
    ['PowerFeedLoss', 'feed', ['customer-failing', 'one'], stopped, true],
    ['PowerFeedLoss', 'feed', ['customer-failing', 'next'], reachable, false],
    ['CoolingFailure', 'cooling', ['customer-failing', 'one'], hot, false],
    ['CoolingFailure', 'cooling', ['customer-failing', 'one'], hotInWarmAir, true],
    // Hosts.
    ['SwitchFailure', 'edge', ['host-silent', 'neighbor'], unprepared, true],
    ['SwitchFailure', 'edge', ['host-silent', 'distant'], unprepared, false],
    ['SwitchFailure', 'edge', ['host-silent', 'host'], stopped, false],
    ['PowerFeedLoss', 'feed', ['host-silent', 'host'], stopped, true],
    // Zones and devices.
    ['CoolingFailure', 'cooling', ['zone-hot', 'zone'], unprepared, true],
    ['GatewayFailure', 'gatewayElsewhere', ['zone-hot', 'zone'], unprepared, false],
    ['SwitchFailure', 'edge', ['switch-dropping', 'edge'], unprepared, true],
    ['SwitchFailure', 'edge', ['link-down', 'cable'], unprepared, true],
    ['CableCut', 'cable', ['switch-dropping', 'edge'], unprepared, true],
    ['CableCut', 'cable', ['switch-degraded', 'edge'], unprepared, false],
    ['CarrierOutage', 'line', ['gateway-dropping', 'gateway'], unprepared, true],
    ['CarrierOutage', 'line', ['gateway-throttled', 'gateway'], unprepared, false],
    // The traffic that a zone without a way out sends through another.
    ['CarrierOutage', 'line', ['gateway-dropping', 'gatewayElsewhere'], unprepared, true],
    ['CarrierOutage', 'line', ['gateway-dropping', 'gatewayElsewhere'], advertised, false],
    ['CarrierOutage', 'line', ['customer-failing', 'away'], unprepared, true],
    ['CarrierOutage', 'line', ['customer-failing', 'away'], advertised, false],
    ['CarrierOutage', 'line', ['customer-stranded', 'away'], unprepared, false],
    ['PortFlap', 'port', ['link-flapping', 'cable'], unprepared, true],
    ['CableCut', 'cable', ['link-errors', 'distantCable'], unprepared, false],
    ['SwitchFailure', 'edge', ['switch-silent', 'twin'], unprepared, true],
    ['FirmwareFault', 'edge', ['switch-silent', 'twin'], unprepared, false],
    ['PowerFeedLoss', 'feed', ['switch-silent', 'twin'], unprepared, true],
    ['SwitchFailure', 'edge', ['switch-dropping', 'distantEdge'], unprepared, false],
    ['SwitchFailure', 'edge', ['switch-dropping', 'twin'], unprepared, true],
    ['SwitchFailure', 'edge', ['gateway-dropping', 'gateway'], unprepared, true],
    ['SwitchFailure', 'edge', ['gateway-dropping', 'gatewayElsewhere'], unprepared, false],
    ['SwitchFailure', 'edge', ['gateway-throttled', 'gateway'], unprepared, false],
    ['Attack', 'one', ['gateway-throttled', 'gateway'], unprepared, true],
    ['SwitchFailure', 'edge', ['link-full', 'distantCable'], unprepared, false],
  ])('%s of %s or not: %o', (kind, target, seen, prepare, expected) => {
    expect(explains(kind, at[target], seen, prepare)).toBe(expected)
  })
})
