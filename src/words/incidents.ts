/** Descriptions of incidents in sentences. */
import type { GatewayRecord, IncidentRecord, WorkOrderRecord } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { messageText } from '../contract/messages/catalog.ts'
import { symptomNouns } from '../contract/messages/incident-symptoms.ts'
import { causeKeyOf, causeKinds } from '../contract/messages/incident-causes.ts'
import type { MessageKey } from '../contract/messages/catalog.ts'
import { capitalized, counted, dollarsText, listedMax, withoutStop } from './phrases.ts'
import { blockingWords, causeWords, serviceWords, symptomWords } from './vocabulary.ts'

type CauseRecord = IncidentRecord['causes'][number]
type Arguments = IncidentRecord['root_msg_args']

/** The title that an upstream itself gives to an incident; null if it gives none. */
export function ownHeadline({
  headline = '',
}: IncidentRecord & { readonly headline?: string }): string | null {
  return headline === '' ? null : headline
}

/** The symptom as a sentence, behind the time until which it was so, and how many are like it. */
export function symptomSentence(incident: IncidentRecord): string {
  const { symptom_msg_key, symptom_msg_args: given, symptom_kind } = incident
  const until = given.find(({ key }) => key === 'until')
  const sentence = sentenceOr(symptom_msg_key, given, symptomWords(symptom_kind))
  const others = given.find(({ key }) => key === 'others')?.number ?? 0
  const alike = others === 0 ? '' : ` ${counted(others, 'other')} like it.`
  return `${until === undefined ? '' : `Until ${until.text}: `}${sentence}${alike}`
}

/** The symptom as the noun phrase of a title. */
export const symptomPhrase = ({ symptom_msg_key, symptom_kind }: IncidentRecord): string =>
  symptomNouns.get(symptom_msg_key) ?? symptomWords(symptom_kind)

/** Symptoms that count hosts. */
export const severalHosts: ReadonlySet<string> = new Set<MessageKey>([
  'symptom.hosts-silent',
  'symptom.hosts-overheated',
])

const causeNouns: ReadonlyMap<string, string> = new Map(
  Object.entries(causeKinds).map(([kind, { noun }]) => [causeKeyOf(kind as keyof typeof causeKinds), noun]),
)

/** A cause as a sentence about the present, and one of the past by its name: `An attack on Clover Vale Streaming.` */
export function causeSentence(
  { msg_key, msg_args, root_kind }: Pick<CauseRecord, 'msg_key' | 'msg_args' | 'root_kind'>,
  isPast = false,
): string {
  const noun = causeNouns.get(msg_key)
  // A name that begins its message has a capital.
  const name =
    subjectOf(msg_args)?.replace(/^(?:Cable|Cooling unit|Pool|Power feed) /, (word) => word.toLowerCase()) ??
    null
  return isPast && noun !== undefined && name !== null
    ? `${capitalized(noun.replace('{name}', name))}.`
    : sentenceOr(msg_key, msg_args, causeWords(root_kind))
}

const isSentence = / .*[.!?]$/

/** The text of a message. An upstream's unknown key is replaced by words, unless it is a sentence itself. */
export function sentenceOr(key: string, messageArgs: Arguments, words: string): string {
  const text = messageText(key, messageArgs.map(inWords))
  return text === key && !isSentence.test(key) ? words : text
}

/** Arguments that are names of a vocabulary: the actions of a scenario's file, and classes of services. */
const vocabularies: ReadonlyMap<string, (value: string) => string> = new Map([
  ['deed', causeWords],
  ['service', serviceWords],
])

const inWords = (argument: Arguments[number]): Arguments[number] => ({
  ...argument,
  text: vocabularies.get(argument.key)?.(argument.text) ?? argument.text,
})

/** The subject of a message: the name in its arguments. */
export const subjectOf = (messageArgs: Arguments): string | null =>
  messageArgs.find(({ key }) => key === 'name')?.text ?? null

/** A resolved incident has no cause that is at most this likely: its hint says that none was found. */
const unlikelyMax = 50

/** A time is a number up to 104 days of a world, and an integer of 64 bits from then on. */
export const isResolved = ({ resolved_at_ns: at }: IncidentRecord): boolean => at !== null && at > 0

/** The symptom of an incident, of a resolved one the gravest that it had. */
export const symptomAtWorst = (incident: IncidentRecord): string =>
  `${isResolved(incident) ? 'At its worst: ' : ''}${symptomSentence(incident)}`

/** The incident that one without a confirmed cause is part of, by its hint. */
export const wholeOf = ({ confirmed, hint }: IncidentRecord): string | undefined =>
  confirmed ? undefined : /\bpart of incident (\d+)/.exec(hint ?? '')?.[1]

/** The most likely cause that was not ruled out; of a part of another incident, none of its own. */
export function likeliestCause(incident: IncidentRecord): CauseRecord | undefined {
  const { causes } = incident
  const isLikely = ({ cleared, confidence }: CauseRecord): boolean =>
    !cleared && (!isResolved(incident) || confidence > unlikelyMax)
  return (
    causes.find(({ confirmed }) => confirmed) ??
    (wholeOf(incident) === undefined ? causes.find(isLikely) : undefined)
  )
}

/** `confirmed`, `suspected` or `unknown`. */
export function causeState(incident: IncidentRecord): 'confirmed' | 'suspected' | 'unknown' {
  if (incident.confirmed) return 'confirmed'
  return likeliestCause(incident) === undefined ? 'unknown' : 'suspected'
}

