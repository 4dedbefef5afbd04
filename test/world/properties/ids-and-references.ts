import { faultActions } from '../../../src/world/simulation/faults/kinds.ts'
import type { Collections, IncidentRecord, Snapshot } from '../../../src/contract/collections.ts'
import type { Int64 } from '../../../src/contract/fields.ts'
import type { RootKind } from '../../../src/contract/vocabularies.ts'
import type { Check, CheckedWorld } from './checked-world.ts'

/** Invariant 1: every id named by a record exists or once existed; ids ascend, and are never reused. */

type Kind =
  | 'Zone'
  | 'Region'
  | 'Rack'
  | 'PowerFeed'
  | 'CoolingUnit'
  | 'Host'
  | 'Switch'
  | 'Gateway'
  | 'Appliance'
  | 'PatchPanel'
  | 'Port'
  | 'Cable'
  | 'Pool'
  | 'Segment'
  | 'Subnet'
  | 'Customer'
  | 'Prospect'
  | 'Incident'
  | 'WorkOrder'
  | 'Quest'
  | 'Staff'
type Known = Readonly<Record<Kind, ReadonlySet<number>>>

/** Possible targets of kinds that no scenario brings about. */
const shortageTargets: Readonly<Partial<Record<RootKind, readonly Kind[]>>> = {
  Unknown: [],
  LinkSaturation: ['Cable'],
  FabricSaturation: ['Switch', 'Gateway', 'Appliance'],
  CapacityExhaustion: ['Pool'],
  HostDrained: ['Host'],
}
const targetsOf = (kind: RootKind): readonly Kind[] =>
  shortageTargets[kind] ?? faultActions[kind as keyof typeof faultActions].targets

export function watchIdsAndReferences(): Check {
  const highest = new Map<string, number>()
  const ids = watchIds(highest)
  return (look) => [...ids(look), ...referenceViolations(look, highest)]
}

/** Records the highest id of each collection, for other checks, and the identity of each record at the last check. */
function watchIds(highest: Map<string, number>): Check {
  const names = new Map<string, Map<number, string>>()
  return ({ snapshot }) => {
    const wrong: string[] = []
    for (const [name, records] of Object.entries(snapshot.collections)) {
      const present = new Map<number, string>()
      const before = names.get(name)
      // An incident moves from one collection to another.
      const most = name === 'resolvedIncidents' ? Infinity : (highest.get(name) ?? Infinity)
      let last = -1
      for (const record of records) {
        const id = Number(record.id)
        const called = nameOf(record)
        if (id <= last) wrong.push(`${name} ${id} comes after ${last}`)
        if (before !== undefined && !before.has(id) && id <= most && most !== Infinity) {
          wrong.push(`${name} ${id} is new, but ids up to ${most} were used before`)
        }
        const once = before?.get(id)
        if (once !== undefined && once !== called) wrong.push(`${name} ${id} was ${once} and is ${called}`)
        present.set(id, called)
        last = id
      }
      names.set(name, present)
      highest.set(name, Math.max(highest.get(name) ?? 0, last))
    }
    const resolved = new Set(snapshot.collections.resolvedIncidents.map(({ id }) => Number(id)))
    for (const { id } of snapshot.collections.incidents) {
      if (resolved.has(Number(id))) wrong.push(`incident ${id} is both active and resolved`)
    }
    return wrong
  }
}

function nameOf(record: object): string {
  // An upgrade may change the medium of a link, but not its ends.
  if ('from_host' in record && 'to_switch' in record)
    return `${String(record.from_host)}–${String(record.to_switch)}`
  for (const field of [
    'name',
    'display_name_plain',
    'title',
    'sku_name',
    'kind',
    // For incidents, whose title may change.
    'started_at_ns',
  ] as const) {
    if (field in record) return String((record as Record<string, string | bigint>)[field])
  }
  return ''
}

const idSet = (records: readonly { readonly id: Int64 }[]): Set<number> =>
  new Set(records.map(({ id }) => Number(id)))

