import { nameOfZone } from '../../words/places.ts'
import type {
  CollectionName,
  DiagnosticsRecord,
  HostRecord,
  IncidentRecord,
  ZoneRecord,
} from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { messageText } from '../../contract/messages/catalog.ts'
import type { deviceKinds } from '../../contract/vocabularies.ts'
import { momentOrder } from '../../words/moments.ts'
import { bandRank, entityWords } from '../../words/vocabulary.ts'
import type { RecordIn, Records } from './frame-records.ts'
import { once } from './once.ts'
import type { ArchiveAccess } from './archive-range.ts'

type RackRecord = ZoneRecord['racks'][number]

/** A rack with its zone. */
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
export const deviceParts = ['hosts', 'switches', 'gateways', 'appliances', 'patchPanels'] as const
export const ownDeviceKinds = Object.keys(deviceCollections) as OwnDeviceKind[]
const isOwnDevice = (kind: string): kind is OwnDeviceKind => Object.hasOwn(deviceCollections, kind)

export type DeviceRecord = RecordIn<(typeof deviceCollections)[OwnDeviceKind]>

/** An id as text, so that any program keeps all of its digits. */
export function idText(id: Int64): string {
  if (id === null) throw new RangeError('The record has no id.')
  return String(id)
}
export const idOrNull = (id: Int64 | null | undefined): string | null =>
  id === null || id === undefined ? null : String(id)

/** A value derived from all records. */
type Derivation<T> = (world: TableWorld) => T

/** Records with the lookups that tables need: names by id, and relations between records. */
export class TableWorld {
  readonly records: Records
  /** Null without an archive. */
  readonly archive: ArchiveAccess | null
  readonly nowNs: bigint
  readonly #derived = new Map<Derivation<unknown>, () => unknown>()

  constructor(records: Records, archive: ArchiveAccess | null = null) {
    this.archive = archive
    this.records = records
    this.nowNs = records.nowNs
  }

  /** The value of a derivation, made once for all tables. */
  derived<T>(derivation: Derivation<T>): T {
    const known = this.#derived.get(derivation) ?? once(() => derivation(this))
    this.#derived.set(derivation, known)
    return known() as T
  }

  get simulation(): DiagnosticsRecord['simulation'] {
    return this.records.diagnostics.simulation
  }

  get zones(): readonly ZoneRecord[] {
    return this.records.all('azs')
  }

  get racks(): readonly PlacedRack[] {
    return [...this.derived(racksById).values()]
  }

  rack(id: Int64 | null): PlacedRack | undefined {
    return id === null ? undefined : this.derived(racksById).get(String(id))
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

  customerNames(ids: readonly Int64[]): string[] {
    return ids.map((id) => this.customerName(id)).filter((name) => name !== null)
  }

  hostNames(ids: readonly Int64[]): string[] {
    return ids.map((id) => this.hostName(id)).filter((name) => name !== null)
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
    const unit = Number.isInteger(device.start_u) ? `, U${device.start_u}` : ''
    return rack === null ? gone('patch panel', device.id) : `patch panel in ${rack}${unit}`
  }

  /** The names of a cable's two ends. */
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

  /** The name of an entity; null if it does not exist, or no longer. */
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
        this.zoneOfUnit(kind, id)?.cooling_units.find((unit) => String(unit.id) === String(id))?.name,
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
    const zone = this.zoneOfUnit('PowerFeed', id)
    const feed = zone?.power_feeds.find((one) => String(one.id) === String(id))
    return zone === undefined ? null : `power feed ${feed?.feed} of ${nameOfZone(zone)}`
  }

  /** The zone with a feed or a cooling unit. */
  zoneOfUnit(kind: string, id: Int64): ZoneRecord | undefined {
    return this.zones.find(({ power_feeds: feeds, cooling_units: units }) => {
      const own = kind === 'PowerFeed' ? feeds : kind === 'CoolingUnit' ? units : []
      return own.some((unit) => String(unit.id) === String(id))
    })
  }

  /** An incident, active or resolved. */
  incident(id: Int64 | null): IncidentRecord | undefined {
    return this.records.get('incidents', id) ?? this.records.get('resolvedIncidents', id)
  }

  /** The hosts with units of a customer. */
  hostsOfCustomer(id: Int64): readonly HostRecord[] {
    return this.derived(hostsByCustomer).get(String(id)) ?? []
  }

  /** Incidents that concern an entity: the active ones, the gravest first, then the resolved ones. */
  incidentsOf(kind: 'host' | 'customer' | 'rack', id: Int64): readonly IncidentRecord[] {
    return this.derived(incidentsByEntity).get(`${kind} ${id}`) ?? []
  }

  activeIncidentsOf(kind: 'host' | 'customer' | 'rack', id: Int64): readonly IncidentRecord[] {
    return this.incidentsOf(kind, id).filter(({ resolved_at_ns }) => resolved_at_ns === null)
  }
}

function racksById({ records }: TableWorld): ReadonlyMap<string, PlacedRack> {
  const racks = new Map<string, PlacedRack>()
  for (const zone of records.all('azs'))
    for (const rack of zone.racks) racks.set(String(rack.id), { rack, zone })
  return racks
}

function hostsByCustomer({ records }: TableWorld): ReadonlyMap<string, readonly HostRecord[]> {
  const byCustomer = new Map<string, HostRecord[]>()
  for (const host of records.all('hosts'))
    for (const id of host.served_customer_ids) addTo(byCustomer, String(id), host)
  return byCustomer
}

function incidentsByEntity({ records }: TableWorld): ReadonlyMap<string, readonly IncidentRecord[]> {
  const index = new Map<string, IncidentRecord[]>()
  for (const incident of [
    ...records.all('incidents').toSorted(byGravity),
    ...records.all('resolvedIncidents'),
  ]) {
    const {
      affected_host_ids: hosts,
      affected_customer_ids: customers,
      symptom_customer_id: named,
    } = incident
    for (const id of new Set(hosts.map(String))) addTo(index, `host ${id}`, incident)
    for (const id of new Set([...customers, named].map(String))) addTo(index, `customer ${id}`, incident)
    addTo(index, `rack ${incident.rack_id}`, incident)
  }
  return index
}

export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}

/** The name of an entity that no longer exists. */
const gone = (noun: string, id: Int64): string => `former ${noun} ${id}`

/** The gravest first, then the most expensive, then the oldest. */
export const byGravity = (one: IncidentRecord, other: IncidentRecord): number =>
  bandRank(other.band) - bandRank(one.band) ||
  other.revenue_at_risk_per_hour_dollars - one.revenue_at_risk_per_hour_dollars ||
  momentOrder(one.started_at_ns, other.started_at_ns)
