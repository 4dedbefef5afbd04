import { describe, expect, test } from 'vitest'
import { createBlastRadius } from '../../../../src/world/simulation/incidents/correlation/blast-radius.ts'
import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import {
  watchFacility,
  watchHosts,
  watchNetworkDevices,
} from '../../../../src/world/simulation/incidents/monitors/devices.ts'
import {
  createLinkMonitor,
  createLinkMonitorState,
} from '../../../../src/world/simulation/incidents/monitors/links.ts'
import { createSymptomTracker } from '../../../../src/world/simulation/incidents/monitors/symptom-tracker.ts'
import type { SymptomTracker } from '../../../../src/world/simulation/incidents/monitors/symptom-tracker.ts'
import { minute } from '../../../../src/world/simulation/time.ts'
import { portRole } from '../../../../src/world/simulation/topology/tables.ts'
import { createNetworkFixture, step } from '../network/network-fixture.ts'
import type { NetworkFixture } from '../network/network-fixture.ts'

/** Limits of the monitors of facility, hosts, network devices and links. */

/** Two zones of 12 running hosts. */
function runningNetwork(): NetworkFixture {
  const world = createNetworkFixture('small')
  step(world)
  return world
}

type Prepare = (world: NetworkFixture) => void
const unprepared: Prepare = () => {}
const all =
  (...preparations: readonly Prepare[]): Prepare =>
  (world) => {
    for (const prepare of preparations) prepare(world)
  }
/** Reported signals with the rows of their subjects and their readings. */
const seenIn = (symptoms: ReadonlyMap<number, Symptom>): string =>
  Array.from(symptoms.values(), ({ signal, subject, reading }) => {
    const row = 'row' in subject ? subject.row : subject.id
    return `${signal} ${row} ${Math.round(reading * 1e6) / 1e6}`
  }).join(', ')

function seenBy(watch: (world: NetworkFixture, tracker: SymptomTracker) => void, prepare: Prepare) {
  const world = runningNetwork()
  prepare(world)
  const symptoms = new Map<number, Symptom>()
  watch(world, createSymptomTracker(symptoms))
  return seenIn(symptoms)
}

type Case = readonly [string, Prepare, string]
const dark: Prepare = ({ facility }) => void facility.feedLive.fill(0)

describe('power and cooling', () => {
  const inlets =
    (...celsius: readonly number[]): Prepare =>
    ({ facility, topology }) =>
      celsius.forEach((each, at) => (facility.rackInletCelsius[topology.zones[1].racks[at]] = each))
  test.each<Case>([
    ['in order', unprepared, ''],
    ['a feed is dead', ({ facility }) => void (facility.feedLive[1] = 0), 'feed-dead 1 1'],
    ['a unit stops', ({ condition }) => void (condition.coolingBroken[1] = 1), 'cooling-stopped 1 1'],
    ['a unit leaks', ({ condition }) => void (condition.coolingLost[1] = 0.9), ''],
    ['the air is at 32 °C', inlets(32, 32), ''],
    ['the air is at 32.1 °C', inlets(32.1), 'zone-hot 1 32.1'],
    ['the air of one rack is at 33 °C', inlets(20, 33, 20), 'zone-hot 1 33'],
  ])('%s', (_, prepare, expected) => {
    expect(seenBy(watchFacility, prepare)).toEqual(expected)
  })
})

