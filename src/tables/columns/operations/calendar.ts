/** The wear-out calendar: parts by the pace of their wear, contracts by their notice, and expired certificates and licenses. */
import { nsPerDay } from '../../../contract/time-units.ts'
import type {
  CustomerRecord,
  HostRecord,
  IncidentRecord,
  SwitchRecord,
} from '../../../contract/collections.ts'
import { nullable, oneOf, str } from '../../../contract/fields.ts'
import type { Int64 } from '../../../contract/fields.ts'
import { thresholds } from '../../../contract/thresholds.ts'
import { subjectOf } from '../../../words/incidents.ts'
import { isoTime, momentOrder, relativeTime } from '../../../words/moments.ts'
import { counted, dollarsText, finite, listed, wholePercent } from '../../../words/phrases.ts'
import { bandRank, knownOr, lifecycleWords, plainWords } from '../../../words/vocabulary.ts'
import * as columns from '../../engine/columns.ts'
import { column, defineTable, each, oneOfFilter, unlessUnknown } from '../../engine/table.ts'
import { lossOfCooling } from '../equipment/zones.ts'
import { hitText } from '../incidents/incidents.ts'
import { incidentPlace, placesOfIncident } from '../incidents/place.ts'
import { placesFilters, placesOf, placeText } from '../places.ts'

const pages = ['host', 'device', 'rack', 'power', 'customer', 'incident'] as const

/** Of each kind its name in records, the page with more about it, and the advice. */
const kinds = {
  disks: ['Host', 'host', 'Drain the host and replace its disks.'],
  host: ['Host', 'host', 'Drain the host and replace it.'],
  switch: ['Switch', 'device', 'Replace it in a quiet hour, one of a pair at a time.'],
  'patch panel': ['PatchPanel', 'rack', 'Replace it when its cables are next in work.'],
  'cooling unit': ['CoolingUnit', 'power', 'Overhaul it in a cool hour, while the others run.'],
  probation: ['Customer', 'customer', 'Win the customer back before it gives notice.'],
  contract: ['Customer', 'customer', 'Plan without it: its units become free.'],
  certificate: ['Incident', 'incident', 'Renew the certificate.'],
  license: ['Incident', 'incident', 'Renew the license.'],
} as const satisfies Readonly<Record<string, readonly [string, (typeof pages)[number], string]>>

type Kind = keyof typeof kinds
type World = Parameters<typeof placeText>[1]
const kindNames = Object.keys(kinds) as Kind[]

interface Ending extends columns.RowState {
  readonly kind: Kind
  readonly id: Int64
  /** Null for a part of unknown age. */
  readonly endNs: bigint | null
  /** The share of its life that a part has lived; 1 for what is none. */
  readonly used: number
  readonly place: Parameters<typeof placeText>[0]
  readonly hit: (world: World) => string
  readonly incident?: IncidentRecord
}

const soonDays = 30n
/** The share of its life from which a part shows a pace: 1 % of wear may end in centuries. */
const usedMin = 0.05
const nowhere = { rack_id: null, start_u: null } as const

type WornPart = Pick<Ending, 'id'> &
  Ending['place'] & { readonly condition_pct: number; readonly age_hours?: number }

/** A part that has worn. Its end is an estimate in whole days: it wears on as it did since it was installed. */
function worn(
  kind: Kind,
  part: WornPart,
  nowNs: bigint,
  hit: Ending['hit'],
  used = 1 - part.condition_pct / 100,
): readonly Ending[] {
  if (!(used >= usedMin)) return []
  const days = unlessUnknown(() => BigInt(Math.round(finite((part.age_hours! * (1 - used)) / used / 24))))
  const usedHigh = kind === 'disks' ? thresholds.diskWearHigh : 1 - thresholds.conditionPoor
  const severity = used >= 1 ? 3 : used >= usedHigh ? 2 : days !== null && days < soonDays ? 1 : 0
  const endNs = days === null ? null : nowNs + days * nsPerDay
  const state = `${wholePercent(100 * Math.min(1, used))} worn`
  return [{ kind, id: part.id, endNs, used, place: part, state, severity, hit }]
}

/** A host is at most in the condition of its disks: it has an end of its own only where that comes earlier. */
function endsOfHost(host: HostRecord, nowNs: bigint): readonly Ending[] {
  const { wear_factor: wear, unit_count: units, served_customer_ids: ids } = host
  const hit = (world: World): string =>
    units === 0 ? 'no customer' : `${counted(units, 'unit')} of ${ownersText(world.customerNames(ids))}`
  const isOfDisks = host.condition_pct === Math.round(100 * (1 - wear))
  return [...worn('disks', host, nowNs, hit, wear), ...(isOfDisks ? [] : worn('host', host, nowNs, hit))]
}

/** `Birch & Co`, `3 customers, among them Birch & Co`. */
const ownersText = (names: readonly string[]): string =>
  names.length > 1 ? `${counted(names.length, 'customer')}, among them ${names[0]}` : listed(names)

function switchHit({ ports }: SwitchRecord): string {
  const peers = ports.flatMap(({ peer }) => (peer === null ? [] : [`${peer.device_kind} ${peer.device_id}`]))
  const hosts = new Set(peers.filter((name) => name.startsWith('Host ')))
  return hosts.size > 0
    ? `${counted(hosts.size, 'host')} behind it`
    : `${counted(peers.length, 'link')} through it`
}

