/** The state and the severity of each kind of row, at each edge and beside it. */
import { describe, expect, test } from 'vitest'
import type {
  CustomerRecord,
  HostRecord,
  PortRecord,
  ProspectRecord,
  WorkOrderRecord,
  ZoneRecord,
} from '../../src/contract/collections.ts'
import {
  CustomerSchema,
  CustomerServiceSchema,
  ProspectSchema,
} from '../../src/contract/records/customers.ts'
import {
  CoolingUnitSchema,
  PowerFeedSchema,
  RackSchema,
  ZoneSchema,
} from '../../src/contract/records/facility.ts'
import { HostPoolSchema, HostSchema } from '../../src/contract/records/hosts.ts'
import {
  ApplianceSchema,
  CableSchema,
  GatewaySchema,
  SwitchSchema,
} from '../../src/contract/records/network.ts'
import { EngineEventSchema, WorkOrderSchema, WorkStepSchema } from '../../src/contract/records/operations.ts'
import { PortSchema, ThreatSchema } from '../../src/contract/records/shared.ts'
import type { RowState } from '../../src/tables/engine/columns.ts'
import { typeNameOf } from '../../src/tables/columns/equipment/device.ts'
import type { DescribedDevice } from '../../src/tables/columns/equipment/device.ts'
import {
  applianceCondition,
  deviceCondition,
  gatewayCondition,
  switchCondition,
} from '../../src/tables/columns/equipment/devices.ts'
import { hostCondition } from '../../src/tables/columns/equipment/hosts.ts'
import { links } from '../../src/tables/columns/equipment/links.ts'
import { linksSeverity, portCondition } from '../../src/tables/columns/equipment/ports.ts'
import { rackCondition } from '../../src/tables/columns/equipment/racks.ts'
import { defenseCondition } from '../../src/tables/columns/equipment/threats.ts'
import {
  facilityCondition,
  lossOfCooling,
  lossOfFeed,
  zoneCondition,
  zoneTroubles,
} from '../../src/tables/columns/equipment/zones.ts'
import { eventSeverity } from '../../src/tables/columns/operations/events.ts'
import { work, workSteps } from '../../src/tables/columns/operations/work.ts'
import { tables } from '../../src/tables/catalog.ts'
import { cellOf } from '../../src/tables/engine/table.ts'
import type { AnyTable } from '../../src/tables/engine/table.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { customerCondition } from '../../src/tables/columns/tenants/customers.ts'
import { poolCondition } from '../../src/tables/columns/tenants/pools.ts'
import { fitText, prospects } from '../../src/tables/columns/tenants/prospects.ts'
import { serviceCondition, services } from '../../src/tables/columns/tenants/services.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { bandRank } from '../../src/words/vocabulary.ts'

type Case<T> = readonly [given: Partial<T>, severity: number, state: string]

const conditionOf = ({ severity, state }: RowState) => [severity, state]

const secondNs = 1_000_000_000n
const cellAt = (seconds: number, table: AnyTable, name: string, item: unknown) =>
  cellOf(table, name, item, { nowNs: BigInt(seconds) * secondNs } as TableWorld)

const port = (given: Partial<PortRecord> = {}): PortRecord =>
  emptyRecord(PortSchema, {
    link: 'Up',
    state: 'Connected',
    link_capacity_gbps: 10,
    peer: null,
    media: 'Fiber',
    ...given,
  })

describe('a port', () => {
  test.each<Case<PortRecord>>([
    [{}, 0, 'up'],
    [{ gbps_tx: 8.9 }, 0, 'up'],
    [{ gbps_tx: 9 }, 2, 'nearly full'],
    [{ gbps_rx: 9 }, 2, 'nearly full'],
    [{ gbps_rx: 9.84 }, 2, 'nearly full'],
    [{ gbps_rx: 9.85 }, 3, 'full'],
    [{ link: 'Flapping', state: 'Errored' }, 3, 'flapping'],
    [{ link: 'Down' }, 3, 'down'],
    [{ link: 'Down', state: 'Free' }, 0, 'free'],
    [{ state: 'NoLight', gbps_tx: 9 }, 3, 'no light'],
    [{ state: 'NoLight', media: 'Dac' }, 3, 'no signal'],
    [{ state: 'Errored' }, 3, 'errors'],
    [{ state: 'PowerOff' }, 3, 'no power'],
    [{ state: 'Disabled', link: 'Down' }, 1, 'disabled'],
    [{ state: 'HalfOpen' as 'Free' }, 1, 'half open'],
    [{ link_capacity_gbps: 0, gbps_tx: 9 }, 0, 'up'],
  ])('with %j is of severity %i, %s', (given, ...said) => {
    expect(conditionOf(portCondition(port(given)))).toEqual(said)
  })
})