describe('a host', () => {
  const stopped: Prepare = ({ facility }) => void (facility.hostRunning[0] = 0)
  const unreachable: Prepare = ({ network }) => void (network.hostReachable[0] = 0)
  const inMaintenance: Prepare = ({ condition }) => void (condition.hostMaintenance[0] = 1)
  const hung: Prepare = ({ condition }) => void (condition.hostHung[0] = 1)
  const withUnits: Prepare = ({ load }) => void (load.unitCount[0] = 1)
  const withoutRoutes: Prepare = ({ network }) => void network.gatewayAdvertising.fill(0)
  const switchesUp =
    (count: number): Prepare =>
    (world) => {
      const edges = createBlastRadius(world).edgeSwitchesOf(0)
      edges.forEach((edge, at) => (world.facility.switchUp[edge] = at < count ? 1 : 0))
    }
  const silent = 'host-silent 0 1'
  test.each<Case>([
    ['in order', unprepared, ''],
    ['at 68 °C', ({ facility }) => void (facility.hostCelsius[0] = 68), ''],
    ['at 68.1 °C', ({ facility }) => void (facility.hostCelsius[0] = 68.1), 'host-hot 0 68.1'],
    [
      'shut down at 50 °C',
      all(stopped, ({ facility }) => {
        facility.hostCelsius[0] = 50
        facility.hostHeatTripped[0] = 1
      }),
      `${silent}, host-hot 0 50`,
    ],
    ['with a broken fan', ({ condition }) => void (condition.hostFanBroken[0] = 1), 'host-fan 0 1'],
    ['full of dust', ({ condition }) => void (condition.hostAirBlocked[0] = 1), ''],
    ['with a broken disk', ({ condition }) => void (condition.hostDiskBroken[0] = 2), 'host-disk 0 1'],
    [
      'that corrects errors in half of its time',
      ({ condition }) => void (condition.hostMemoryLoss[0] = 0.5),
      'host-memory 0 4800',
    ],
    [
      'whose clock is off by half of the most',
      ({ condition }) => void (condition.hostClockOff[0] = 0.5),
      'host-clock 0 950',
    ],
    [
      'that does not answer about its memory and clock',
      all(unreachable, ({ condition }) => {
        condition.hostMemoryLoss[0] = 1
        condition.hostClockOff[0] = 1
      }),
      silent,
    ],
    [
      'with a broken fan and all of its time lost to memory errors',
      ({ condition }) => {
        condition.hostFanBroken[0] = 1
        condition.hostMemoryLoss[0] = 1
      },
      'host-fan 0 1, host-memory 0 9600',
    ],
    ['on one supply', ({ condition }) => void (condition.hostSupplyBroken[0] = 2), 'host-supply 0 1'],
    ['stopped', stopped, silent],
    ['stopped in maintenance', all(stopped, inMaintenance), ''],
    ['stopped without power', all(stopped, dark), ''],
    ['stopped on one feed', all(stopped, ({ facility }) => void (facility.feedLive[0] = 0)), silent],
    ['stopped with units', all(stopped, withUnits), silent],
    ['hung with units', all(stopped, hung, withUnits), ''],
    ['hung without units', all(stopped, hung), silent],
    ['unreachable', unreachable, silent],
    ['unreachable over one switch', all(unreachable, switchesUp(1)), silent],
    ['unreachable without a switch', all(unreachable, switchesUp(0)), ''],
    ['unreachable without routes', all(unreachable, withoutRoutes), ''],
    ['stopped without routes', all(stopped, withoutRoutes), silent],
  ])('%s', (_, prepare, expected) => {
    expect(seenBy((world, tracker) => watchHosts(world, tracker, createBlastRadius(world)), prepare)).toEqual(
      expected,
    )
  })

  test('that was silent before its maintenance stays so', () => {
    const world = runningNetwork()
    const symptoms = new Map<number, Symptom>()
    const tracker = createSymptomTracker(symptoms)
    stopped(world)
    for (const prepare of [unprepared, inMaintenance]) {
      world.now += minute
      prepare(world)
      watchHosts(world, tracker, createBlastRadius(world))
    }
    expect([...symptoms.values()].map(({ lastSeen }) => lastSeen)).toEqual([world.now])
  })
})

