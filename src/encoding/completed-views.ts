/**
 * Zones and pools as far as the records of devices tell: the specification leaves the fields of both open, so another
 * server's may lack those that people read first.
 */
import type {
  ApplianceRecord,
  Collections,
  GatewayRecord,
  HostPoolRecord,
  HostRecord,
  PatchPanelRecord,
  SwitchRecord,
  UnknownParts,
  ZoneRecord,
} from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { RackSchema, ZoneSchema } from '../contract/records/facility.ts'
import { HostPoolSchema } from '../contract/records/hosts.ts'
import { lengthOf, unknownList, unknownRecord } from '../contract/records/unknown.ts'

type Devices = Pick<Collections, 'hosts' | 'switches' | 'gateways' | 'appliances' | 'patchPanels'>
type Device = HostRecord | SwitchRecord | GatewayRecord | ApplianceRecord
type Mounted = Device | PatchPanelRecord

const defaultRackUnits = 42

const isNumber = (value: number): boolean => !Number.isNaN(value)

/** The sum over records, of those that have the value; NaN if none has. */
function sumOf<T>(records: readonly T[], read: (record: T) => number): number {
  const known = records.map(read).filter(isNumber)
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0)
}

/** The number of hosts that serve; NaN if one of them has no state. */
function onlineOf(hosts: readonly HostRecord[]): number {
  const states: readonly (boolean | null)[] = hosts.map(({ online }) => online)
  return states.includes(null) ? Number.NaN : states.filter(Boolean).length
}

/** The number of customers that they serve; NaN if one of them does not say it. */
function customersOf(hosts: readonly HostRecord[]): number {
  const served = hosts.map(({ served_customer_ids: ids }) => ids)
  return served.includes(unknownList) ? Number.NaN : new Set(served.flat().map(String)).size
}

const capacityOf = (hosts: readonly HostRecord[]) => ({
  physical_vcpu: sumOf(hosts, (host) => host.physical_vcpu),
  allocated_millivcpu: sumOf(hosts, (host) => host.allocated_millivcpu),
  used_millivcpu: sumOf(hosts, (host) => host.used_millivcpu),
  free_vcpu_milli: sumOf(hosts, (host) => host.free_vcpu_milli),
  physical_mem_mb: sumOf(hosts, (host) => host.physical_mem_mb),
  free_mem_mb: sumOf(hosts, (host) => host.free_mem_mb),
  physical_ssd_gb: sumOf(hosts, (host) => host.physical_ssd_gb),
  free_ssd_gb: sumOf(hosts, (host) => host.free_ssd_gb),
  vgpu_slices_total: sumOf(hosts, (host) => host.vgpu_slices_total),
  vgpu_slices_used: sumOf(hosts, (host) => host.vgpu_slices_used),
})

const figuresOf = (hosts: readonly HostRecord[]) => ({
  host_count: hosts.length,
  hosts_online: onlineOf(hosts),
  unit_count: sumOf(hosts, (host) => host.unit_count),
  stranded_unit_count: sumOf(hosts, (host) => host.stranded_unit_count),
  customer_count: customersOf(hosts),
  ...capacityOf(hosts),
})

/** A record with values for those of its fields that are unknown. */
function withKnown<R extends object>(record: R, values: Partial<R>): R {
  const missing = Object.entries(values).filter(([name]) => {
    const own = (record as Readonly<Record<string, unknown>>)[name]
    return own === null || own === '' || Number.isNaN(own) || own === unknownList
  })
  return missing.length === 0 ? record : { ...record, ...Object.fromEntries(missing) }
}

function rackOf(
  id: Int64,
  mounted: readonly Mounted[],
  hosts: readonly HostRecord[],
  areAllKnown: boolean,
): ZoneRecord['racks'][number] {
  const tops = mounted.map(({ start_u: start, u_size: size }) => Number(start) + size - 1).filter(isNumber)
  return {
    ...unknownRecord(RackSchema),
    id,
    name: `rack ${id}`,
    u_size: Math.max(defaultRackUnits, ...tops),
    used_u: areAllKnown ? sumOf(mounted, ({ u_size: size }) => size) : Number.NaN,
    host_count: hosts.length,
    hosts_online: onlineOf(hosts),
  }
}