const busy = port({ gbps_tx: 9 })
const dark = port({ state: 'NoLight' })
const twoDark = [dark, dark]

describe('a host', () => {
  const visual = { ...emptyRecord(HostSchema).visual, status: 'Busy', fan: 'Low' } as HostRecord['visual']
  const host = (given: Partial<HostRecord>) =>
    emptyRecord(HostSchema, { online: true, powered: true, power_feeds: 2, visual, ...given })

  test.each<Case<HostRecord>>([
    [{}, 0, 'in order'],
    [{ online: false }, 4, 'down'],
    [{ online: false, powered: false }, 4, 'no power'],
    [{ online: false, inv_status: 'Maintenance' }, 2, 'under maintenance'],
    [{ visual: { ...visual, status: 'Overheating' }, contention_state: 'Starved' }, 3, 'overheating'],
    [{ contention_state: 'Starved', power_feeds: 1 }, 3, 'starved of CPU'],
    [{ power_feeds: 1, contention_state: 'Contended' }, 2, 'on one power feed'],
    [{ visual: { ...visual, fan: 'Failed', status: 'Hot' } }, 2, 'fan failed'],
    [{ visual: { ...visual, status: 'Hot' } }, 2, 'hot'],
    [{ contention_state: 'Contended', ports: [dark] }, 2, 'contended'],
    [{ contention_state: 'Light' }, 0, 'in order'],
    [{ ports: [port(), dark] }, 2, 'link trouble'],
    [{ ports: [port({ state: 'Errored' })] }, 2, 'link trouble'],
    [{ ports: [port({ state: 'Disabled' })] }, 0, 'in order'],
    [{ visual: { ...visual, status: 'Maintenance' } }, 1, 'under maintenance'],
  ])('with %j is of severity %i, %s', (given, ...said) => {
    expect(conditionOf(hostCondition(host(given)))).toEqual(said)
  })
})

/** Conditions that any switch, gateway or appliance may have. */
const anyDevice: readonly Case<ReturnType<typeof aSwitch>>[] = [
  [{}, 0, 'in order'],
  [{ inv_status: 'Failed', powered: false }, 4, 'down'],
  [{ powered: false, inv_status: 'Maintenance' }, 4, 'no power'],
  [{ inv_status: 'Maintenance', fabric_saturated: true }, 2, 'under maintenance'],
  [{ fabric_saturated: true, power_feeds: 1 }, 3, 'fabric full'],
  [{ ports: [dark, port()], power_feeds: 1 }, 2, '1 link in trouble'],
  [{ ports: twoDark }, 2, '2 links in trouble'],
  [{ ports: [busy] }, 0, 'in order'],
  [{ power_feeds: 1 }, 2, 'on one power feed'],
]

const atWork = { powered: true, power_feeds: 2, inv_status: 'Installed' as const }
const full = { fabric_saturated: true, fabric_capacity_gbps: 20 }
const aSwitch = (given: object) => emptyRecord(SwitchSchema, { ...atWork, indicator: 'Green', ...given })
const aGateway = (given: object) =>
  emptyRecord(GatewaySchema, { ...atWork, bgp_capable: true, bgp_advertising: true, ...given })
const anAppliance = (given: object) =>
  emptyRecord(ApplianceSchema, { ...atWork, indicator: 'Green', inspection_state: 'Idle', ...given })

