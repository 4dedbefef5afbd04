import type { Argument, ArgumentsOf, MessageKey } from '../../../contract/messages/catalog.ts'
import { messageArguments, messages, messageText } from '../../../contract/messages/catalog.ts'
import { entityArgument } from '../../../contract/messages/entities.ts'
import type { CauseKey } from '../../../contract/messages/incident-causes.ts'
import { causeKinds } from '../../../contract/messages/incident-causes.ts'
import type { symptomMessages } from '../../../contract/messages/incident-symptoms.ts'
import type { CauseKind, SymptomKind } from '../../../contract/vocabularies.ts'
import { round } from '../numeric.ts'
import type { ObservedWorld } from '../state.ts'
import { timeOfDay } from '../time.ts'
import { cableName, deviceOfPort, endsOf, nameOf, placeOf, zonesOf } from '../topology/entities.ts'
import { idOf } from '../topology/tables.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { IncidentContext } from './context.ts'
import { zonesOfSubject } from './correlation/subjects.ts'
import type { RootCause, Symptom } from './model.ts'
import type { Subject } from './monitors/signals.ts'
import { signals } from './monitors/signals.ts'

/** Texts of symptoms and causes. */

export interface Wording {
  readonly key: MessageKey
  readonly args: Argument[]
  readonly text: string
}

/** The messages of single symptoms, and of several hosts. */
type SymptomKey = keyof typeof symptomMessages

/** A message with the values that its template uses, and the entities it is about, by id. */
function wording(
  key: SymptomKey | CauseKey,
  values: Readonly<Record<string, string | number>>,
  about: readonly Argument[],
): Wording {
  const used = Object.entries(values).filter(([name]) => messages[key].includes(`{${name}}`))
  const args = [...messageArguments(key, Object.fromEntries(used) as ArgumentsOf<typeof key>), ...about]
  return { key, args, text: messageText(key, args) }
}

const deviceKeys = { Host: 'host', Switch: 'switch', Gateway: 'gateway', Appliance: 'appliance' } as const

/**
 * The entity of a subject: a device, the devices at the ends of a link, or the zone of a device outside of racks.
 * Records name customers and pools by id.
 */
function entityArguments(world: ObservedWorld, subject: Subject): Argument[] {
  const { topology } = world
  const zoneArgument = (row: number): Argument =>
    entityArgument('zone', topology.zones[row].displayName, idOf(row))
  if (subject.kind === 'Customer' || subject.kind === 'Pool') return []
  if (subject.kind === 'Zone') return [zoneArgument(subject.row)]
  if (subject.kind === 'PowerFeed' || subject.kind === 'CoolingUnit')
    return zonesOf(world, subject).map(zoneArgument)
  if (subject.kind === 'Cable')
    return endsOf(topology, subject.row).flatMap((port) => deviceArguments(world, port))
  if (subject.kind === 'Port') return deviceArguments(world, subject.row)
  return [entityArgument(deviceKeys[subject.kind], nameOf(world, subject), idOf(subject.row))]
}

/** The device of a port; none for ports of carriers and panels. */
function deviceArguments(world: ObservedWorld, port: number): Argument[] {
  const device = deviceOfPort(world.topology, port)
  return device === null ? [] : entityArguments(world, device)
}

export function subjectName(world: ObservedWorld, subject: Subject): string {
  if (subject.kind === 'Zone') return world.topology.zones[subject.row].displayName
  if (subject.kind === 'Cable') return cableName(world.topology, subject.row)
  if (subject.kind === 'CoolingUnit') return world.topology.coolingUnits.name[subject.row]
  return nameOf(world, subject)
}

export const subjectPlace = (world: ObservedWorld, subject: Subject): string =>
  subject.kind === 'Zone' ? world.topology.zones[subject.row].displayName : placeOf(world, subject)

/** Minimum percentage of failed requests of a customer that is down. */
const downPercent = 50
const isDown = ({ signal, reading }: Symptom): boolean =>
  signal === 'customer-failing' && reading >= downPercent

