import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { Collections, EventRecord, Snapshot } from '../../src/contract/collections.ts'
import type { Field, RecordType, Unit } from '../../src/contract/fields.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../src/contract/records/operations.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { numberedSnapshot } from '../fixtures/numbered-snapshot.ts'

type Values = Record<string, unknown>

const nowNs = 120 * 60e9

/** The numbers of the snapshot, from 1 to 97, in the range of their unit: minutes, shares, cores. */
const scales: Partial<Record<Unit, number>> = { ns: 60e9, ratio: 0.01, millivcpu: 500 }
/** Everything has room to spare. */
const isCapacity = /capacity|physical/

function scaled(field: Field, name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => scaled(field.of!, name, one))
  if (field.recordType !== undefined && value !== null) return scaledRecord(field.recordType, value as Values)
  if (typeof value !== 'number') return value
  return value * (scales[field.unit] ?? 1) * (isCapacity.test(name) ? 2 : 1)
}

const scaledRecord = (type: RecordType, record: Values): Values =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, scaled(type.fields[name], name, value)]),
  )

const event = (given: Partial<EventRecord>): EventRecord =>
  emptyRecord(EngineEventSchema, { msg_key: 'foreign.message', ...given })
const events = [
  event({
    at_ns: 30 * 60e9,
    kind: 'IncidentOpened',
    severity: 'Warning',
    entity_kind: 'Incident',
    entity_id: 1,
  }),
  event({ at_ns: 60 * 60e9, kind: 'PartFailed', severity: 'Error', entity_kind: 'Host', entity_id: 3 }),
  event({
    at_ns: 90 * 60e9,
    kind: 'CustomerSigned',
    severity: 'Info',
    entity_kind: 'Customer',
    entity_id: 2,
  }),
]

/** Devices stand one above the other in a rack of eight units. */
const firstUnits = { gateways: 1, switches: 2, appliances: 3, patchPanels: 4, hosts: 5 } as const
const deviceLists = Object.keys(firstUnits) as (keyof typeof firstUnits)[]

type Lists = Readonly<Record<(typeof collectionNames)[number], readonly Values[]>>

/** Names that tell entities apart whose fields have one name. */
function rename(lists: Lists): void {
  const devices = deviceLists.filter((list) => list !== 'patchPanels')
  for (const list of [...devices, 'customers', 'hostPools', 'segments', 'prospects'] as const)
    for (const [index, record] of lists[list].entries())
      record['name' in record ? 'name' : 'display_name_plain'] = `${list} ${index + 1}`
  for (const [index, { racks }] of lists.azs.entries())
    for (const rack of racks as Values[]) rack['name'] = `B-0${index + 1}`
}

function install(lists: Lists): void {
  for (const list of deviceLists)
    for (const [index, device] of lists[list].entries()) {
      Object.assign(device, {
        start_u: firstUnits[list],
        u_size: list === 'hosts' ? 2 : 1,
        power_feeds: 2 - index,
      })
      if (index === 0)
        for (const port of device['ports'] as Values[])
          Object.assign(port, { link: 'Up', state: 'Connected' })
    }
  for (const { racks } of lists.azs)
    for (const rack of racks as Values[]) Object.assign(rack, { u_size: 8, used_u: 6, power_feeds: 2 })
}

const cableEnds = [
  ['Switch', 'Gateway'],
  ['Appliance', 'PatchPanel'],
  ['Host', 'Switch'],
] as const

function connect({ cables }: Lists): void {
  for (const [index, cable] of cables.entries()) {
    const end = (kind: string) => ({ device_kind: kind, device_id: index + 1, port_id: index + 1 })
    const [a, b] = cableEnds[index].map(end)
    Object.assign(cable, { a, b, is_failed: index === 1, ...(index < 2 && { dangling_end: null }) })
  }
}

/** The numbered snapshot with what tables hold against each other in proportion, two hours after the beginning. */
export function numberedWorld(): Snapshot {
  const snapshot = numberedSnapshot()
  const lists = Object.fromEntries(
    collectionNames.map((name) => [
      name,
      (snapshot.collections[name] as readonly Values[]).map((one) => scaledRecord(collections[name], one)),
    ]),
  ) as unknown as Lists
  rename(lists)
  install(lists)
  connect(lists)
  for (const customer of lists.customers)
    customer['failed_last_hour'] = 1000 * (customer['failed_last_hour'] as number)
  for (const prospect of lists.prospects)
    prospect['expires_at_ns'] = nowNs + (prospect['expires_at_ns'] as number)
  lists.workOrders[2]['resolved_at_ns'] = null
  lists.incidents[2]['band'] = lists.incidents[1]['band']
  lists.hosts[2]['condition_pct'] = 100 * thresholds.conditionPoor
  for (const incident of lists.incidents) incident['resolved_at_ns'] = null
  for (const incident of lists.resolvedIncidents) incident['id'] = (incident['id'] as number) + 3
  return {
    ...snapshot,
    simTimeNs: BigInt(nowNs),
    collections: lists as unknown as Collections,
    events,
    diagnostics: scaledRecord(DiagnosticsSchema, snapshot.diagnostics) as never,
  }
}