describe('a switch', () => {
  test.each<Case<ReturnType<typeof aSwitch>>>([
    ...anyDevice,
    [{ indicator: 'Off', broadcast_storm: true }, 4, 'down'],
    [{ broadcast_storm: true, saturated: true }, 4, 'broadcast storm'],
    [{ saturated: true, power_feeds: 1 }, 3, 'a port is full'],
    [{ indicator: 'Amber' }, 2, 'needs attention'],
    [{ indicator: 'Amber', power_feeds: 1 }, 2, 'on one power feed'],
  ])('with %j is of severity %i, %s', (given, ...said) => {
    expect(conditionOf(switchCondition(aSwitch(given)))).toEqual(said)
  })
})

const threat = (given: object) => emptyRecord(ThreatSchema, { defense_capable: true, capacity: 10, ...given })

describe('a gateway', () => {
  test.each<Case<ReturnType<typeof aGateway>>>([
    ...(anyDevice as readonly Case<ReturnType<typeof aGateway>>[]),
    [{ bgp_advertising: false, threats: [threat({ residual: 1 })] }, 4, 'announces no routes'],
    [{ bgp_advertising: false, bgp_capable: false }, 0, 'in order'],
    [{ threats: [threat({ residual: 0 }), threat({ residual: 0.1 })] }, 3, 'attacks get past it'],
    [{ threats: [threat({ residual: 0 })] }, 0, 'in order'],
    [{ addon_throttled: true, power_feeds: 1 }, 3, 'slowed down by add-ons'],
    [{ ...full, addon_throttled: true, forwarding_ceiling_gbps: 4 }, 3, 'forwarding full'],
    [{ ...full, forwarding_ceiling_gbps: 19 }, 3, 'forwarding full'],
    [{ ...full, forwarding_ceiling_gbps: 20 }, 3, 'fabric full'],
  ])('with %j is of severity %i, %s', (given, ...said) => {
    expect(conditionOf(gatewayCondition(aGateway(given)))).toEqual(said)
  })
})

describe('an appliance', () => {
  test.each<Case<ReturnType<typeof anAppliance>>>([
    ...(anyDevice as readonly Case<ReturnType<typeof anAppliance>>[]),
    [{ indicator: 'Off', inspection_saturated: true }, 4, 'down'],
    [{ inspection_saturated: true, inspection_state: 'Bypassed' }, 3, 'inspection full'],
    [{ inspection_saturated: true, fabric_saturated: true }, 3, 'inspection full'],
    [{ inspection_state: 'Bypassed', power_feeds: 1 }, 2, 'bypassed'],
    [{ indicator: 'Amber' }, 2, 'needs attention'],
    [{ indicator: 'Amber', power_feeds: 1 }, 2, 'on one power feed'],
  ])('with %j is of severity %i, %s', (given, ...said) => {
    expect(conditionOf(applianceCondition(anAppliance(given)))).toEqual(said)
  })
})

test.each<[object, number, string]>([
  [{}, 0, 'quiet'],
  [{ defense_capable: false }, 0, 'no defense'],
  [{ reaching: 1, defense_capable: false, residual: 1 }, 1, 'passes on'],
  [{ reaching: 1 }, 1, 'passes on'],
  [{ reaching: 1, mitigated: 7.9 }, 1, 'stopping attacks'],
  [{ mitigated: 8 }, 3, 'nearly full'],
  [{ mitigated: 8, residual: 0.1 }, 4, 'attacks get past it'],
])('a defense with %j is of severity %i, %s', (given, ...said) => {
  const device = emptyRecord(GatewaySchema)
  expect(conditionOf(defenseCondition({ kind: 'gateway', device, threat: threat(given) }))).toEqual(said)
})