export function symptomWording(world: ObservedWorld, symptom: Symptom): Wording {
  const value = round(symptom.reading, symptom.reading < 10 ? 2 : 0)
  const key = symptomKey(world, symptom, value)
  const { subject } = symptom
  const name = subjectName(world, subject)
  const values = { name, place: subjectPlace(world, subject), value }
  return wording(key, values, entityArguments(world, subject))
}

/** Several hosts that are down, in a rack or in zones. */
export function hostsDownWording(
  world: ObservedWorld,
  hosts: readonly Symptom[],
  isOverheated: boolean,
): Wording {
  const places = new Set(hosts.map(({ subject }) => subjectPlace(world, subject)))
  const zones = [...new Set(hosts.flatMap(({ subject }) => zonesOfSubject(world, subject)))]
  const key = isOverheated ? 'symptom.hosts-overheated' : 'symptom.hosts-silent'
  return hostsInZones(world, key, zones, hosts.length, places.size === 1 ? [...places][0] : null)
}

/** The hosts of zones, which all of them have lost. */
export const zonesDownWording = (world: ObservedWorld, zones: readonly number[], hosts: number): Wording =>
  hostsInZones(world, 'symptom.hosts-silent', zones, hosts, null)

function hostsInZones(
  { topology }: ObservedWorld,
  key: 'symptom.hosts-overheated' | 'symptom.hosts-silent',
  zones: readonly number[],
  value: number,
  place: string | null,
): Wording {
  const names = zones.map((zone) => topology.zones[zone].displayName)
  const about = zones.map((zone, at) => entityArgument('zone', names[at], idOf(zone)))
  return wording(key, { name: place ?? names.join(' and '), value }, about)
}

function symptomKey({ handover, tenants }: ObservedWorld, symptom: Symptom, value: number): SymptomKey {
  const { signal, subject, reading } = symptom
  const budgetMs = subject.kind === 'Customer' ? tenants.byId.get(subject.id)?.p99BudgetMs : undefined
  if (signal === 'customer-slow' && reading <= (budgetMs ?? 0)) return 'symptom.customer-slow-no-more'
  if (handover !== null && signal === 'switch-storm') return 'symptom.switch-flooded'
  if (isDown(symptom)) return value === 100 ? 'symptom.customer-dead' : 'symptom.customer-down'
  if (signal === 'customer-starved' && value === 100) return 'symptom.customer-starved-wholly'
  if (signal === 'customer-stranded' && value === 1) return 'symptom.customer-stranded-unit'
  return `symptom.${signal}`
}

export const symptomKindOf = (symptom: Symptom): SymptomKind =>
  isDown(symptom) ? 'ServiceDown' : signals[symptom.signal].symptom

export function causeWording(
  { world, catalog }: Pick<IncidentContext, 'world' | 'catalog'>,
  kind: CauseKind,
  target: FaultTarget,
): Wording {
  const { message } = catalog[kind]
  const name = capitalize(nameOf(world, target), message)
  return wording(message, { name }, entityArguments(world, target))
}

/** Names that begin with a common noun; all others are identifiers with fixed spelling. */
const beginsWithNoun = /^(?:cable|cooling unit|pool|power feed) /

/** Capitalizes a name at the beginning of a sentence. */
function capitalize(name: string, key: CauseKey): string {
  const beginsSentence = messages[key].startsWith('{name}')
  return beginsSentence && beginsWithNoun.test(name) ? name[0].toUpperCase() + name.slice(1) : name
}

/** A confirmed cause as a sentence: of one that has ended, until when it was so. */
export function confirmedText(context: Pick<IncidentContext, 'world' | 'catalog'>, root: RootCause): string {
  const { kind, target, ended } = root
  if (ended === null) return causeWording(context, kind, target).text
  return `The cause was ${causeNoun(context, kind, target)}, until ${timeOfDay(ended).slice(0, 5)}.`
}

/** A cause as a noun phrase, as in "Ruled out: failure of host a-b01-u14". */
export function causeNoun(
  { world }: Pick<IncidentContext, 'world'>,
  kind: CauseKind,
  target: FaultTarget,
): string {
  return causeKinds[kind].noun.replace('{name}', nameOf(world, target))
}

export const unknownCauseWording: Wording = {
  key: 'cause.unknown',
  args: [],
  text: messages['cause.unknown'],
}
