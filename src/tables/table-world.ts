import type { CollectionName, HostRecord, IncidentRecord, ZoneRecord } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { messageText } from '../contract/messages/catalog.ts'
import type { deviceKinds } from '../contract/vocabularies.ts'
import { entityWords } from '../words/vocabulary.ts'
import type { FrameRecords, RecordIn } from './frame-records.ts'
import type { ReadHistory } from './history.ts'

type RackRecord = ZoneRecord['racks'][number]

/** A rack and the zone that it stands in. */
export interface PlacedRack {
  readonly rack: RackRecord
  readonly zone: ZoneRecord
}

const deviceCollections = {
  Gateway: 'gateways',
  Switch: 'switches',
  Appliance: 'appliances',
  PatchPanel: 'patchPanels',
  Host: 'hosts',
} as const satisfies Partial<Record<(typeof deviceKinds)[number], CollectionName>>

export type OwnDeviceKind = keyof typeof deviceCollections
export const ownDeviceKinds = Object.keys(deviceCollections) as OwnDeviceKind[]
const isOwnDevice = (kind: string): kind is OwnDeviceKind => Object.hasOwn(deviceCollections, kind)

export type DeviceRecord = RecordIn<(typeof deviceCollections)[OwnDeviceKind]>

/** An id as rows carry it, which keeps all digits in any program that reads them. */
export const idText = (id: Int64): string => String(id)
export const idOrNull = (id: Int64 | null | undefined): string | null =>
  id === null || id === undefined ? null : String(id)