test.each<[object, number, string]>([
  [{}, 0, 'in order'],
  [{ power_feeds: 0, inlet_celsius: 40 }, 4, 'no power'],
  [{ inlet_celsius: 32 }, 4, 'too hot'],
  [{ inlet_celsius: 31.9 }, 2, 'hot'],
  [{ inlet_celsius: 27.1 }, 2, 'hot'],
  [{ inlet_celsius: 27 }, 0, 'in order'],
  [{ hosts_online: 0, power_feeds: 1 }, 4, 'all hosts offline'],
  [{ host_count: 0, hosts_online: 0 }, 0, 'in order'],
  [{ power_feeds: 1, hosts_online: 3 }, 3, 'on one power feed'],
  [{ hosts_online: 3, inlet_celsius: 30 }, 2, '1 host offline'],
  [{ hosts_online: 2 }, 2, '2 hosts offline'],
  [{ power_draw_kw: 8.4 }, 0, 'in order'],
  [{ power_draw_kw: 8.5 }, 2, 'power nearly full'],
])('a rack with %j is of severity %i, %s', (given, ...said) => {
  const atRest = { power_feeds: 2, host_count: 4, hosts_online: 4, inlet_celsius: 22, power_capacity_kw: 10 }
  const zone = emptyRecord(ZoneSchema)
  expect(
    conditionOf(rackCondition({ zone, rack: emptyRecord(RackSchema, { ...atRest, ...given }) })),
  ).toEqual(said)
})

test.each([
  [0, 2 ** 53 - 1, 2 ** 53 - 1],
  [0, 2 ** 53, null],
  [0, -(2 ** 62), null],
  [Number.NaN, 42, null],
])('of a rack with %d units in use of %d, %j are free', (used_u, u_size, free) => {
  const rack = emptyRecord(RackSchema, { used_u, u_size })
  expect(cellAt(0, tables.get('racks')!, 'free_u', { zone: emptyRecord(ZoneSchema), rack })).toBe(free)
})

test.each<[string, number, string]>([
  ['Healthy', 0, 'healthy'],
  ['Degraded', 2, 'degraded'],
  ['Impaired', 3, 'impaired'],
  ['Down', 4, 'down'],
  ['OnFire', 1, 'on fire'],
])('a zone that is %s is of severity %i, %s', (status, ...said) => {
  const zone = emptyRecord(ZoneSchema, { status: status as ZoneRecord['status'] })
  expect(conditionOf(zoneCondition(zone))).toEqual(said)
})

test.each<[readonly boolean[], number]>([
  [[true, true], 47.5],
  [[true, false], 95],
  [[false, false], 47.5],
])('of feeds with voltage %j, a draw of 95 kW is %d %%', (live, percent) => {
  const feeds = live.map((powered) => emptyRecord(PowerFeedSchema, { powered, capacity_kw: 100 }))
  const numbers = { power_draw_kw: 95, power_capacity_kw: 200, power_feeds: feeds }
  expect(cellAt(0, tables.get('zones')!, 'power_pct', emptyRecord(ZoneSchema, numbers))).toBe(percent)
})

test('a feed without voltage is critical, and a cooling unit that has stopped serious', () => {
  const zone = emptyRecord(ZoneSchema)
  const [live, dead] = [true, false].map((powered) => emptyRecord(PowerFeedSchema, { powered }))
  const feed = (unit: typeof live, power_feeds = [live, live]) =>
    conditionOf(facilityCondition({ zone: { ...zone, power_feeds }, kind: 'power feed', unit }))
  const cooler = (working: boolean) =>
    conditionOf(
      facilityCondition({ zone, kind: 'cooling unit', unit: emptyRecord(CoolingUnitSchema, { working }) }),
    )
  expect([feed(live), feed(dead), feed(live, [live, dead])]).toEqual([
    [0, 'live'],
    [4, 'no voltage'],
    [2, 'live, the other feed is dead'],
  ])
  expect([cooler(true), cooler(false)]).toEqual([
    [0, 'running'],
    [3, 'stopped'],
  ])
})

test.each<[working: readonly boolean[], heatKw: number, loss: string]>([
  [[true, true], 6, 'The other unit takes the heat away.'],
  [[true, true], 6.12, 'The other unit is short of 0.2 kW: the zone heats up.'],
  [[true, true, true], 12, 'The other units take the heat away.'],
  [[true, true, true], 14, 'The other units are short of 2 kW: the zone heats up.'],
  [[true, false], 6, 'No other unit runs: the zone heats up.'],
  [[true], 0, 'No other unit runs.'],
  [[false, true, false], 6, 'It has stopped. The other unit takes the heat away.'],
])('of cooling units of 6 kW that run: %j, with %d kW of heat, the first: %s', (running, heat, loss) => {
  const units = running.map((working) => emptyRecord(CoolingUnitSchema, { working, capacity_kw: 6 }))
  const cooling_capacity_kw = 6 * running.filter(Boolean).length
  const zone = emptyRecord(ZoneSchema, { cooling_units: units, cooling_load_kw: heat, cooling_capacity_kw })
  expect(lossOfCooling(zone, zone.cooling_units[0])).toBe(loss)
})