const contractKinds: Readonly<Record<string, Kind>> = { Probation: 'probation', Leaving: 'contract' }

/** The contract of a customer that leaves, or will give notice. */
function endOfContract(customer: CustomerRecord): readonly Ending[] {
  const { id, lifecycle, provisioned_total: units, revenue_last_hour_dollars: revenue } = customer
  const kind = knownOr<Kind | null>(contractKinds, lifecycle, null)
  if (kind === null || customer.pending_until_ns === null) return []
  const endNs = BigInt(customer.pending_until_ns)
  const state = `${lifecycleWords(lifecycle)}, ${plainWords(customer.satisfaction_label)}`
  const hit = () => `${counted(units, 'unit')}, ${dollarsText(revenue)}/h`
  return [{ kind, id, endNs, used: 1, place: nowhere, state, severity: 3, hit }]
}

const expiredKinds: Readonly<Record<string, Kind>> = {
  ExpiredCertificate: 'certificate',
  ExpiredLicense: 'license',
}

/** A certificate or a license whose end an incident has confirmed. */
function expired(incident: IncidentRecord): readonly Ending[] {
  const kind = knownOr<Kind | null>(expiredKinds, incident.root_kind, null)
  if (kind === null || !incident.confirmed) return []
  const [endNs, severity] = [BigInt(incident.started_at_ns), bandRank(incident.band)]
  const hit = (world: World): string => hitText(incident, world)
  return [
    { kind, id: incident.id, endNs, used: 1, place: nowhere, state: 'expired', severity, hit, incident },
  ]
}

const farNs = 2n ** 62n

function endings({ records, zones, nowNs }: World): readonly Ending[] {
  const ends = <T>(all: readonly T[], endsOf: (record: T) => readonly Ending[]): readonly Ending[] =>
    all.flatMap((record) => unlessUnknown(() => endsOf(record)) ?? [])
  return [
    ...ends(records.all('hosts'), (host) => endsOfHost(host, nowNs)),
    ...ends(records.all('switches'), (one) => worn('switch', one, nowNs, () => switchHit(one))),
    ...ends(records.all('patchPanels'), (panel) =>
      worn('patch panel', panel, nowNs, () => `${counted(panel.used_ports, 'cable')} through it`),
    ),
    ...zones.flatMap((zone) =>
      ends(
        zone.cooling_units.filter(({ working }) => working),
        (unit) =>
          worn('cooling unit', { ...unit, ...nowhere, az_id: zone.id }, nowNs, () =>
            lossOfCooling(zone, unit),
          ),
      ),
    ),
    ...ends(records.all('customers'), endOfContract),
    ...ends(records.all('incidents'), expired),
  ].toSorted((one, other) => momentOrder(one.endNs ?? farNs, other.endNs ?? farNs) || other.used - one.used)
}

const stateOf = (ending: Ending): columns.RowState => ending

export const calendar = defineTable<Ending>({
  name: 'calendar',
  meaning:
    'What wears out or ends next, by date: disks, devices and cooling units, contracts under notice, and what has expired.',
  row: ['CalendarRow', 'Something that wears out or ends.'],
  worldParts: ['hosts', 'switches', 'patchPanels', 'azs', 'customers', 'incidents'],
  ...each((world) => world.derived(endings)),
  filters: {
    kind: oneOfFilter(kindNames, ({ kind }) => [kind]),
    ...placesFilters(({ incident, place }: Ending, world) =>
      incident === undefined ? placesOf(place, world) : placesOfIncident(incident, world),
    ),
    ...columns.severityFilter(stateOf),
  },
  columns: {
    ends_at: column(
      nullable(columns.momentColumn('When it ends: of a part, if it wears on as it did so far.')),
      ({ endNs }) => columns.wordsOrNone(endNs, isoTime),
    ),
    ends: column(
      nullable(columns.relativeColumn('The same; empty for a part of unknown age.')),
      ({ endNs }, { nowNs }) => columns.wordsOrNone(endNs, (ns) => relativeTime(ns, nowNs)),
    ),
    kind: column(oneOf(kindNames, 'What kind of thing it is.'), 'kind'),
    what: column(nullable(str('Its name.')), ({ kind, id, incident }, world) =>
      incident === undefined ? world.entityName(kinds[kind][0], id) : subjectOf(incident.root_msg_args),
    ),
    about_id: column(columns.idOrNone('device, unit, customer or incident'), ({ id }) =>
      columns.wordsOrNone(id, String),
    ),
    ...columns.stateColumns(stateOf, 'How far it is, in words.'),
    where: column(nullable(str('Where it is, in words.')), ({ place, incident }, world) =>
      incident === undefined ? columns.someText(placeText(place, world)) : incidentPlace(incident, world),
    ),
    hit: column(str('Who is hit, or what would follow.'), ({ hit }, world) => hit(world)),
    advice: column(str('What to do, as a sentence.'), ({ kind }) => kinds[kind][2]),
    leads_to: column(oneOf(pages, 'What shows more of it.'), ({ kind }) => kinds[kind][1]),
  },
})