/** Calls once, when its result is first asked for. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** One frame's records as tables ask for them: names of ids, and what belongs to what. */
export class TableWorld {
  readonly records: FrameRecords
  readonly history: ReadHistory
  readonly nowNs: bigint
  readonly #racks = lazily(() => {
    const racks = new Map<string, PlacedRack>()
    for (const zone of this.zones) for (const rack of zone.racks) racks.set(idText(rack.id), { rack, zone })
    return racks
  })
  readonly #hostsByCustomer = lazily(() => {
    const byCustomer = new Map<string, HostRecord[]>()
    for (const host of this.records.all('hosts')) {
      for (const id of host.served_customer_ids) {
        const known = byCustomer.get(idText(id))
        if (known === undefined) byCustomer.set(idText(id), [host])
        else known.push(host)
      }
    }
    return byCustomer
  })
  readonly #incidentsOf = lazily(() => this.#indexIncidents())

  constructor(records: FrameRecords, history: ReadHistory) {
    this.records = records
    this.history = history
    this.nowNs = records.frame.simTimeNs
  }

  get zones(): readonly ZoneRecord[] {
    return this.records.all('azs')
  }

  get racks(): readonly PlacedRack[] {
    return [...this.#racks().values()]
  }

  rack(id: Int64 | null): PlacedRack | undefined {
    return id === null ? undefined : this.#racks().get(idText(id))
  }

  rackName(id: Int64 | null): string | null {
    return this.rack(id)?.rack.name ?? null
  }

  zoneName(id: Int64 | null): string | null {
    const zone = this.records.get('azs', id)
    return zone === undefined ? null : nameOfZone(zone)
  }

  customerName(id: Int64 | null): string | null {
    if (id === null) return null
    return this.records.get('customers', id)?.name ?? gone('customer', id)
  }

  hostName(id: Int64 | null): string | null {
    if (id === null) return null
    return this.records.get('hosts', id)?.display_name_plain ?? gone('host', id)
  }

  poolName(id: Int64 | null): string | null {
    return this.records.get('hostPools', id)?.name ?? null
  }

  device(kind: string, id: Int64 | null): DeviceRecord | undefined {
    return isOwnDevice(kind) ? this.records.get(deviceCollections[kind], id) : undefined
  }

  devices(kind: OwnDeviceKind): readonly DeviceRecord[] {
    return this.records.all(deviceCollections[kind])
  }

  /** Patch panels have no name of their own. */
  nameOfDevice(device: DeviceRecord): string {
    if ('display_name_plain' in device) return device.display_name_plain
    const rack = this.rackName(device.rack_id)
    const unit = device.start_u === null ? '' : `, U${device.start_u}`
    return rack === null ? gone('patch panel', device.id) : `patch panel in ${rack}${unit}`
  }

  /** The two ends of a cable. */
  cableName(id: Int64): string {
    const cable = this.records.get('cables', id)
    if (cable === undefined) return gone('link', id)
    return [cable.a, cable.b].map((end) => this.#endName(end)).join(' – ')
  }

  #endName(end: RecordIn<'cables'>['a']): string {
    if (end === null) return 'nothing'
    const device = this.device(end.device_kind, end.device_id)
    if (device === undefined) return entityWords(end.device_kind)
    const port = device.ports.find(({ port_id }) => port_id === end.port_id)
    return port === undefined ? this.nameOfDevice(device) : `${this.nameOfDevice(device)} ${port.label}`
  }

  /** The name of a thing; null if there is no such thing, or no longer. */
  entityName(kind: string, id: Int64 | null): string | null {
    if (id === null) return null
    const device = this.device(kind, id)
    if (device !== undefined) return this.nameOfDevice(device)
    const { records } = this
    const names: Readonly<Record<string, () => string | null | undefined>> = {
      Zone: () => this.zoneName(id),
      Rack: () => this.#rackInZone(id),
      PowerFeed: () => this.#feedName(id),
      CoolingUnit: () =>
        this.zones.flatMap((zone) => zone.cooling_units).find((unit) => same(unit.id, id))?.name,
      Cable: () => (records.get('cables', id) === undefined ? null : this.cableName(id)),
      Pool: () => this.poolName(id),
      Segment: () => records.get('segments', id)?.name,
      Customer: () => records.get('customers', id)?.name,
      Prospect: () => records.get('prospects', id)?.name,
      Incident: () => `incident ${id}`,
      WorkOrder: () => records.get('workOrders', id)?.kind_label,
      Quest: () => this.#questTitle(id),
    }
    return (Object.hasOwn(names, kind) ? names[kind]() : null) ?? null
  }

  #questTitle(id: Int64): string | null {
    const quest = this.records.get('quests', id)
    return quest === undefined ? null : messageText(quest.title, quest.title_args)
  }

  #rackInZone(id: Int64): string | null {
    const placed = this.rack(id)
    return placed === undefined ? null : `${placed.rack.name} in ${nameOfZone(placed.zone)}`
  }

  #feedName(id: Int64): string | null {
    for (const zone of this.zones) {
      const feed = zone.power_feeds.find((one) => same(one.id, id))
      if (feed !== undefined) return `power feed ${feed.feed} of ${nameOfZone(zone)}`
    }
    return null
  }

  /** The hosts that carry units of a customer. */
  hostsOfCustomer(id: Int64): readonly HostRecord[] {
    return this.#hostsByCustomer().get(idText(id)) ?? []
  }

  /** Incidents that concern a thing: the active ones, the gravest first, then the resolved ones. */
  incidentsOf(kind: 'host' | 'customer' | 'rack', id: Int64): readonly IncidentRecord[] {
    return this.#incidentsOf().get(`${kind} ${id}`) ?? []
  }

  activeIncidentsOf(kind: 'host' | 'customer' | 'rack', id: Int64): readonly IncidentRecord[] {
    return this.incidentsOf(kind, id).filter(({ resolved_at_ns }) => resolved_at_ns === null)
  }

  #indexIncidents(): Map<string, IncidentRecord[]> {
    const index = new Map<string, IncidentRecord[]>()
    const add = (incident: IncidentRecord, key: string): void => {
      const known = index.get(key)
      if (known === undefined) index.set(key, [incident])
      else if (known.at(-1) !== incident) known.push(incident)
    }
    const { records } = this
    const all = [...records.all('incidents').toSorted(byGravity), ...records.all('resolvedIncidents')]
    for (const incident of all) {
      for (const id of incident.affected_host_ids) add(incident, `host ${id}`)
      for (const id of incident.affected_customer_ids) add(incident, `customer ${id}`)
      if (incident.symptom_customer_id !== null) add(incident, `customer ${incident.symptom_customer_id}`)
      if (incident.rack_id !== null) add(incident, `rack ${incident.rack_id}`)
    }
    return index
  }
}

const same = (one: Int64, other: Int64): boolean => BigInt(one) === BigInt(other)

export const nameOfZone = ({ display_name, name }: ZoneRecord): string =>
  display_name === '' ? name : display_name

/** Stands for the name of what has left the world. */
const gone = (what: string, id: Int64): string => `former ${what} ${id}`

const bandRanks: Readonly<Record<string, number>> = { Watch: 1, Minor: 2, Major: 3, Critical: 4 }

/** 1 Watch … 4 Critical. A band that the contract does not know counts as grave. */
export const bandRank = (band: string): number => (Object.hasOwn(bandRanks, band) ? bandRanks[band] : 3)

/** The gravest first, then the most expensive, then the oldest. */
export function byGravity(one: IncidentRecord, other: IncidentRecord): number {
  const bands = bandRank(other.band) - bandRank(one.band)
  if (bands !== 0) return bands
  const risk = other.revenue_at_risk_per_hour_dollars - one.revenue_at_risk_per_hour_dollars
  if (risk !== 0) return risk
  return Number(BigInt(one.started_at_ns) - BigInt(other.started_at_ns))
}