test.each([
  [true, true, 100, 'The other feed carries all.'],
  [true, true, 101, 'The other feed is overloaded: 100 kW for 101 kW.'],
  [true, false, 50, 'All 3 racks of the zone lose power.'],
  [false, true, 50, 'It has failed.'],
])('a feed with voltage: %s, the other: %s, and %i kW drawn: %s', (first, second, power_draw_kw, loss) => {
  const feeds = [first, second].map((powered) => emptyRecord(PowerFeedSchema, { powered, capacity_kw: 100 }))
  const zone = emptyRecord(ZoneSchema, { power_feeds: feeds, rack_count: 3, power_draw_kw })
  expect(lossOfFeed(zone, zone.power_feeds[0])).toBe(loss)
})

test('a zone of one rack names it alone', () => {
  const zone = emptyRecord(ZoneSchema, { rack_count: 1, power_draw_kw: 5 })
  expect(lossOfFeed(zone, emptyRecord(PowerFeedSchema, { powered: true }))).toBe(
    'The rack of the zone loses power.',
  )
})

/** Outdoor heat takes a tenth of the capacity of 6 kW of each unit. */
test.each<[readonly boolean[], number, string]>([
  [[true, true], 5.4, 'The other unit takes the heat away.'],
  [[true, true], 5.43, 'The other unit is short of 0.1 kW: the zone heats up.'],
  [[true, true, true], 10.8, 'The other units take the heat away.'],
  [[true, true, true], 12, 'The other units are short of 1.2 kW: the zone heats up.'],
  [[false, true], 5.4, 'It has stopped. The other unit takes the heat away.'],
  [[false, true], 6, 'It has stopped. The other unit is short of 0.6 kW: the zone heats up.'],
  [[true, false], 1, 'No other unit runs: the zone heats up.'],
  [[true], 1, 'No other unit runs: the zone heats up.'],
])('cooling units that run: %j, and %d kW of heat: %s', (running, cooling_load_kw, loss) => {
  const units = running.map((working) => emptyRecord(CoolingUnitSchema, { working, capacity_kw: 6 }))
  const cooling_capacity_kw = running.filter(Boolean).length * 5.4
  const zone = emptyRecord(ZoneSchema, { cooling_units: units, cooling_capacity_kw, cooling_load_kw })
  expect(lossOfCooling(zone, units[0])).toBe(loss)
})

test.each<[PortRecord[], number]>([
  [[port()], 0],
  [[port(), port({ state: 'Disabled' })], 0],
  [[port(), busy], 2],
  [[busy, dark, port()], 3],
  [[port({ link: 'Down' }), port({ link: 'Down' })], 4],
  [[port({ link: 'Down', state: 'Disabled' })], 0],
  [[port({ link: 'Down' }), port()], 3],
])('links of which %j are of severity %i', (ports, severity) => {
  expect(linksSeverity(ports)).toBe(severity)
})

test.each<[object, number, string]>([
  [{}, 0, 'in order'],
  [{ hosts_online: 0, contention_state: 'Starved' }, 4, 'all hosts offline'],
  [{ host_count: 0, hosts_online: 0 }, 0, 'in order'],
  [{ contention_state: 'Starved', stranded_unit_count: 1 }, 3, 'starved of CPU'],
  [{ stranded_unit_count: 1, contention_state: 'Contended' }, 3, 'stranded units'],
  [{ contention_state: 'Contended', hosts_online: 3 }, 2, 'contended'],
  [{ hosts_online: 3, mem_allocated_pct: 95 }, 2, 'hosts offline'],
  [{ allocated_millivcpu: 899, free_vcpu_milli: 101 }, 0, 'in order'],
  [{ allocated_millivcpu: 900, free_vcpu_milli: 100 }, 2, 'nearly full'],
  [{ mem_allocated_pct: 89.9, ssd_allocated_pct: 89.9 }, 0, 'in order'],
  [{ mem_allocated_pct: 90 }, 2, 'nearly full'],
  [{ ssd_allocated_pct: 90 }, 2, 'nearly full'],
])('a pool with %j is of severity %i, %s', (given, ...said) => {
  const pool = emptyRecord(HostPoolSchema, { host_count: 4, hosts_online: 4, ...given })
  expect(conditionOf(poolCondition(pool))).toEqual(said)
})