/** The racks that devices stand in. */
function racksOf(
  mounted: readonly Mounted[],
  hosts: readonly HostRecord[],
  areAllKnown: boolean,
): ZoneRecord['racks'] {
  const hostsByRack = Map.groupBy(hosts, ({ rack_id: id }) => String(id))
  return Array.from(
    Map.groupBy(
      mounted.filter(({ rack_id: id }) => id !== null),
      ({ rack_id: id }) => String(id),
    ),
    ([key, own]) => rackOf(own[0].rack_id!, own, hostsByRack.get(key) ?? [], areAllKnown),
  ).toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const placed = ['hosts', 'switches', 'gateways', 'appliances'] as const

const idOfZone = ({ az_id: id }: Pick<Device, 'az_id'>): string => String(id)

/** Patch panels do not tell their zone: it is that of the other devices of their rack. */
function panelsByZone(panels: readonly PatchPanelRecord[], devices: readonly Device[]) {
  const zoneOfRack = new Map(devices.map((device) => [String(device.rack_id), idOfZone(device)]))
  return Map.groupBy(panels, ({ rack_id: id }) => zoneOfRack.get(String(id)) ?? '')
}

/** The zones of the list, or else those that devices name, with values that follow from their devices. */
function completedZones(zones: readonly ZoneRecord[], devices: Devices, unknown: UnknownParts): ZoneRecord[] {
  const { hosts, switches, gateways, appliances, patchPanels } = devices
  const all: readonly Device[] = [...hosts, ...switches, ...gateways, ...appliances]
  const byZone = Map.groupBy(all, idOfZone)
  const panels = panelsByZone(patchPanels, all)
  const of = <T extends Device>(list: readonly T[], id: Int64): readonly T[] =>
    list.filter((device) => idOfZone(device) === String(id))
  const isKnown = (name: (typeof placed)[number]): boolean =>
    unknown[name] === undefined && devices[name].every(({ az_id: id }) => id !== null)
  const [hasHosts, hasSwitches, hasGateways, hasAppliances] = placed.map(isKnown)
  const areAllKnown = placed.every(isKnown) && unknown.patchPanels === undefined
  const named = [...byZone.values()].flatMap(([{ az_id: id }]) =>
    id === null ? [] : [{ ...unknownRecord(ZoneSchema), id, name: `zone ${id}`, display_name: `zone ${id}` }],
  )
  return (zones.length > 0 ? zones : named).map((zone) => {
    const own = of(hosts, zone.id)
    const edge = of(gateways, zone.id)
    const mounted = [...(byZone.get(String(zone.id)) ?? []), ...(panels.get(String(zone.id)) ?? [])]
    const racks = racksOf(mounted, own, areAllKnown)
    return withKnown(zone, {
      racks,
      ...((areAllKnown || zone.racks.length > 0) && { rack_count: zone.racks.length || racks.length }),
      ...(hasHosts && figuresOf(own)),
      ...(hasSwitches && { switch_count: of(switches, zone.id).length }),
      ...(hasAppliances && { appliance_count: of(appliances, zone.id).length }),
      ...(hasGateways && {
        gateway_count: edge.length,
        wan_ingress_gbps: sumOf(edge, (gateway) => gateway.wan_ingress_gbps),
        wan_egress_gbps: sumOf(edge, (gateway) => gateway.wan_egress_gbps),
      }),
    })
  })
}

/** The pools of the list, or else those that hosts name, with values that follow from their hosts. */
function completedPools(pools: readonly HostPoolRecord[], hosts: readonly HostRecord[]): HostPoolRecord[] {
  const byPool = Map.groupBy(hosts, ({ pool_id: id }) => String(id))
  const named = [...byPool.values()].flatMap(([{ pool_id: id }]) =>
    id === null ? [] : [{ ...unknownRecord(HostPoolSchema), id, name: `pool ${id}` }],
  )
  return (pools.length > 0 ? pools : named).map((pool) => {
    const own = byPool.get(String(pool.id))
    if (own === undefined) return pool
    const figures = figuresOf(own)
    const percent = (part: number, whole: number): number => (whole > 0 ? (100 * part) / whole : Number.NaN)
    return withKnown(pool, {
      ...figures,
      host_ids: own.map(({ id }) => id),
      arch: own[0].arch,
      cpu_used_pct: percent(figures.used_millivcpu / 1000, figures.physical_vcpu),
      mem_allocated_pct: percent(figures.physical_mem_mb - figures.free_mem_mb, figures.physical_mem_mb),
      ssd_allocated_pct: percent(figures.physical_ssd_gb - figures.free_ssd_gb, figures.physical_ssd_gb),
    })
  })
}

/** Whether zones and pools tell what devices would, as those of the built-in world do. */
export const areComplete = (
  azs: readonly ZoneRecord[],
  hostPools: readonly HostPoolRecord[],
  hostCount: number,
): boolean =>
  (hostCount === 0 || (azs.length > 0 && hostPools.length > 0)) &&
  azs.every(({ racks, host_count: count }) => isNumber(lengthOf(racks)) && isNumber(count)) &&
  hostPools.every(({ host_count: count }) => isNumber(count))

/** The records of a world with completed zones and pools. */
export function completed(records: Collections, unknown: UnknownParts): Collections {
  if (areComplete(records.azs, records.hostPools, records.hosts.length)) return records
  return {
    ...records,
    azs: completedZones(records.azs, records, unknown),
    hostPools:
      unknown.hosts === undefined ? completedPools(records.hostPools, records.hosts) : records.hostPools,
  }
}
