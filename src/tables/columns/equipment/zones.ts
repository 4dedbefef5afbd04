import type { ZoneRecord } from '../../../contract/collections.ts'
import { ZoneSchema } from '../../../contract/records/facility.ts'
import { nullable, num, oneOf, str } from '../../../contract/fields.ts'
import { isFalse, isKnown } from '../../../contract/records/unknown.ts'
import { counted, plain, rounded } from '../../../words/phrases.ts'
import { nameOfZone } from '../../../words/places.ts'
import { knownOr, plainWords } from '../../../words/vocabulary.ts'
import {
  amountOrNone,
  idColumn,
  percentOf,
  someText,
  stateColumns,
  sumOf,
  unknownState,
} from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { zoneFilter } from '../places.ts'
import { idText } from '../../engine/table-world.ts'
import { column, columnsOf, defineTable, each } from '../../engine/table.ts'

const statusSeverities: Readonly<Record<string, number>> = { Healthy: 0, Degraded: 2, Impaired: 3, Down: 4 }

/** A status that the contract does not know deserves attention. One that is not told follows from the hosts. */
export function zoneCondition({ status, host_count: hosts, hosts_online: online }: ZoneRecord): RowState {
  if (isKnown(status)) return { state: plainWords(status), severity: knownOr(statusSeverities, status, 1) }
  if (hosts > online)
    return { state: `${counted(hosts - online, 'host')} offline`, severity: online === 0 ? 4 : 2 }
  return hosts > 0 && hosts === online ? { state: 'all hosts online', severity: 0 } : unknownState
}

/** The problems of a zone, in words. */
export function zoneTroubles(zone: ZoneRecord): string {
  const dark = zone.power_feeds.filter(({ powered }) => isFalse(powered))
  const stopped = zone.cooling_units.filter(({ working }) => isFalse(working))
  const offline = zone.host_count - zone.hosts_online
  return [
    ...dark.map(({ feed }) => `power feed ${feed} has no voltage`),
    ...(isFalse(zone.power_redundant) && dark.length === 0
      ? ['one feed alone could not carry the load']
      : []),
    ...stopped.map(({ name }) => `${name} has stopped`),
    ...(['Normal', ''].includes(zone.cooling_state) ? [] : [`cooling: ${plainWords(zone.cooling_state)}`]),
    ...(offline > 0 ? [`${counted(offline, 'host')} offline`] : []),
    ...(isFalse(zone.bgp_advertising) ? ['no gateway announces routes'] : []),
    ...(zone.dropped_gbps > 0 ? [`drops ${rounded(Math.max(0.1, zone.dropped_gbps))} Gbit/s`] : []),
    ...(zone.stranded_unit_count > 0 ? [counted(zone.stranded_unit_count, 'stranded unit')] : []),
  ].join(', ')
}

const zone = columnsOf(ZoneSchema)

export const zones = defineTable<ZoneRecord>({
  name: 'zones',
  meaning: 'Availability zones in the order of their ids.',
  row: ['ZoneRow', 'An availability zone.'],
  worldParts: ['azs'],
  ...each(({ zones: all }) => all),
  filters: zoneFilter((zone: ZoneRecord) => zone),
  columns: {
    zone_id: column(idColumn('zone'), ({ id }) => idText(id)),
    zone: column(str('Name.'), nameOfZone),
    ...stateColumns(zoneCondition, 'How it is doing, in a word.'),
    trouble: column(nullable(str('What is wrong there, in words; empty if nothing is.')), (zone) =>
      someText(zoneTroubles(zone)),
    ),
    hosts: zone('host_count'),
    hosts_online: zone('hosts_online'),
    incidents: zone('active_incident_count'),
    power_pct: column(
      amountOrNone('Power drawn, of what the feeds with voltage deliver.', 'pct'),
      ({ power_draw_kw, power_capacity_kw, power_feeds: feeds }) =>
        percentOf(
          power_draw_kw,
          feeds.some(isDead) && !feeds.every(isDead)
            ? sumOf(
                feeds.filter((feed) => !isDead(feed)),
                ({ capacity_kw }) => capacity_kw,
              )
            : power_capacity_kw,
        ),
    ),
    cooling_pct: column(
      amountOrNone('Heat, of what the running cooling units take away.', 'pct'),
      ({ cooling_load_kw, cooling_capacity_kw }) => percentOf(cooling_load_kw, cooling_capacity_kw),
    ),
    inlet_celsius: zone('inlet_celsius'),
    cpu_used_pct: column(amountOrNone('CPU used.', 'pct'), ({ used_millivcpu, physical_vcpu }) =>
      percentOf(used_millivcpu / 1000, physical_vcpu),
    ),
    memory_allocated_pct: column(
      amountOrNone('Memory allocated.', 'pct'),
      ({ physical_mem_mb, free_mem_mb }) => percentOf(physical_mem_mb - free_mem_mb, physical_mem_mb),
    ),
    disk_allocated_pct: column(amountOrNone('Disk allocated.', 'pct'), ({ physical_ssd_gb, free_ssd_gb }) =>
      percentOf(physical_ssd_gb - free_ssd_gb, physical_ssd_gb),
    ),
    wan_pct: column(
      amountOrNone('Load of the WAN links in the fuller direction.', 'pct'),
      ({ wan_ingress_gbps, wan_egress_gbps, wan_capacity_gbps }) =>
        percentOf(Math.max(wan_ingress_gbps, wan_egress_gbps), wan_capacity_gbps),
    ),
    dropped_gbps: zone('dropped_gbps'),
  },
})