describe('network devices', () => {
  const { topology } = runningNetwork()
  const fabrics = {
    switch: topology.switchSkus[topology.switches.sku[1]].fabricGbps,
    gateway: topology.gatewaySkus[topology.gateways.sku[1]].fabricGbps,
    appliance: topology.applianceSkus[topology.appliances.sku[1]].fabricGbps,
  }
  const drop =
    (device: keyof typeof fabrics, share: number): Prepare =>
    ({ network }) =>
      void (network[`${device}DroppedGbps`][1] = share * fabrics[device])
  const down =
    (device: keyof typeof fabrics): Prepare =>
    ({ facility }) =>
      void (facility[`${device}Up`][1] = 0)
  const withdrawn: Prepare = ({ network }) => void (network.gatewayAdvertising[1] = 0)
  const withoutLines: Prepare = ({ topology: { ports, gateways }, network }) => {
    const first = gateways.firstPort[1]
    for (let port = first; port < first + gateways.portCount[1]; port++)
      if (ports.role[port] === portRole.GatewayWan) network.portUp[port] = 0
  }
  const forwards =
    (share: number): Prepare =>
    ({ network }) =>
      void (network.gatewayCeilingGbps[1] = share * fabrics.gateway)
  const rounded = (gbps: number): number => Math.round(gbps * 1e6) / 1e6
  test.each<Case>([
    ['in order', unprepared, ''],
    ['a switch is down', all(down('switch'), drop('switch', 0.1)), 'switch-silent 1 1'],
    ['a switch is down without power', all(down('switch'), dark), ''],
    [
      'a switch is on one supply',
      ({ condition }) => void (condition.switchSupplyBroken[1] = 2),
      'switch-supply 1 1',
    ],
    ['a switch storms', ({ condition }) => void (condition.switchStorm[1] = 1), 'switch-storm 1 1'],
    [
      'a switch lost a share of its fabric',
      ({ condition }) => void (condition.switchFabricLost[1] = 0.3),
      'switch-degraded 1 30',
    ],
    ['a switch drops 0.2 %', drop('switch', 0.002), ''],
    ['a switch drops more', drop('switch', 0.0021), `switch-dropping 1 ${rounded(0.0021 * fabrics.switch)}`],
    ['a gateway is down', all(down('gateway'), withdrawn), 'gateway-silent 1 1'],
    ['a gateway is down without power', all(down('gateway'), dark), ''],
    ['a gateway announces no routes', withdrawn, 'gateway-withdrawn 1 1'],
    ['a gateway has no lines', all(withdrawn, withoutLines), ''],
    ['a gateway forwards 78.1 %', forwards(0.781), ''],
    ['a gateway forwards 77.9 %', forwards(0.779), 'gateway-throttled 1 22.1'],
    ['a gateway drops 0.2 %', drop('gateway', 0.002), ''],
    [
      'a gateway drops more',
      drop('gateway', 0.0021),
      `gateway-dropping 1 ${rounded(0.0021 * fabrics.gateway)}`,
    ],
    ['an appliance is down', all(down('appliance'), drop('appliance', 0.1)), 'appliance-silent 1 1'],
    ['an appliance is down without power', all(down('appliance'), dark), ''],
    ['an appliance drops 0.2 %', drop('appliance', 0.002), ''],
    [
      'an appliance drops more',
      drop('appliance', 0.0021),
      `appliance-dropping 1 ${rounded(0.0021 * fabrics.appliance)}`,
    ],
  ])('%s', (_, prepare, expected) => {
    expect(seenBy(watchNetworkDevices, prepare)).toEqual(expected)
  })
})