function knownIn({ collections, diagnostics }: Snapshot): Known {
  const { azs, hosts, switches, gateways, appliances, patchPanels } = collections
  const ported = [hosts, switches, gateways, appliances, patchPanels].flat()
  return {
    Zone: idSet(azs),
    Region: new Set(azs.map(({ region_id }) => Number(region_id))),
    Rack: idSet(azs.flatMap(({ racks }) => racks)),
    PowerFeed: idSet(azs.flatMap(({ power_feeds }) => power_feeds)),
    CoolingUnit: idSet(azs.flatMap(({ cooling_units }) => cooling_units)),
    Host: idSet(hosts),
    Switch: idSet(switches),
    Gateway: idSet(gateways),
    Appliance: idSet(appliances),
    PatchPanel: idSet(patchPanels),
    Port: new Set(ported.flatMap(({ ports }) => ports.map(({ port_id }) => Number(port_id)))),
    Cable: idSet(collections.cables),
    Pool: idSet(collections.hostPools),
    Segment: idSet(collections.segments),
    Subnet: idSet(collections.subnets),
    Customer: idSet(collections.customers),
    Prospect: idSet(collections.prospects),
    Incident: new Set([...idSet(collections.incidents), ...idSet(collections.resolvedIncidents)]),
    WorkOrder: idSet(collections.workOrders),
    Quest: idSet(collections.quests),
    Staff: new Set(Array.from({ length: diagnostics.counts.staff }, (_, index) => index + 1)),
  }
}

/** The newest id of each kind whose entities are removed, where known. */
type Newest = Partial<Readonly<Record<Kind, number>>>

function newestIn({ sim, snapshot }: CheckedWorld, highest: ReadonlyMap<string, number>): Newest {
  const seen = (name: keyof Collections): number => highest.get(name) || Infinity
  return {
    Customer: sim.customers.state.lastCustomerId,
    // Hosts are sold, with their ports and cables.
    Host: sim.state.topology.hosts.count,
    Port: sim.state.topology.ports.count,
    Cable: sim.state.topology.cables.count,
    Incident: Number(snapshot.diagnostics.counts.incidents_opened),
    WorkOrder: seen('workOrders'),
    Prospect: Infinity,
    Segment: seen('segments'),
    Subnet: seen('subnets'),
  }
}

/** Collects references to missing entities. */
class References {
  readonly wrong: string[] = []
  readonly #known: Known
  readonly #newest: Newest

  constructor(known: Known, newest: Newest) {
    this.#known = known
    this.#newest = newest
  }

  /** Requires that the entities exist. */
  now(who: string, kind: Kind, ...ids: readonly (Int64 | null)[]): void {
    for (const id of ids) {
      if (id !== null && !this.#known[kind].has(Number(id))) {
        this.wrong.push(`${who} names ${kind} ${id}, which does not exist`)
      }
    }
  }

