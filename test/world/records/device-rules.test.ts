import { describe, expect, test } from 'vitest'
import { createApplianceRecords } from '../../../src/world/records/equipment/appliances.ts'
import { createCableRecords } from '../../../src/world/records/equipment/cables.ts'
import { createGatewayRecords } from '../../../src/world/records/equipment/gateways.ts'
import { createPortRecords } from '../../../src/world/records/equipment/ports.ts'
import { createSwitchRecords } from '../../../src/world/records/equipment/switches.ts'
import { idOf } from '../../../src/world/simulation/topology/tables.ts'
import { createQuietWorld } from '../simulation/quiet-world.ts'

/** A world whose network devices have both feeds, no traffic and nothing broken, and functions for their records. */
function quietDevices() {
  const { state } = createQuietWorld(1n)
  const { network, facility } = state
  for (const part of [network, state.threats])
    for (const column of Object.values(part)) if (column instanceof Float64Array) column.fill(0)
  for (const feeds of [facility.switchFeeds, facility.gatewayFeeds, facility.applianceFeeds]) feeds.fill(2)
  facility.applianceUp.fill(1)
  network.gatewayAdvertising.fill(1)
  const ports = createPortRecords(state, () => {})
  const updated = <Record>({ records, update }: { records: Record[]; update: () => void }) => {
    update()
    return records
  }
  return {
    state,
    columns: { ...state.condition, ...facility, ...network } as unknown as Record<string, number[]>,
    switches: () => updated(createSwitchRecords(state, ports)),
    gateways: () => updated(createGatewayRecords(state, ports)),
    appliances: () => updated(createApplianceRecords(state, ports)),
  }
}

describe('the record of a gateway', () => {
  test.each<[string, Record<string, number>, object]>([
    [
      'in order',
      {},
      { inv_status: 'Installed', fabric_saturated: false, bgp_advertising: true, powered: true },
    ],
    ['that is broken', { gatewayBroken: 1 }, { inv_status: 'Failed' }],
    ['without power', { gatewayFeeds: 0 }, { powered: false, power_feeds: 0, inv_status: 'Installed' }],
    ['on one feed', { gatewayFeeds: 1 }, { powered: true, power_feeds: 1 }],
    ['that announces nothing', { gatewayAdvertising: 0 }, { bgp_advertising: false }],
    ['that drops what rounding leaves', { gatewayDroppedGbps: 1e-6 }, { fabric_saturated: false }],
    ['that drops traffic', { gatewayDroppedGbps: 1.1e-6 }, { fabric_saturated: true }],
    ['that passes 12.34567 Gbit/s', { gatewayFabricGbps: 12.345_67 }, { fabric_load_gbps: 12.3457 }],
    ['at a ceiling', { gatewayCeilingGbps: 7.123_45 }, { forwarding_ceiling_gbps: 7.1235 }],
    ['throttled by a tenth', { gatewayThrottle: 0.1 }, { addon_throttle: 0.1, addon_throttled: true }],
    ['throttled by less', { gatewayThrottle: 0.099 }, { addon_throttle: 0.099, addon_throttled: false }],
  ])('%s', (_, changes, expected) => {
    const { columns, gateways } = quietDevices()
    for (const [name, value] of Object.entries(changes)) columns[name][0] = value
    expect(gateways()[0]).toMatchObject(expected)
    expect(gateways()[1]).toMatchObject({ inv_status: 'Installed', fabric_saturated: false, powered: true })
  })

  test('tells traffic on its WAN ports from that on the others', () => {
    const { state, gateways } = quietDevices()
    const { gateways: table } = state.topology
    const first = table.firstPort[0]
    const lan = first + table.wanPorts[0]
    const end = first + table.portCount[0]
    state.network.portTxGbps.set([1, 2], first)
    state.network.portTxGbps[lan] = 4
    state.network.portTxGbps[end - 1] += 8
    state.network.portRxGbps[first] = 16
    state.network.portRxGbps[lan] = 32
    // The port after the last is that of another device.
    state.network.portTxGbps[end] = 100
    expect(gateways()[0]).toMatchObject({
      wan_egress_gbps: 3,
      lan_egress_gbps: 12,
      egress_gbps: 15,
      wan_ingress_gbps: 16,
      lan_ingress_gbps: 32,
      ingress_gbps: 48,
    })
  })
})