type Feed = ZoneRecord['power_feeds'][number]
type CoolingUnit = ZoneRecord['cooling_units'][number]

type FacilityUnit = { readonly zone: ZoneRecord } & (
  | { readonly kind: 'power feed'; readonly unit: Feed }
  | { readonly kind: 'cooling unit'; readonly unit: CoolingUnit }
)

const stateOf = (works: boolean | null, running: string, otherwise: RowState): RowState =>
  works === null ? unknownState : works ? { state: running, severity: 0 } : otherwise

const isDead = ({ powered }: Feed): boolean => isFalse(powered)

export function facilityCondition({ zone, kind, unit }: FacilityUnit): RowState {
  if (kind === 'power feed') {
    const others = zone.power_feeds.filter((feed) => feed !== unit)
    if (unit.powered && others.length > 0 && others.every(isDead))
      return { state: 'live, the other feed is dead', severity: 2 }
    return stateOf(unit.powered, 'live', { state: 'no voltage', severity: 4 })
  }
  return stateOf(unit.working, 'running', { state: 'stopped', severity: 3 })
}

export function lossOfFeed(zone: ZoneRecord, feed: Feed): string {
  if (isDead(feed)) return 'It has failed.'
  const left = sumOf(
    zone.power_feeds.filter((one) => one !== feed && !isDead(one)),
    ({ capacity_kw }) => capacity_kw,
  )
  if (left >= zone.power_draw_kw) return 'The other feed carries all.'
  if (left === 0)
    return zone.rack_count === 1
      ? 'The rack of the zone loses power.'
      : `All ${counted(zone.rack_count, 'rack')} of the zone lose power.`
  return `The other feed is overloaded: ${plain(left)} kW for ${plain(zone.power_draw_kw)} kW.`
}

/** The other units have their part of the zone's capacity, which outdoor heat lowers alike. */
export function lossOfCooling(zone: ZoneRecord, unit: CoolingUnit): string {
  const isStopped = isFalse(unit.working)
  const running = zone.cooling_units.filter(({ working }) => !isFalse(working))
  const others = running.filter((one) => one !== unit)
  const begin = isStopped ? 'It has stopped. ' : ''
  if (others.length === 0)
    return `${begin}No other unit runs${zone.cooling_load_kw > 0 ? ': the zone heats up' : ''}.`
  const rated = (units: readonly CoolingUnit[]): number => sumOf(units, ({ capacity_kw }) => capacity_kw)
  const left = (zone.cooling_capacity_kw * rated(others)) / rated(running)
  const short = Math.ceil(Math.round(100 * (zone.cooling_load_kw - left)) / 10) / 10
  const [units, are, take] = others.length === 1 ? ['unit', 'is', 'takes'] : ['units', 'are', 'take']
  const rest =
    short <= 0 ? `${take} the heat away.` : `${are} short of ${plain(short)} kW: the zone heats up.`
  return `${begin}The other ${units} ${rest}`
}

export const facility = defineTable<FacilityUnit, ZoneRecord>({
  name: 'facility',
  meaning: 'Power feeds and cooling units, zone by zone.',
  row: ['FacilityRow', 'A power feed or a cooling unit.'],
  worldParts: ['azs'],
  entities: ({ zones: all }) => all,
  itemsOf: (zone) => [
    ...zone.power_feeds.map((unit) => ({ zone, kind: 'power feed' as const, unit })),
    ...zone.cooling_units.map((unit) => ({ zone, kind: 'cooling unit' as const, unit })),
  ],
  filters: {
    ...zoneFilter(({ zone }: FacilityUnit) => zone),
    kind: { meaning: 'power feed or cooling unit.', values: ({ kind }) => [kind] },
  },
  columns: {
    unit_id: column(idColumn('feed or the unit'), ({ unit }) => idText(unit.id)),
    kind: column(oneOf(['power feed', 'cooling unit'], 'What it is.'), 'kind'),
    name: column(str('Name.'), ({ kind, unit }) => (kind === 'power feed' ? `Feed ${unit.feed}` : unit.name)),
    ...stateColumns(
      facilityCondition,
      'live, live while the other feed is dead, or no voltage; running or stopped.',
    ),
    load_kw: column(num('What it delivers or takes away.', 'kw'), ({ unit }) => unit.load_kw),
    capacity_kw: column(
      num('What it can deliver or take away.', 'kw'),
      ({ unit: { capacity_kw } }) => capacity_kw,
    ),
    load_pct: column(amountOrNone('Load.', 'pct'), ({ kind, unit }) =>
      kind === 'power feed' ? unit.load_pct : percentOf(unit.load_kw, unit.capacity_kw),
    ),
    condition_pct: column(
      amountOrNone('Condition of a cooling unit: 100 new, 0 worn out.', 'pct'),
      ({ kind, unit }) => (kind === 'power feed' ? null : unit.condition_pct),
    ),
    if_it_fails: column(str('What would follow if it failed now, as a sentence.'), ({ zone, kind, unit }) =>
      kind === 'power feed' ? lossOfFeed(zone, unit) : lossOfCooling(zone, unit),
    ),
    zone_id: column(idColumn('zone'), ({ zone }) => idText(zone.id)),
    zone: column(nullable(str('Name of the zone.')), ({ zone }) => nameOfZone(zone)),
  },
})