  /** Requires that the entities exist or once existed: ids are assigned in ascending order. */
  once(who: string, kind: Kind, ...ids: readonly (Int64 | null)[]): void {
    for (const id of ids) {
      if (id === null || this.#known[kind].has(Number(id))) continue
      if (!this.#existed(kind, id)) this.wrong.push(`${who} names ${kind} ${id}, which never existed`)
    }
  }

  #existed(kind: Kind, id: Int64): boolean {
    return Number(id) >= 1 && Number(id) <= (this.#newest[kind] ?? 0)
  }

  /** Requires a possible target of the fault kind. */
  faulty(who: string, rootKind: RootKind, id: Int64 | null, must: 'now' | 'once'): void {
    if (id === null) return
    const kinds = targetsOf(rootKind)
    if (kinds.length === 0) this.wrong.push(`${who} names ${id} for a fault of kind ${rootKind}`)
    else if (kinds.length === 1) this[must](who, kinds[0], id)
    else if (
      !kinds.some((kind) => this.#known[kind].has(Number(id)) || (must === 'once' && this.#existed(kind, id)))
    ) {
      this.wrong.push(`${who} names ${kinds.join(' or ')} ${id}, which does not exist`)
    }
  }
}

function referenceViolations(look: CheckedWorld, highest: ReadonlyMap<string, number>): string[] {
  const { snapshot } = look
  const { collections } = snapshot
  const references = new References(knownIn(snapshot), newestIn(look, highest))
  equipmentReferences(references, collections)
  customerReferences(references, collections)
  for (const incident of collections.incidents) incidentReferences(references, incident, 'now')
  for (const incident of collections.resolvedIncidents) incidentReferences(references, incident, 'once')
  for (const order of collections.workOrders) {
    const who = `work order ${order.id}`
    references[order.resolved_at_ns === null ? 'now' : 'once'](who, 'Incident', order.incident_id)
    references.now(who, 'Staff', order.actor_staff_id)
  }
  for (const { at_ns, entity_kind, entity_id } of snapshot.events) {
    if (entity_kind !== 'World') references.once(`the event at ${at_ns}`, entity_kind, entity_id)
  }
  diagnosticReferences(references, snapshot)
  return references.wrong
}

function equipmentReferences(references: References, collections: Collections): void {
  const { hosts, switches, gateways, appliances, patchPanels, hostPools, cables } = collections
  for (const [kind, records] of Object.entries({ hosts, switches, gateways, appliances })) {
    for (const { id, rack_id, az_id } of records) {
      references.now(`${kind} ${id}`, 'Rack', rack_id)
      references.now(`${kind} ${id}`, 'Zone', az_id)
    }
  }
  for (const { id, pool_id, served_customer_ids } of hosts) {
    references.now(`host ${id}`, 'Pool', pool_id)
    references.now(`host ${id}`, 'Customer', ...served_customer_ids)
  }
  for (const { id, rack_id } of patchPanels) references.now(`panel ${id}`, 'Rack', rack_id)
  for (const { id, az_ids, host_ids } of hostPools) {
    references.now(`pool ${id}`, 'Zone', ...az_ids)
    references.now(`pool ${id}`, 'Host', ...host_ids)
  }
  for (const { id, from_host, to_switch } of cables) {
    references.now(`cable ${id}`, 'Host', from_host)
    references.now(`cable ${id}`, 'Switch', to_switch)
  }
}

function customerReferences(references: References, collections: Collections): void {
  for (const { id, required_region, services } of collections.customers) {
    references.now(`customer ${id}`, 'Region', required_region, ...services.map(({ region_id }) => region_id))
  }
  for (const { id, required_region, covering_segment_id } of collections.prospects) {
    references.now(`prospect ${id}`, 'Region', required_region)
    references.now(`prospect ${id}`, 'Segment', covering_segment_id)
  }
  for (const { id, explicit_customer_ids, carrier_host_ids, dedicated_host_ids } of collections.segments) {
    references.now(`segment ${id}`, 'Customer', ...explicit_customer_ids)
    references.now(`segment ${id}`, 'Host', ...carrier_host_ids, ...dedicated_host_ids)
  }
  for (const { id, vrf_id, carrier_host_ids, dedicated_host_ids } of collections.subnets) {
    references.now(`subnet ${id}`, 'Segment', vrf_id)
    references.now(`subnet ${id}`, 'Host', ...carrier_host_ids, ...dedicated_host_ids)
  }
}

function incidentReferences(references: References, incident: IncidentRecord, must: 'now' | 'once'): void {
  const who = `incident ${incident.id}`
  references.faulty(who, incident.root_kind, incident.root_entity_id, must)
  for (const { root_kind, entity_id, rack_id } of incident.causes) {
    references.faulty(`${who}, cause ${root_kind}`, root_kind, entity_id, must)
    references.now(`${who}, cause ${root_kind}`, 'Rack', rack_id)
  }
  references.now(who, 'Rack', incident.rack_id)
  references[must](who, 'Host', ...incident.affected_host_ids)
  references[must](who, 'Customer', incident.symptom_customer_id, ...incident.affected_customer_ids)
  // Closed orders are dropped eventually.
  references.once(who, 'WorkOrder', ...incident.work_order_ids)
}

function diagnosticReferences(references: References, { diagnostics }: Snapshot): void {
  const who = 'the diagnostics record'
  references.now(who, 'Cable', ...diagnostics.loaded_links.map(({ cable_id }) => cable_id))
  references.now(who, 'Host', ...diagnostics.contended_hosts.map(({ host_id }) => host_id))
  references.now(who, 'Customer', ...diagnostics.unplaced_services.map(({ customer_id }) => customer_id))
  references.now(who, 'Customer', ...diagnostics.unserved_demand.map(({ customer_id }) => customer_id))
  for (const { entity_kind, entity_id } of diagnostics.failing_parts) {
    if (entity_kind !== 'World') references.now(who, entity_kind, entity_id)
  }
}