describe('the record of a port', () => {
  type Device = 'hosts' | 'switches' | 'gateways' | 'appliances'
  /** The first cabled port of the second device of a kind, beside which those of the first are changed. */
  test.each<[string, Device, Record<string, number>, object]>([
    ['with light', 'hosts', { portUp: 1 }, { link: 'Up', active: true, state: 'Connected' }],
    [
      'of a host without power',
      'hosts',
      { hostPowered: 0 },
      { link: 'Down', active: false, state: 'PowerOff' },
    ],
    ['of a host in maintenance', 'hosts', { hostMaintenance: 1 }, { state: 'Disabled' }],
    [
      'of a host without power in maintenance',
      'hosts',
      { hostPowered: 0, hostMaintenance: 1 },
      { state: 'PowerOff' },
    ],
    ['of a host', 'hosts', {}, { link: 'Down', active: false, state: 'NoLight' }],
    ['of a switch without power', 'switches', { switchFeeds: 0 }, { state: 'PowerOff' }],
    ['of a switch on one feed', 'switches', { switchFeeds: 1 }, { state: 'NoLight' }],
    ['of a gateway without power', 'gateways', { gatewayFeeds: 0 }, { state: 'PowerOff' }],
    ['of a gateway on one feed', 'gateways', { gatewayFeeds: 1 }, { state: 'NoLight' }],
    ['of an appliance without power', 'appliances', { applianceFeeds: 0 }, { state: 'PowerOff' }],
    ['of an appliance on one feed', 'appliances', { applianceFeeds: 1 }, { state: 'NoLight' }],
    [
      'that flaps',
      'hosts',
      { portUp: 1, portFlapping: 1 },
      { link: 'Flapping', active: true, state: 'Errored' },
    ],
    [
      'that flaps and is down',
      'hosts',
      { portFlapping: 1 },
      { link: 'Flapping', active: false, state: 'NoLight' },
    ],
    ['that loses frames', 'hosts', { portUp: 1, portLoss: 0.1 }, { link: 'Up', state: 'Errored' }],
    ['that counted', 'hosts', { portErrors: 2.5, portFlaps: 3.4 }, { error_count: 3, link_flaps: 3 }],
    [
      'that counted bytes',
      'hosts',
      { portTxBytes: 7.6, portRxBytes: 9 },
      { bytes_egress_total: 8, bytes_ingress_total: 9 },
    ],
  ])('%s', (_, device, changes, expected) => {
    const { state, columns } = quietDevices()
    const table = state.topology[device]
    const { hostPowered } = state.facility
    hostPowered.fill(1)
    const port = table.firstPort[1]
    const isOfPort = (name: string): boolean => name.startsWith('port')
    for (const [name, value] of Object.entries(changes)) columns[name][isOfPort(name) ? port : 1] = value
    const ports = createPortRecords(state, () => {})
    ports.update()
    expect(ports.listOf(port, 1)).toMatchObject([expected])
    const [other] = ports.listOf(table.firstPort[0], 1)
    expect([other.link, other.active, other.state, other.error_count]).toEqual(['Down', false, 'NoLight', 0])
  })

  test('flaps with the port at the other end of its cable', () => {
    const { state } = quietDevices()
    const port = state.topology.hosts.firstPort[1]
    state.condition.portFlapping[state.topology.ports.peer[port]] = 1
    const ports = createPortRecords(state, () => {})
    ports.update()
    expect(ports.listOf(port, 1)[0].link).toBe('Flapping')
  })

  test('without a cable is free, and keeps its counters', () => {
    const { state } = quietDevices()
    const { ports: table, switches } = state.topology
    const port = Array.from({ length: switches.portCount[0] }, (_, nth) => switches.firstPort[0] + nth).find(
      (one) => table.cable[one] === -1,
    )!
    const ports = createPortRecords(state, () => {})
    state.network.portTxBytes[port] = 5
    ports.update()
    state.network.portTxBytes[port] = 6
    ports.update()
    expect(ports.listOf(port, 1)).toMatchObject([
      {
        state: 'Free',
        cable_ids: [],
        cable_able: true,
        media: 'None',
        color: 'black',
        bytes_egress_total: 5,
      },
    ])
  })
})

