/** The words by which records are found. */
import type { EventRecord, IncidentRecord, WorkOrderRecord } from '../../contract/collections.ts'
import {
  causeSentence,
  evidenceText,
  incidentCause,
  incidentHeadline,
  sentenceOr,
  symptomSentence,
} from '../../words/incidents.ts'
import { plainWords } from '../../words/vocabulary.ts'

const wordsMax = 20_000

const joined = (texts: readonly (string | null)[]): string => texts.join('\n').slice(0, wordsMax)

export const wordsOfEvent = ({ msg_key, msg_args, kind, severity }: EventRecord): string =>
  joined([
    sentenceOr(msg_key, msg_args, plainWords(kind)),
    plainWords(kind),
    severity,
    ...msg_args.map(({ text }) => text),
  ])

export const wordsOfIncident = (incident: IncidentRecord): string =>
  joined([
    incidentHeadline(incident),
    symptomSentence(incident),
    incidentCause(incident),
    ...incident.causes.map((cause) => causeSentence(cause)),
    ...incident.evidence.flatMap((one) => [evidenceText(one), one.detail_plain]),
    ...incident.timeline.map(({ detail }) => detail),
    incident.hint,
  ])

/** For programs that read the file, in which most bodies of incidents are compressed. */
export const summaryOf = (incident: IncidentRecord): string =>
  JSON.stringify({
    title: incidentHeadline(incident),
    band: incident.band,
    cause: incident.root_kind,
    customers: incident.affected_customer_ids.length,
  })

export const wordsOfOrder = ({ kind, kind_label, steps }: WorkOrderRecord): string =>
  joined([kind_label, plainWords(kind), ...steps.map(({ detail }) => detail)])

const searchWordsMax = 16

/**
 * A search in the language of FTS5, from a text of any kind: records that contain words that begin with each of its
 * words. Null if the text has none.
 */
export function searchFor(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}\p{Co}][^\s"\p{C}]*/gu)?.slice(0, searchWordsMax) ?? []
  return words.length === 0 ? null : words.map((word) => `"${word}"*`).join(' ')
}