/** The confirmed causes, that of the incident first, or the most likely one, as sentences. */
export function incidentCause(incident: IncidentRecord): string {
  const isPast = isResolved(incident)
  if (incident.confirmed) {
    const { root_msg_key: msg_key, root_msg_args: msg_args, root_kind } = incident
    const found = [{ msg_key, msg_args, root_kind }, ...incident.causes.filter(({ confirmed }) => confirmed)]
    const all = new Set(found.map((cause) => causeSentence(cause, isPast)))
    return [...all].slice(0, listedMax).join(' ')
  }
  const whole = wholeOf(incident)
  if (whole !== undefined) return `The cause is that of incident ${whole}.`
  const likeliest = likeliestCause(incident)
  const unknown = isPast ? 'The cause was not found.' : 'The cause is not known yet.'
  return likeliest === undefined ? unknown : causeSentence(likeliest, isPast)
}

/** A gateway that carries less of an attack than this share of the most loaded one's does not count as attacked. */
const carriesMin = 0.2

/** The zones whose gateways carry an attack. */
export function attackedZones(attack: string | null, gateways: readonly GatewayRecord[]): Int64[] {
  const carried = ({ threats }: GatewayRecord): number =>
    threats.find((threat) => threat.class === attack)?.reaching ?? 0
  const most = Math.max(0, ...gateways.map(carried))
  if (most === 0) return []
  const carriers = gateways.filter((one) => carried(one) >= carriesMin * most)
  return [...new Set(carriers.map(({ az_id: zone }) => zone))]
}

/** The impact: `19 customers, $61/h at risk`; empty without one. */
export function impactText(incident: IncidentRecord): string {
  const parts: string[] = []
  const customers = incident.affected_customer_ids.length
  if (customers > 0) parts.push(counted(customers, 'customer'))
  if (incident.revenue_at_risk_per_hour_dollars > 0)
    parts.push(`${dollarsText(incident.revenue_at_risk_per_hour_dollars)}/h at risk`)
  if (incident.redundancy_promise_broken && incident.symptom_kind !== 'RedundancyLost')
    parts.push('redundancy lost')
  return parts.join(', ')
}

/** `Critical incident 22: traffic flood, Clover Vale Streaming (19 customers, $61/h at risk)`. */
export function incidentHeadline(incident: IncidentRecord): string {
  const impact = impactText(incident)
  return `${incidentName(incident)}${impact === '' ? '' : ` (${impact})`}`
}

/** The headline without its impact. */
export function incidentName(incident: IncidentRecord): string {
  const subject = subjectOf(incident.symptom_msg_args) ?? subjectOf(incident.root_msg_args)
  const hosts = severalHosts.has(incident.symptom_msg_key)
    ? incident.symptom_msg_args.find(({ key }) => key === 'value')
    : undefined
  const symptom = `${hosts === undefined ? '' : `${hosts.text} `}${symptomPhrase(incident)}`
  const symptomAtWorst = symptom + (subject === null ? '' : `, ${subject}`)
  const title = capitalized(`${incident.band} incident ${incident.id}`.trimStart())
  const what = ownHeadline(incident) ?? symptomAtWorst
  return `${title}${what === '' ? '' : `: ${what}`}`
}

/** `Management port of kby-a-b03-u11: powered, system halted`. */
export const evidenceText = ({ label_plain, value_plain }: IncidentRecord['evidence'][number]): string =>
  value_plain === '' ? label_plain : `${label_plain}: ${withoutStop(value_plain)}`

/** The reading that supports the likeliest cause; without suspects, the first one. */
export const mainEvidence = ({ evidence, causes }: IncidentRecord) =>
  evidence.find(({ leading }) => leading || causes.length === 0) ?? null

/** The order that matters most to an incident: of its cause before others, on site before under way before held. */
export function leadingOrder(
  { root_msg_args }: IncidentRecord,
  orders: readonly WorkOrderRecord[],
): WorkOrderRecord | undefined {
  const part = subjectOf(root_msg_args)
  const rank = ({ kind_label, blocking, started_at_ns, steps, current_step }: WorkOrderRecord): number => {
    const isOnSite = steps[current_step]?.kind !== 'Travel'
    const progress = blocking !== null ? 1 : started_at_ns === null ? 0 : isOnSite ? 3 : 2
    return progress + (part !== null && kind_label.includes(part) ? 4 : 0)
  }
  return orders.toSorted((one, other) => rank(other) - rank(one))[0]
}

/** The last completed work on a resolved incident other than its diagnosis. */
const repairOf = ({ timeline, resolved_at_ns }: IncidentRecord) =>
  resolved_at_ns === null
    ? undefined
    : timeline.findLast(({ kind, detail }) => kind === 'WorkDone' && !detail.includes(': Diagnose '))

/** The work on an incident: how its leading order goes, by the timeline if it says so; without one the last work. */
export function workSummary(
  incident: IncidentRecord,
  orders: readonly WorkOrderRecord[] = [],
): string | null {
  const work = incident.timeline.filter(({ kind }) => kind.startsWith('Work'))
  const order = leadingOrder(incident, orders)
  if (order === undefined) return (repairOf(incident) ?? work.at(-1))?.detail ?? null
  const { kind_label: label, blocking, started_at_ns: started } = order
  if (started === null && blocking === null) return `${label} is ordered.`
  const own = work.findLast(({ detail }) => detail.includes(label))
  if (own?.kind === (blocking === null ? 'WorkStarted' : 'WorkBlocked')) return own.detail
  return blocking === null ? `${label} is under way.` : `${label} waits: ${blockingWords(blocking)}.`
}
