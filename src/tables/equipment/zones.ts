import type { ZoneRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import { counted } from '../../words/phrases.ts'
import { plainWords } from '../../words/vocabulary.ts'
import { amount, amountOrNone, idColumn, percentOf, severityColumn, someText } from '../columns.ts'
import { zoneValues } from '../places.ts'
import { idText, nameOfZone } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'

const statusSeverities: Readonly<Record<string, number>> = { Healthy: 0, Degraded: 2, Impaired: 3, Down: 4 }

/** What is wrong in a zone, in words. */
function troubles(zone: ZoneRecord): string {
  const dark = zone.power_feeds.filter(({ powered }) => !powered)
  const stopped = zone.cooling_units.filter(({ working }) => !working)
  const offline = zone.host_count - zone.hosts_online
  return [
    ...dark.map(({ feed }) => `power feed ${feed} has no voltage`),
    ...(zone.power_redundant || dark.length > 0 ? [] : ['one feed alone could not carry the load']),
    ...stopped.map(({ name }) => `${name} has stopped`),
    ...(zone.cooling_state === 'Normal' ? [] : [`cooling is ${plainWords(zone.cooling_state)}`]),
    ...(offline > 0 ? [`${counted(offline, 'host')} offline`] : []),
    ...(zone.bgp_advertising ? [] : ['no gateway announces routes']),
    ...(zone.dropped_gbps > 0
      ? [`${Math.max(0.1, Math.round(10 * zone.dropped_gbps) / 10)} Gbit/s dropped`]
      : []),
    ...(zone.stranded_unit_count > 0 ? [counted(zone.stranded_unit_count, 'stranded unit')] : []),
  ].join(', ')
}

const zoneFilter = {
  zone: { meaning: 'Id or name of a zone.', values: (zone: ZoneRecord) => zoneValues(zone) },
}

const reads = ['azs'] as const

export const zones = defineTable({
  name: 'zones',
  meaning: 'Availability zones in the order of their ids.',
  row: defineRecord('ZoneRow', 'An availability zone.', {
    zone_id: idColumn('zone'),
    zone: str('Name.'),
    region: str('Name of its region.'),
    severity: severityColumn,
    state: str('How it is doing, in a word.'),
    trouble: nullable(str('What is wrong there, in words; empty if nothing is.')),
    health_pct: amountOrNone('100 when every device works and no link is full.', 'pct'),
    racks: int('Racks.'),
    hosts: int('Hosts.'),
    hosts_online: int('Hosts that serve.'),
    incidents: int('Active incidents with a device of the zone as symptom or suspect.'),
    customers: int('Customers with units there.'),
    units: int('Units placed there.'),
    stranded_units: int('Units on hosts there that cannot serve them.'),
    power_draw_kw: amount('Power drawn.', 'kw'),
    power_capacity_kw: amount('Power that both feeds deliver.', 'kw'),
    power_pct: amountOrNone('Power drawn, of what both feeds deliver.', 'pct'),
    power_redundant: bool('Whether one feed alone could carry the load, and both are live.'),
    pue: amount('Power drawn in all, of the power that devices draw.', 'none'),
    cooling: str('How cooling copes, in a word.'),
    cooling_pct: amountOrNone('Heat, of what the running cooling units take away.', 'pct'),
    inlet_celsius: amount('Mean temperature of the air at the racks.', 'celsius'),
    cpu_used_pct: amountOrNone('CPU used.', 'pct'),
    memory_allocated_pct: amountOrNone('Memory allocated.', 'pct'),
    disk_allocated_pct: amountOrNone('Disk allocated.', 'pct'),
    wan_in_gbps: amount('Traffic from upstream.', 'gbps'),
    wan_out_gbps: amount('Traffic to upstream.', 'gbps'),
    wan_capacity_gbps: amount('WAN links that are up, in each direction.', 'gbps'),
    wan_pct: amountOrNone('Load of the WAN links in the fuller direction.', 'pct'),
    dropped_gbps: amount('Traffic dropped.', 'gbps'),
    cost_dollars_per_month: amount('Running cost, facility included.', 'dollars_per_month'),
  }),
  reads,
  items: ({ zones: all }: TableWorld) => all,
  filters: zoneFilter,
  toRow: (zone) => ({
    zone_id: idText(zone.id),
    zone: nameOfZone(zone),
    region: zone.region_name,
    severity: statusSeverities[zone.status] ?? 1,
    state: plainWords(zone.status),
    trouble: someText(troubles(zone)),
    health_pct: percentOf(zone.health, 1),
    racks: zone.rack_count,
    hosts: zone.host_count,
    hosts_online: zone.hosts_online,
    incidents: zone.active_incident_count,
    customers: zone.customer_count,
    units: zone.unit_count,
    stranded_units: zone.stranded_unit_count,
    power_draw_kw: zone.power_draw_kw,
    power_capacity_kw: zone.power_capacity_kw,
    power_pct: percentOf(zone.power_draw_kw, zone.power_capacity_kw),
    power_redundant: zone.power_redundant,
    pue: zone.pue,
    cooling: plainWords(zone.cooling_state),
    cooling_pct: percentOf(zone.cooling_load_kw, zone.cooling_capacity_kw),
    inlet_celsius: zone.inlet_celsius,
    cpu_used_pct: percentOf(zone.used_millivcpu / 1000, zone.physical_vcpu),
    memory_allocated_pct: percentOf(zone.physical_mem_mb - zone.free_mem_mb, zone.physical_mem_mb),
    disk_allocated_pct: percentOf(zone.physical_ssd_gb - zone.free_ssd_gb, zone.physical_ssd_gb),
    wan_in_gbps: zone.wan_ingress_gbps,
    wan_out_gbps: zone.wan_egress_gbps,
    wan_capacity_gbps: zone.wan_capacity_gbps,
    wan_pct: percentOf(Math.max(zone.wan_ingress_gbps, zone.wan_egress_gbps), zone.wan_capacity_gbps),
    dropped_gbps: zone.dropped_gbps,
    cost_dollars_per_month: zone.monthly_cost_dollars,
  }),
})

interface FacilityUnit {
  readonly zone: ZoneRecord
  readonly row: {
    readonly unit_id: string
    readonly kind: 'power feed' | 'cooling unit'
    readonly name: string
    readonly severity: number
    readonly state: string
    readonly load_kw: number
    readonly capacity_kw: number
    readonly load_pct: number | null
    readonly condition_pct: number | null
    readonly if_it_fails: string
  }
}

function feedsOf(zone: ZoneRecord): FacilityUnit[] {
  return zone.power_feeds.map((feed) => ({
    zone,
    row: {
      unit_id: idText(feed.id),
      kind: 'power feed',
      name: `Feed ${feed.feed}`,
      severity: feed.powered ? 0 : 4,
      state: feed.powered ? 'live' : 'no voltage',
      load_kw: feed.load_kw,
      capacity_kw: feed.capacity_kw,
      load_pct: feed.load_pct,
      condition_pct: null,
      if_it_fails: lossOfFeed(zone, feed),
    },
  }))
}

function lossOfFeed(zone: ZoneRecord, feed: ZoneRecord['power_feeds'][number]): string {
  if (!feed.powered) return 'It has failed.'
  const others = zone.power_feeds.filter((one) => one !== feed && one.powered)
  const left = others.reduce((sum, { capacity_kw }) => sum + capacity_kw, 0)
  if (left >= zone.power_draw_kw) return 'The other feed carries the whole zone.'
  if (left === 0) return `All ${counted(zone.rack_count, 'rack')} of the zone lose power.`
  return `The other feed is overloaded: ${left} kW for ${zone.power_draw_kw} kW.`
}

function coolersOf(zone: ZoneRecord): FacilityUnit[] {
  return zone.cooling_units.map((unit) => {
    const left = zone.cooling_capacity_kw - (unit.working ? unit.capacity_kw : 0)
    const suffices = left >= zone.cooling_load_kw
    return {
      zone,
      row: {
        unit_id: idText(unit.id),
        kind: 'cooling unit',
        name: unit.name,
        severity: unit.working ? 0 : 3,
        state: unit.working ? 'running' : 'stopped',
        load_kw: unit.load_kw,
        capacity_kw: unit.capacity_kw,
        load_pct: percentOf(unit.load_kw, unit.capacity_kw),
        condition_pct: unit.condition_pct,
        if_it_fails: suffices
          ? 'The other units take the heat away.'
          : `The other units are short of ${Math.round(10 * (zone.cooling_load_kw - left)) / 10} kW: the zone heats up.`,
      },
    }
  })
}

export const facility = defineTable({
  name: 'facility',
  meaning: 'Power feeds and cooling units, zone by zone.',
  row: defineRecord('FacilityRow', 'A power feed or a cooling unit.', {
    unit_id: idColumn('feed or the unit'),
    kind: oneOf(['power feed', 'cooling unit'], 'What it is.'),
    name: str('Name.'),
    severity: severityColumn,
    state: str('live or no voltage; running or stopped.'),
    load_kw: amount('What it delivers or takes away.', 'kw'),
    capacity_kw: amount('What it can deliver or take away.', 'kw'),
    load_pct: amountOrNone('Load.', 'pct'),
    condition_pct: amountOrNone('Condition of a cooling unit: 100 new, 0 worn out.', 'pct'),
    if_it_fails: str('What would follow if it failed now, as a sentence.'),
    zone_id: idColumn('zone'),
    zone: nullable(str('Name of the zone.')),
  }),
  reads,
  items: ({ zones: all }: TableWorld): readonly FacilityUnit[] =>
    all.flatMap((zone) => [...feedsOf(zone), ...coolersOf(zone)]),
  filters: {
    zone: { meaning: 'Id or name of a zone.', values: ({ zone }) => zoneValues(zone) },
    kind: { meaning: 'power feed or cooling unit.', values: ({ row }) => [row.kind] },
  },
  toRow: ({ zone, row }) => ({ ...row, zone_id: idText(zone.id), zone: nameOfZone(zone) }),
})
