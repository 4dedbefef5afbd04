import { beforeAll, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../../src/contract/collections.ts'
import { hour, minute, second } from '../../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { changes, shortName, describeStates } from './state-description.ts'
import { runUntil, scenarioOf } from './scripted-world.ts'

/**
 * Zone a of the small topology of seed 1 (zone b is alike): racks b01 and b02 with six hosts and two edge switches
 * each, every host on both; each edge switch on both aggregation switches, these on both cores; both cores on both
 * firewalls, these on the one gateway, and that on two carriers. Power feeds A and B for all devices. Each core is
 * linked to its counterpart in zone b. At ten in the morning one fault begins, the only one.
 */

const breaksAt = 10 * hour
/** Devices react at once, monitoring a little later, and no repair has advanced far. */
const atOnce = breaksAt + 10 * second
const noticed = breaksAt + 5 * minute

const worldOf = (steps: readonly object[]): Simulation =>
  createSimulation({ seed: 1n, scale: 'small', warmUp: 0, scenario: scenarioOf(steps), speed: 60 })

/** The reference: the same world without the fault. */
const whole = new Map<
  number,
  { readonly facts: Map<string, string>; readonly traffic: Map<string, number> }
>()

beforeAll(() => {
  const world = worldOf([])
  for (const moment of [atOnce, noticed]) {
    runUntil(world, moment)
    const snapshot = world.snapshot()
    whole.set(moment, { facts: describeStates(snapshot), traffic: trafficByPort(snapshot) })
  }
})

/** Traffic out of and into each cabled port in Gbit/s, by port name. */
function trafficByPort({ collections }: Snapshot): Map<string, number> {
  const { switches, gateways, appliances, hosts } = collections
  return new Map(
    [...switches, ...gateways, ...appliances, ...hosts].flatMap((device) =>
      device.ports
        .filter((port) => port.cable_ids.length > 0)
        .map((port) => [
          `${shortName(device.display_name_plain)} ${port.label}`,
          port.gbps_tx + port.gbps_rx,
        ]),
    ),
  )
}

/** A world with one fault, and its differences from the reference. */
function broken(action: string, target: object) {
  const world = worldOf([{ at: '10h', do: action, target }])
  let now = atOnce
  const look = () => {
    runUntil(world, now)
    return world.snapshot()
  }
  let snapshot = look()
  const traffic = (...ports: string[]): number => {
    const byPort = trafficByPort(snapshot)
    return ports.reduce((sum, port) => sum + byPort.get(port)!, 0)
  }
  return {
    world,
    traffic,
    trafficWhenWhole: (...ports: string[]): number =>
      ports.reduce((sum, port) => sum + whole.get(now)!.traffic.get(port)!, 0),
    wait(moment: number) {
      now = moment
      snapshot = look()
    },
    changes: () => changes(whole.get(now)!.facts, describeStates(snapshot)),
    feelers: () => world.state.tenants.active.filter(({ failing }) => failing > 0.001).map(({ id }) => id),
  }
}

const down = 'Up, Connected → Down, NoLight'
const down2 = (...ports: string[]): Record<string, string> =>
  Object.fromEntries(ports.map((port) => [port, down]))

/** Expects what differs at once, and beside it an incident once it is noticed, which no customer feels. */
function expectChanges(one: ReturnType<typeof broken>, expected: object, incident: string): void {
  expect(one.changes()).toEqual(expected)
  one.wait(noticed)
  expect(one.changes()).toEqual({ ...expected, 'incident 1': `none → ${incident}` })
  expect(one.feelers()).toEqual([])
}

describe('one cable', () => {
  test.each([
    ['of a host', 7, ['a-b01-u05 eth0', 'a-b01-edge1 Eth1/2'], 'a-b01-u05 eth1', 'a-b01-u05–a-b01-edge1'],
    [
      'from edge to aggregation',
      31,
      ['a-b01-edge1 Eth1/10', 'a-b-agg1 Eth1/1'],
      'a-b01-edge1 Eth1/11',
      'a-b01-edge1–a-b-agg1',
    ],
    // That from aggregation to core is shared with the other aggregation switch, which sends less of it.
    [
      'from aggregation to core',
      39,
      ['a-b-agg1 Eth1/13', 'a-core1 Eth1/1'],
      'a-b-agg1 Eth1/14',
      'a-b-agg1–a-core1',
    ],
    ['to a carrier', 107, ['a-gw1 wan0'], 'a-gw1 wan1', 'a-gw1–Tidewater Fibre'],
  ])('%s: another takes it all', (_, id, [from, ...ends], other, place) => {
    const one = broken('CableCut', { kind: 'Cable', id })
    expect(one.traffic(from)).toBe(0)
    const moved = one.traffic(other) / one.trafficWhenWhole(from, other)
    expect(moved).toBeGreaterThan(id === 39 ? 0.85 : 0.999)
    expect(moved).toBeLessThan(1.001)
    const expected = {
      [`cable ${id}`]: 'whole → failed',
      ...down2(from, ...ends),
      'zone a': 'Healthy → Degraded',
      ...(id === 107 && { 'zone a wan': '20 Gbit/s → 10 Gbit/s' }),
    }
    expectChanges(one, expected, `LinkDown at ${place}, Watch`)
  })
})

test('one power feed: everything in the zone runs on the other', () => {
  const one = broken('PowerFeedLoss', { kind: 'PowerFeed', zone: 1, side: 'A' })
  const devices =
    'b01-edge1 b01-edge2 b02-edge1 b02-edge2 b-agg1 b-agg2 core1 core2 gw1 fw1 fw2 scrub1 ips1 lb1'.split(' ')
  const hosts =
    'b01-u01 b01-u03 b01-u05 b01-u06 b01-u07 b01-u08 b02-u01 b02-u03 b02-u05 b02-u07 b02-u08 b02-u09'.split(
      ' ',
    )
  const expected = {
    'zone a': 'Healthy → Degraded',
    'zone a power': 'redundant → no spare',
    'zone a feed A': 'live → dead',
    'zone a rack A-01': '0 online, 2 feeds → 0 online, 1 feed',
    'zone a rack B-01': '6 online, 2 feeds → 6 online, 1 feed',
    'zone a rack B-02': '6 online, 2 feeds → 6 online, 1 feed',
    ...Object.fromEntries(devices.map((name) => [`a-${name}`, 'Installed, 2 feeds → Installed, 1 feed'])),
    ...Object.fromEntries(
      hosts.map((name) => [`a-${name}`, 'online, Installed, 2 feeds → online, Installed, 1 feed']),
    ),
  }
  expectChanges(one, expected, 'RedundancyLost at power feed A of Westholm A, Minor, a promise broken')
  const [a, b] = one.world.snapshot().collections.azs[0].power_feeds
  expect(a.load_kw).toBe(0)
  expect(b.load_kw).toBeGreaterThan(0)
})

test('one edge switch: the hosts of the rack lose a leg, and all stay online', () => {
  const one = broken('SwitchFailure', { kind: 'Switch', id: 1 })
  const expected = {
    'a-b01-edge1': 'Installed, 2 feeds → Failed, 2 feeds',
    'zone a': 'Healthy → Degraded',
    ...down2('a-b01-u01 eth0', 'a-b01-u03 eth0', 'a-b01-u03 eth2', 'a-b01-u05 eth0'),
    ...down2('a-b01-u06 eth0', 'a-b01-u07 eth0', 'a-b01-u08 eth0'),
    ...down2('a-b01-edge1 Eth1/1', 'a-b01-edge1 Eth1/2', 'a-b01-edge1 Eth1/3', 'a-b01-edge1 Eth1/4'),
    ...down2('a-b01-edge1 Eth1/5', 'a-b01-edge1 Eth1/9/1', 'a-b01-edge1 Eth1/9/2'),
    ...down2('a-b01-edge1 Eth1/10', 'a-b01-edge1 Eth1/11', 'a-b-agg1 Eth1/1', 'a-b-agg2 Eth1/1'),
  }
  expect(one.traffic('a-b01-u03 eth1', 'a-b01-u03 eth3')).toBeCloseTo(
    one.trafficWhenWhole('a-b01-u03 eth0', 'a-b01-u03 eth1', 'a-b01-u03 eth2', 'a-b01-u03 eth3'),
    2,
  )
  expectChanges(one, expected, 'LinkDown at a-b01-edge1, Watch')
})

test('one core switch: the other core carries the zone', () => {
  const one = broken('SwitchFailure', { kind: 'Switch', id: 9 })
  const expected = {
    'a-core1': 'Installed, 2 feeds → Failed, 2 feeds',
    'zone a': 'Healthy → Degraded',
    ...down2('a-core1 Eth1/1', 'a-core1 Eth1/2', 'a-core1 Eth1/5', 'a-core1 Eth1/6'),
    ...down2('a-core1 Eth1/8', 'a-core1 Eth1/12', 'a-core1 Eth1/13', 'b-core1 Eth1/8'),
    ...down2('a-b-agg1 Eth1/13', 'a-b-agg2 Eth1/13', 'a-fw1 in0', 'a-fw2 in0', 'a-ips1 eth0', 'a-lb1 eth0'),
  }
  expect(one.traffic('a-core2 Eth1/5', 'a-core2 Eth1/6')).toBeCloseTo(
    one.trafficWhenWhole('a-core1 Eth1/5', 'a-core1 Eth1/6', 'a-core2 Eth1/5', 'a-core2 Eth1/6'),
    2,
  )
  expectChanges(one, expected, 'LinkDown at a-core1, Watch')
})

test("one gateway: the zone's traffic goes over the gateway of the other zone", () => {
  const one = broken('GatewayFailure', { kind: 'Gateway', id: 1 })
  const expected = {
    'a-gw1': 'Installed, 2 feeds → Failed, 2 feeds',
    'a-gw1 routes': 'announced → none',
    'zone a': 'Healthy → Impaired',
    'zone a wan': '20 Gbit/s → 0 Gbit/s',
    ...down2('a-gw1 wan0', 'a-gw1 wan1', 'a-gw1 lan0', 'a-gw1 lan1', 'a-gw1 lan2'),
    ...down2('a-fw1 out0', 'a-fw2 out0', 'a-scrub1 eth0'),
  }
  const wan = ['a-gw1 wan0', 'a-gw1 wan1', 'b-gw1 wan0', 'b-gw1 wan1']
  expect(one.traffic('b-gw1 wan0', 'b-gw1 wan1')).toBeCloseTo(one.trafficWhenWhole(...wan), 2)
  // Half of it crosses on the link between the first cores, half on that between the second.
  expect(one.traffic('a-core1 Eth1/8')).toBeGreaterThan(one.trafficWhenWhole('a-core1 Eth1/8'))
  expect(one.traffic('a-core2 Eth1/8')).toBeGreaterThan(one.trafficWhenWhole('a-core2 Eth1/8'))
  expectChanges(one, expected, 'LinkDown at a-gw1, Watch')
})

describe('one host', () => {
  const name = 'a-b02-u07'
  const lost = {
    [name]: 'online, Installed, 2 feeds → out of reach, Failed, 2 feeds',
    ...down2(`${name} eth0`, `${name} eth1`, 'a-b02-edge1 Eth1/2', 'a-b02-edge2 Eth1/2'),
    'zone a': 'Healthy → Degraded',
    'zone a hosts': '12 of 12 → 11 of 12',
    'zone a rack B-02': '6 online, 2 feeds → 5 online, 2 feeds',
  }
  const isAboutUnits = (fact: string): boolean => fact.endsWith(' units')

  test('its units are stranded, and the customers behind them feel it', () => {
    const one = broken('HostFailure', { kind: 'Host', id: 10 })
    const all = one.changes()
    const units = Object.keys(all).filter(isAboutUnits)
    const others = Object.fromEntries(Object.entries(all).filter(([fact]) => !isAboutUnits(fact)))
    expect(others).toEqual(lost)
    const [before] = whole.get(atOnce)!.facts.get(`${name} units`)!.split(',')
    expect(Number(before)).toBeGreaterThan(0)
    expect(all[`${name} units`]).toBe(`${before}, 0 stranded → ${before}, ${before} stranded`)
    const owners = one.world.state.tenants.onHost(9)
    const named = one.world.state.tenants.active.filter(({ id }) => owners.includes(id))
    expect(units.toSorted()).toEqual(
      [`${name} units`, ...named.map((owner) => `${owner.name} units`)].toSorted(),
    )
    expect(owners).toEqual(expect.arrayContaining(one.feelers()))
    expect(one.feelers().length).toBeGreaterThan(0)
  })

  test('minutes later they run elsewhere, no unit is missing, and no customer is affected', () => {
    const one = broken('HostFailure', { kind: 'Host', id: 10 })
    one.wait(noticed)
    const all = one.changes()
    const others = Object.fromEntries(Object.entries(all).filter(([fact]) => !isAboutUnits(fact)))
    expect(others).toEqual({ ...lost, 'incident 1': `none → HostUnreachable at ${name}, Minor` })
    const [before] = whole.get(noticed)!.facts.get(`${name} units`)!.split(',')
    expect(all[`${name} units`]).toBe(`${before}, 0 stranded → 0, 0 stranded`)
    const gained = Object.entries(all).filter(([fact]) => isAboutUnits(fact) && fact !== `${name} units`)
    const moved = gained.reduce((sum, [, change]) => {
      const [was, is] = change.split(' → ').map((text) => Number(text.split(',')[0]))
      expect(is).toBeGreaterThan(was)
      return sum + is - was
    }, 0)
    expect(moved).toBe(Number(before))
    expect(one.feelers()).toEqual([])
  })
})