describe('a customer', () => {
  const [down, degraded, running] = (['down', 'degraded', 'running'] as const).map((state_tag) =>
    emptyRecord(CustomerServiceSchema, { state_tag }),
  )
  const customer = (given: Partial<CustomerRecord>) =>
    emptyRecord(CustomerSchema, { lifecycle: 'Active', rps: 1, sla_period_availability_frac: 1, ...given })
  const belowSla = { tier: 'Silver', sla_period_availability_frac: 0.9949 } as const

  test.each<Case<CustomerRecord>>([
    [{}, 0, 'in order'],
    [{ breached: true, services: [down] }, 4, 'breached'],
    [{ services: [down], under_attack: true }, 4, 'a service is down'],
    [{ services: [down], lifecycle: 'Onboarding' }, 1, 'onboarding'],
    [{ lifecycle: 'Leaving', under_attack: true }, 3, 'leaving'],
    [{ lifecycle: 'Probation' }, 3, 'about to leave'],
    [{ on_probation: true, in_latency_spike: true }, 3, 'about to leave'],
    [{ under_attack: true, failed_last_hour: 3600 }, 3, 'under attack'],
    [{ failed_last_hour: 36 }, 3, 'requests fail'],
    [{ failed_last_hour: 36, services: [degraded, running] }, 3, 'requests fail'],
    [{ failed_last_hour: 36, services: [running] }, 1, 'requests failed lately'],
    [{ failed_last_hour: 34, services: [degraded, running] }, 2, 'a service is degraded'],
    [{ failed_last_hour: 34 }, 0, 'in order'],
    [{ failed_last_hour: 36, rps: 0 }, 0, 'in order'],
    [{ stranded_unit_count: 1, in_latency_spike: true }, 3, 'stranded units'],
    [{ in_latency_spike: true, requirements_unmet_mask: 1 }, 2, 'slow'],
    [{ requirements_unmet_mask: 1, requested_total: 2 }, 2, 'a requirement is not met'],
    [{ requested_total: 2, provisioned_total: 1 }, 2, 'units missing'],
    [{ requested_total: 2, provisioned_total: 2 }, 0, 'in order'],
    [{ lifecycle: 'Pending' }, 1, 'signed, not started'],
    [belowSla, 2, 'below its SLA this period'],
    [{ ...belowSla, failed_last_hour: 36, services: [running] }, 2, 'below its SLA this period'],
    [{ ...belowSla, sla_period_availability_frac: 0.995 }, 0, 'in order'],
    [{ ...belowSla, requested_total: 2, provisioned_total: 1 }, 2, 'units missing'],
  ])('with %j is of severity %i, %s', (given, ...said) => {
    expect(conditionOf(customerCondition(customer(given)))).toEqual(said)
  })
})

test.each<[string, number]>([
  ['running', 0],
  ['placing', 1],
  ['degraded', 2],
  ['partial', 2],
  ['down', 4],
  ['resting', 1],
])('a service that is %s is of severity %i', (state, severity) => {
  const service = emptyRecord(CustomerServiceSchema, { state_tag: state as 'down' })
  expect(conditionOf(serviceCondition({ service }))).toEqual([severity, state])
})