describe('a link', () => {
  const { topology } = runningNetwork()
  const port = topology.hosts.firstPort[0]
  const peer = topology.ports.peer[port]
  const [lower, upper] = [Math.min(port, peer), Math.max(port, peer)]
  const cable = topology.ports.cable[port]
  const capacity = topology.ports.capacityGbps[port]
  const downAt: Prepare = ({ network }) => void (network.portUp[lower] = 0)
  const loses =
    (column: 'cableLoss' | 'portLoss', row: number, share: number): Prepare =>
    ({ condition, network }) => {
      condition[column][row] = share
      network.lossyLinks = 1
    }
  const drops =
    (at: number, share: number): Prepare =>
    ({ network }) => {
      network.portDroppedGbps[at] = share * capacity
      network.droppingPorts = 1
    }
  const flaps =
    (count: number): Prepare =>
    ({ network }) => {
      network.portFlaps[lower] += count
      network.flappingLinks = 1
    }
  const lan = Array.from({ length: topology.gateways.portCount[0] })
    .map((_, at) => topology.gateways.firstPort[0] + at)
    .find((row) => topology.ports.role[row] !== portRole.GatewayWan && topology.ports.cable[row] >= 0)!
  const lanCable = topology.ports.cable[lan]
  const downAtGateway: Prepare = ({ network }) =>
    void (network.portUp[Math.min(lan, topology.ports.peer[lan])] = 0)
  const stopEnd: Prepare = ({ facility }) => void (facility.switchUp[topology.ports.device[peer]] = 0)

  test.each<Case>([
    ['in order', unprepared, ''],
    ['down', downAt, `link-down ${cable} 1`],
    ['down at a host that is off', all(downAt, ({ facility }) => void (facility.hostRunning[0] = 0)), ''],
    ['down at a switch that is off', all(downAt, stopEnd), ''],
    ['down at a gateway', downAtGateway, `link-down ${lanCable} 1`],
    [
      'down at a gateway that is off',
      all(downAtGateway, ({ facility }) => void (facility.gatewayUp[0] = 0)),
      '',
    ],
    ['down after a flap', all(downAt, flaps(1)), `link-down ${cable} 1`],
    ['down after two flaps', all(downAt, flaps(2)), `link-flapping ${cable} 2`],
    ['that loses 0.09 % of its frames', loses('cableLoss', cable, 0.0009), ''],
    ['that loses 0.11 % of its frames', loses('cableLoss', cable, 0.0011), `link-errors ${cable} 0.11`],
    [
      'that loses frames at both ends',
      all(loses('portLoss', lower, 0.1), loses('portLoss', upper, 0.2)),
      `link-errors ${cable} 28`,
    ],
    ['that loses all frames', all(loses('cableLoss', cable, 1), downAt), `link-down ${cable} 1`],
    ['that drops 0.2 %', drops(lower, 0.002), ''],
    ['that drops more', drops(lower, 0.01), `link-full ${cable} ${capacity / 100}`],
    ['that drops more in the other direction', drops(upper, 0.01), `link-full ${cable} ${capacity / 100}`],
  ])('%s', (_, prepare, expected) => {
    expect(
      seenBy((world, tracker) => {
        world.network.connectivityVersion++
        createLinkMonitor(world, createLinkMonitorState(world)).watch(tracker)
      }, prepare),
    ).toEqual(expected)
  })

  test.each<[string, minutes: readonly number[], flaps: readonly number[], count: number]>([
    ['one flap', [0], [1], 0],
    ['two flaps', [0], [2], 2],
    ['a flap, and another 4 minutes later', [0, 4], [1, 1], 2],
    ['a flap, and another later than that', [0, 4.5, 5], [1, 0, 1], 0],
    ['two flaps, steady for 4 minutes', [0, 4], [2, 0], 2],
    ['two flaps, steady for longer', [0, 4.5], [2, 0], 0],
  ])('with %s', (_, minutes, added, count) => {
    const world = runningNetwork()
    const monitor = createLinkMonitor(world, createLinkMonitorState(world))
    const begin = world.now
    let seen = ''
    for (const [poll, after] of minutes.entries()) {
      world.now = begin + after * minute
      flaps(added[poll])(world)
      const symptoms = new Map<number, Symptom>()
      monitor.watch(createSymptomTracker(symptoms))
      seen = seenIn(symptoms)
    }
    expect(seen).toEqual(count === 0 ? '' : `link-flapping ${cable} ${count}`)
  })

  test.each([
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ])(
    'that came up counts as up once connectivity (%i) or the topology (%i) changed',
    (links, sites, count) => {
      const world = runningNetwork()
      const monitor = createLinkMonitor(world, createLinkMonitorState(world))
      downAt(world)
      monitor.watch(createSymptomTracker(new Map()))
      world.network.portUp[lower] = 1
      world.network.connectivityVersion += links
      Object.assign(world.topology, { version: world.topology.version + sites })
      const symptoms = new Map<number, Symptom>()
      monitor.watch(createSymptomTracker(symptoms))
      expect(symptoms.size).toBe(count)
    },
  )
})