describe('the record of a switch', () => {
  test.each<[string, Record<string, number>, object]>([
    [
      'in order',
      {},
      { indicator: 'Green', inv_status: 'Installed', saturated: false, broadcast_storm: false },
    ],
    ['that is broken', { switchBroken: 1 }, { indicator: 'Red', inv_status: 'Failed' }],
    ['without power', { switchFeeds: 0 }, { indicator: 'Off', powered: false, inv_status: 'Installed' }],
    ['on one feed', { switchFeeds: 1 }, { indicator: 'Amber', powered: true, power_feeds: 1 }],
    ['with a broken supply', { switchSupplyBroken: 1 }, { indicator: 'Amber' }],
    ['with all of its fabric', {}, { fabric_capacity_gbps: 60 }],
    [
      'with less of its fabric',
      { switchFabricLost: 0.59 },
      { indicator: 'Amber', fabric_capacity_gbps: 25, fabric_saturated: false },
    ],
    ['in a storm', { switchStorm: 1 }, { indicator: 'Amber', broadcast_storm: true }],
    ['whose fabric is full', { switchDroppedGbps: 0.1 }, { indicator: 'Amber', fabric_saturated: true }],
    ['whose fabric drops what rounding leaves', { switchDroppedGbps: 1e-6 }, { fabric_saturated: false }],
  ])('%s', (_, changes, expected) => {
    const { columns, switches } = quietDevices()
    for (const [name, value] of Object.entries(changes)) columns[name][2] = value
    expect(switches()[2]).toMatchObject(expected)
    expect(switches()[1]).toMatchObject({ indicator: 'Green', inv_status: 'Installed', powered: true })
  })

  test.each([
    ['its last port', 0, 2e-6, true],
    ['its last port, as rounding leaves it', 0, 1e-6, false],
    ['a port of the next device', 1, 1, false],
  ])('that drops traffic at %s', (_, fromLast, dropped, isSaturated) => {
    const { state, switches } = quietDevices()
    const { switches: table } = state.topology
    state.network.portDroppedGbps[table.firstPort[2] + table.portCount[2] - 1 + fromLast] = dropped
    expect(switches()[2].saturated).toBe(isSaturated)
  })

  test.each([
    [0.25, false],
    [0.3, true],
  ])('that sends 0.75 and drops %d Gbit/s at a port whose wire loses a quarter', (dropped, isSaturated) => {
    const { state, switches } = quietDevices()
    const port = state.topology.switches.firstPort[2]
    state.condition.portLoss[port] = 0.25
    state.network.portTxGbps[port] = 0.75
    state.network.portDroppedGbps[port] = dropped
    expect(switches()[2].saturated).toBe(isSaturated)
  })
})

describe('the record of an appliance', () => {
  test.each<[string, Record<string, number>, object]>([
    ['in order', {}, { indicator: 'Green', inv_status: 'Installed', inspection_state: 'Idle' }],
    ['at work', { applianceFabricGbps: 1.5 }, { inspection_state: 'Inspecting', fabric_load_gbps: 1.5 }],
    ['with what rounding leaves', { applianceFabricGbps: 1e-6 }, { inspection_state: 'Idle' }],
    ['that is full', { applianceDroppedGbps: 0.5 }, { indicator: 'Amber', inspection_state: 'Saturated' }],
    [
      'that refuses what it drops',
      { applianceDroppedGbps: 0.5, applianceRefusedGbps: 0.5 },
      { indicator: 'Green', fabric_saturated: false },
    ],
    ['with a wrong rule', { applianceMisrule: 0.1 }, { indicator: 'Amber', fabric_saturated: false }],
    ['that is broken', { applianceBroken: 1 }, { indicator: 'Red', inv_status: 'Failed' }],
    ['without power', { applianceFeeds: 0 }, { indicator: 'Off', powered: false }],
    ['on one feed', { applianceFeeds: 1 }, { indicator: 'Amber', powered: true, power_feeds: 1 }],
    // 750 bytes a packet.
    ['that drops 0.006 Gbit/s', { applianceDroppedGbps: 0.006 }, { dropped_per_sec: 1_000 }],
  ])('%s', (_, changes, expected) => {
    const { columns, appliances } = quietDevices()
    for (const [name, value] of Object.entries(changes)) columns[name][1] = value
    expect(appliances()[1]).toMatchObject(expected)
    expect(appliances()[2]).toMatchObject({ indicator: 'Green', inv_status: 'Installed', powered: true })
  })

  test('that is down is bypassed, unless it is a firewall', () => {
    const { state, appliances } = quietDevices()
    state.facility.applianceUp.fill(0)
    const states = appliances().map(
      ({ appliance_kind, inspection_state }) => `${appliance_kind} ${inspection_state}`,
    )
    expect([...new Set(states)].toSorted()).toEqual(
      'DdosScrubber Bypassed, Firewall Off, IntrusionPrevention Bypassed, LoadBalancer Bypassed'.split(', '),
    )
  })
})

test.each([
  // A host of two ports and one of four: the first half of its ports is on the left.
  [0, ['Left', 'Right']],
  [1, ['Left', 'Left', 'Right', 'Right']],
])('the cables of host row %i leave its rack on the sides %j', (row, expected) => {
  const { state } = quietDevices()
  const { firstPort, portCount } = state.topology.hosts
  const { records } = createCableRecords(state)
  const sides = Array.from({ length: portCount[row] }, (_, index) => {
    const cable = records.find(({ a }) => a?.port_id === idOf(firstPort[row] + index))
    return cable?.routing_side_a
  })
  expect(sides).toEqual(expected)
})

test('a cable has failed while it is cut', () => {
  const { state } = quietDevices()
  const { records, update } = createCableRecords(state)
  const failed = () => records.flatMap(({ id, is_failed }) => (is_failed ? [id] : []))
  state.condition.cableCut[3] = 1
  update()
  expect(failed()).toEqual([idOf(3)])
  state.condition.cableCut[3] = 0
  update()
  expect(failed()).toEqual([])
})