test.each([
  ['pool General x86', 12.345, 'vcpu', 'pool General x86: 12.35 vCPU short'],
  ['pool General x86', 0.5, 'gb', 'pool General x86: 0.5 GB of disk short'],
  ['', 2, 'zones', '2 zones short'],
  ['pool General x86', 0, 'vcpu', 'pool General x86: none that fits'],
  ['', 0, 'hosts', 'none that fits'],
])('a service for which "%s" lacks %d %s lacks: %s', (subject, shortfall, unit, expected) => {
  const placement = { subject, shortfall, unit }
  const service = { ...emptyRecord(CustomerServiceSchema, {}), placement }
  expect(cellAt(0, services, 'lacking', { customer: emptyRecord(CustomerSchema, {}), service })).toBe(
    expected,
  )
})

test.each<[string, number]>([
  ['Info', 1],
  ['Warning', 2],
  ['Error', 3],
  ['Critical', 4],
  ['Whisper', 0],
])('an event of level %s is of severity %i', (severity, expected) => {
  expect(eventSeverity(emptyRecord(EngineEventSchema, { severity: severity as 'Info' }))).toBe(expected)
})

test.each<[string, number]>([
  ['Watch', 1],
  ['Minor', 2],
  ['Major', 3],
  ['Critical', 4],
  ['Apocalyptic', 3],
  ['constructor', 3],
])('an incident of band %s is of severity %i', (band, expected) => {
  expect(bandRank(band)).toBe(expected)
})

test.each<[ports: PortRecord[], cable: object, number, string]>([
  [[port(), port()], {}, 0, 'up'],
  [[], {}, 0, 'up'],
  [[dark], { is_failed: true, dangling_end: 'A' }, 4, 'cut'],
  [[dark], { dangling_end: 'A' }, 1, 'not plugged in'],
  [[port(), busy], {}, 2, 'nearly full'],
  [[busy, port({ link: 'Down' })], {}, 3, 'down'],
  [[dark, port({ link: 'Down' })], {}, 3, 'no light'],
])('a link with ports %j and a cable with %j is of severity %i, %s', ([a, b], given, ...said) => {
  const link = { cable: emptyRecord(CableSchema, given), a: { port: a }, b: { port: b } }
  expect([cellAt(0, links, 'severity', link), cellAt(0, links, 'state', link)]).toEqual(said)
})

test.each<Case<WorkOrderRecord>>([
  [{}, 0, 'ordered'],
  [{ resolved_at_ns: 1n, kind_label: 'Restart h1, called off' }, 0, 'called off'],
  [{ started_at_ns: 0n }, 0, 'under way'],
  [{ blocking: 'NoSpare' }, 2, 'waiting'],
  [{ blocking: 'WaitingForAccess', started_at_ns: 0n }, 2, 'waiting'],
  [{ blocking: 'NoSpare', started_at_ns: 0n, resolved_at_ns: 0n }, 0, 'done'],
])('a work order with %o is of severity %i, %s', (given, ...said) => {
  const order = emptyRecord(WorkOrderSchema, given)
  expect([cellAt(0, work, 'severity', order), cellAt(0, work, 'state', order)]).toEqual(said)
})

describe('of a work order', () => {
  const minuteNs = 60n * secondNs
  const estimated = { estimated_duration_ns: minuteNs }
  const done = { ...estimated, started_at_ns: 0n, completed_at_ns: minuteNs }
  const begun = { ...estimated, started_at_ns: minuteNs }

  const calledOff = { kind_label: 'Restart h1, called off', resolved_at_ns: minuteNs }

  test.each([
    [estimated, {}, 'to do'],
    [begun, {}, 'under way'],
    [done, {}, 'done'],
    [done, { resolved_at_ns: minuteNs }, 'done'],
    [done, calledOff, 'called off'],
    [done, { ...calledOff, resolved_at_ns: 2n * minuteNs }, 'done'],
  ])('a step with %o of an order with %o is %s', (given, of, state) => {
    const order = emptyRecord(WorkOrderSchema, of)
    expect(cellAt(0, workSteps, 'state', { order, step: emptyRecord(WorkStepSchema, given) })).toBe(state)
  })
})

