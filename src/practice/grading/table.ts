import { textTable } from '../../text/text-table.ts'
import type { Grades, Score } from './grade.ts'

const headings = [
  'fired',
  'rightly',
  'precision',
  'due',
  'alerted',
  'recall',
  'median',
  '90 %',
  'worst',
  'messages',
]

const nameLengthMax = 100

const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`)
const seconds = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} s`)

const cellsOf = (score: Score): string[] => [
  String(score.fired),
  String(score.rightly),
  percent(score.precision),
  String(score.due),
  String(score.alerted),
  percent(score.recall),
  seconds(score.secondsToAlert.median),
  seconds(score.secondsToAlert.p90),
  seconds(score.secondsToAlert.worst),
  score.messagesPerFault === null ? '–' : score.messagesPerFault.toFixed(1),
]

/** Names come from other programs: a cell is one line of bounded width. */
const nameOf = ({ name }: Score): string => name.replaceAll(/\s+/g, ' ').slice(0, nameLengthMax)

function table(first: string, scores: readonly Score[]): string {
  const rows = [[first, ...headings], ...scores.map((score) => [nameOf(score), ...cellsOf(score)])]
  return textTable(rows)
}

const legend = `fired      how often alerts fired, each set of labels by itself; rightly: about a fault
due        faults that hurt a customer; alerted: those of them that an alert was about
median     wall seconds from the beginning of a fault to the first alert about it; 90 %, worst: the same
messages   messages about a fault that was alerted, on average: alerts of one name within 30 s are
           one; what Alertmanager holds back is not considered`

export const gradesText = ({ sets, rules, kinds }: Grades): string =>
  [table('alerts', sets), table('rule', rules), table('kind of fault', kinds), legend].join('\n\n')
