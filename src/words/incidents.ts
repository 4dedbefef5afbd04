/** Descriptions of incidents in sentences. */
import type { GatewayRecord, IncidentRecord } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { messageText } from '../contract/messages/catalog.ts'
import { symptomNouns } from '../contract/messages/incident-symptoms.ts'
import type { MessageKey } from '../contract/messages/catalog.ts'
import { capitalized, counted, dollarsText, withoutStop } from './phrases.ts'
import { causeWords, symptomWords } from './vocabulary.ts'

type CauseRecord = IncidentRecord['causes'][number]
type TimelineEntry = IncidentRecord['timeline'][number]
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

export const severalHosts: ReadonlySet<string> = new Set<MessageKey>([
  'symptom.hosts-silent',
  'symptom.hosts-overheated',
])

export const causeSentence = ({ msg_key, msg_args, root_kind }: CauseRecord): string =>
  sentenceOr(msg_key, msg_args, causeWords(root_kind))

const isSentence = / .*[.!?]$/

/** The text of a message. An upstream's unknown key is replaced by words, unless it is a sentence itself. */
export function sentenceOr(key: string, messageArgs: Arguments, words: string): string {
  const text = messageText(key, messageArgs.map(inWords))
  return text === key && !isSentence.test(key) ? words : text
}

/** A scenario's messages use the names of actions in its file. */
const inWords = (argument: Arguments[number]): Arguments[number] =>
  argument.key === 'deed' ? { ...argument, text: causeWords(argument.text) } : argument

/** The subject of a message: the name in its arguments. */
export const subjectOf = (messageArgs: Arguments): string | null =>
  messageArgs.find(({ key }) => key === 'name')?.text ?? null

/** A resolved incident has no cause that is at most this likely: its hint says that none was found. */
const unlikelyMax = 50

/** The incident that one without a confirmed cause is part of, by its hint. */
export const wholeOf = ({ confirmed, hint }: IncidentRecord): string | undefined =>
  confirmed ? undefined : /\bpart of incident (\d+)/.exec(hint ?? '')?.[1]

/** The most likely cause that was not ruled out; of a part of another incident, none of its own. */
export function likeliestCause(incident: IncidentRecord): CauseRecord | undefined {
  const { causes, resolved_at_ns: over } = incident
  const isLikely = ({ cleared, confidence }: CauseRecord): boolean =>
    !cleared && (typeof over !== 'bigint' || confidence > unlikelyMax)
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

/** Causes found besides the confirmed one, by the timeline: `Also found: Switch a-core1 has failed.` */
function alsoFound({ timeline }: IncidentRecord): string[] {
  const found = timeline.flatMap(({ detail }) => /^Also found: .*?\.(?= |$)/.exec(detail)?.[0] ?? [])
  return [...new Set(found)].slice(0, alsoFoundMax)
}
const alsoFoundMax = 2

/** The confirmed or most likely cause, as a sentence, and what was found besides. */
export function incidentCause(incident: IncidentRecord): string {
  if (incident.confirmed) {
    const cause = sentenceOr(incident.root_msg_key, incident.root_msg_args, causeWords(incident.root_kind))
    return [cause, ...alsoFound(incident)].join(' ')
  }
  const whole = wholeOf(incident)
  if (whole !== undefined) return `The cause is that of incident ${whole}.`
  const likeliest = likeliestCause(incident)
  const isOver = typeof incident.resolved_at_ns === 'bigint'
  const unknown = isOver ? 'The cause was not found.' : 'The cause is not known yet.'
  return likeliest === undefined ? unknown : causeSentence(likeliest)
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

/** The impact: `19 customers, $61/h at risk`, of a resolved incident at its worst; empty without one. */
export function impactText(incident: IncidentRecord): string {
  const parts: string[] = []
  const customers = incident.affected_customer_ids.length
  if (customers > 0) parts.push(counted(customers, 'customer'))
  if (incident.revenue_at_risk_per_hour_dollars > 0)
    parts.push(`${dollarsText(incident.revenue_at_risk_per_hour_dollars)}/h at risk`)
  if (incident.redundancy_promise_broken && incident.symptom_kind !== 'RedundancyLost')
    parts.push('redundancy lost')
  const wasOver = typeof incident.resolved_at_ns === 'bigint' && parts.length > 0
  return `${wasOver ? 'at worst ' : ''}${parts.join(', ')}`
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
  const symptomText = symptom + (subject === null ? '' : `, ${subject}`)
  const title = capitalized(`${incident.band} incident ${incident.id}`.trimStart())
  const what = ownHeadline(incident) ?? symptomText
  return `${title}${what === '' ? '' : `: ${what}`}`
}

/** `Management port of kby-a-b03-u11: powered, system halted`. */
export const evidenceText = ({ label_plain, value_plain }: IncidentRecord['evidence'][number]): string =>
  value_plain === '' ? label_plain : `${label_plain}: ${withoutStop(value_plain)}`

/** The order in an entry about its end: the text behind its actor. */
const endedOrder =
  /^(?:\S+(?: \S+)? (?:finished .* beginning|stopped)|Called off): (.*?)(?: \(no longer needed\))?\.$/s

/** The last entry about work that is not over, that at the confirmed cause before other; or else the last one about work. */
export function workEntry({ timeline, root_msg_args }: IncidentRecord): TimelineEntry | undefined {
  const work = timeline.filter(({ kind }) => kind.startsWith('Work'))
  const target = subjectOf(root_msg_args)?.toLowerCase()
  const isOver = ({ detail }: TimelineEntry, at: number): boolean =>
    work.slice(at).some((end) => {
      const order = endedOrder.exec(end.detail)?.[1]
      return order !== undefined && detail.includes(order)
    })
  const running = work.filter((entry, at) => !isOver(entry, at))
  const isAtCause = ({ detail }: TimelineEntry): boolean =>
    target !== undefined && detail.toLowerCase().includes(target) && !detail.includes('Diagnose "')
  return running.findLast(isAtCause) ?? running.at(-1) ?? work.at(-1)
}

export const workSummary = (incident: IncidentRecord): string | null => workEntry(incident)?.detail ?? null