describe('a prospect', () => {
  const hourNs = 3600n * secondNs
  test.each([
    [-hourNs, 3],
    [2n * hourNs, 3],
    [2n * hourNs + secondNs, 2],
    [6n * hourNs, 2],
    [6n * hourNs + secondNs, 0],
  ])('that leaves in %d ns is of severity %i', (expires_at_ns, severity) => {
    expect(cellAt(0, prospects, 'severity', emptyRecord(ProspectSchema, { expires_at_ns }))).toBe(severity)
  })

  test.each<[Partial<ProspectRecord>, string]>([
    [{ fit_recommendation: 'AcceptWithCare' }, 'Not all of it can be placed now.'],
    [{ requires_uncontended: true }, 'No host is free of contention.'],
    [{ requires_uncontended: true, uncontended_hosts_available: 1 }, 'Not all of it can be placed now.'],
    [{ fit_oversubscribed: true, requires_uncontended: true }, 'CPU would pass the overcommit target.'],
    [{ fit_over_capacity: true, fit_oversubscribed: true }, 'Part of it does not fit on any host.'],
    [{ fit_can_serve_now: true, fit_over_capacity: true }, 'All of it can be placed now.'],
    [
      { fit_can_serve_now: true, fit_recommendation: 'AcceptWithCare' },
      'All of it can be placed now, with part of the reserve.',
    ],
    [{ fit_can_serve_now: true, fit_recommendation: 'AddCapacity' }, 'It would leave too little in reserve.'],
    [{ fit_can_serve_now: true, fit_recommendation: 'Perhaps' as 'Decline' }, 'All of it can be placed now.'],
  ])('with %j says: %s', (given, text) => {
    expect(fitText(emptyRecord(ProspectSchema, given))).toBe(text)
  })
})

test('tables whose rows have a severity are listed here, once its edges have cases above or in a test of their own', () => {
  const graded = [...tables.values()].filter(({ row }) => 'severity' in row.fields).map(({ name }) => name)
  const listed = [
    'world incidents incident-groups incident work events days tasks calendar',
    'zones facility racks rack hosts host',
    'switches gateways appliances device threats ports links',
    'pools customers customer services prospects',
  ].flatMap((names) => names.split(' '))
  expect(graded.toSorted()).toEqual(listed.toSorted())
})

test.each<[string, object]>([
  ['', {}],
  ['one feed alone could not carry the load', { power_redundant: false }],
  [
    'power feed B has no voltage',
    {
      power_redundant: false,
      power_feeds: [
        { feed: 'A', powered: true },
        { feed: 'B', powered: false },
      ],
    },
  ],
  [
    'crac2 has stopped',
    {
      cooling_units: [
        { name: 'crac1', working: true },
        { name: 'crac2', working: false },
      ],
    },
  ],
  ['cooling: strained', { cooling_state: 'Strained' }],
  ['1 host offline', { hosts_online: 11 }],
  ['no gateway announces routes', { bgp_advertising: false }],
  ['drops 0.1 Gbit/s', { dropped_gbps: 0.01 }],
  ['drops 2.5 Gbit/s, 3 stranded units', { dropped_gbps: 2.5, stranded_unit_count: 3 }],
])('the trouble of a zone is "%s" with %j', (trouble, changes) => {
  const healthy = {
    power_feeds: [],
    power_redundant: true,
    cooling_units: [],
    cooling_state: 'Normal',
    host_count: 12,
    hosts_online: 12,
    bgp_advertising: true,
    dropped_gbps: 0,
    stranded_unit_count: 0,
  }
  expect(zoneTroubles({ ...healthy, ...changes } as never)).toBe(trouble)
})

test('a device is judged and called by its kind', () => {
  const devices: readonly DescribedDevice[] = [
    { kind: 'Gateway', device: aGateway({ bgp_advertising: false }) },
    { kind: 'Switch', device: aSwitch({ broadcast_storm: true, role: 'core' }) },
    { kind: 'Appliance', device: anAppliance({ inspection_state: 'Bypassed', appliance_kind: 'Firewall' }) },
  ]
  expect(devices.map((one) => `${typeNameOf(one)}: ${deviceCondition(one.device).state}`)).toEqual([
    'gateway: announces no routes',
    'core switch: broadcast storm',
    'firewall: bypassed',
  ])
})
