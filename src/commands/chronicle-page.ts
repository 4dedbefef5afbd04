/** The page of a chronicle, in Markdown. */
import { spanText } from '../words/moments.ts'
import { counted, dollarsText } from '../words/phrases.ts'
import type { AnsweredRow } from './readers/mirror.ts'

const secondsPerMinute = 60

const textOf = (cell: unknown): string => (typeof cell === 'string' ? cell : '')
const numberIn = (row: AnsweredRow, name: string): number => Number(row[name] ?? 0)
export const textIn = (row: AnsweredRow, name: string): string => textOf(row[name])

/** Names of a foreign world are text, not Markdown. */
const plainText = (text: string): string => text.replace(/[\\`*_[\]<>|#]/g, String.raw`\$&`)

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

const bandColumns = { critical: 'Critical', major: 'Major', minor: 'Minor', watch: 'Watch' } as const

function bandsText(day: AnsweredRow): string {
  const bands = Object.entries(bandColumns)
    .filter(([column]) => numberIn(day, column) > 0)
    .map(([column, band]) => `${numberIn(day, column)} ${band}`)
  if (bands.length > 0) return bands.join(', ')
  return numberIn(day, 'troubled_minutes') > 0 ? 'no new incident' : 'a quiet day'
}

function troubleLine(day: AnsweredRow): string {
  const minutes = numberIn(day, 'troubled_minutes')
  if (minutes === 0) return 'No Major or Critical incident was open.'
  const risk = dollarsText(numberIn(day, 'at_risk_dollars'))
  return `A Major or Critical incident was open for ${spanText(minutes * secondsPerMinute)}; revenue at risk: ${risk}.`
}

function moneyLine(day: AnsweredRow): string {
  const [spent, credited] = [numberIn(day, 'spent_dollars'), numberIn(day, 'credited_dollars')]
  const parts = [
    `Spent ${dollarsText(spent)}`,
    `credited ${dollarsText(credited)}`,
    `${counted(numberIn(day, 'orders_done'), 'work order')} finished`,
    counted(numberIn(day, 'events'), 'event'),
  ]
  return `${parts.join(', ')}.`
}

function incidentLines(incidents: readonly AnsweredRow[]): string[] {
  if (incidents.length === 0) return []
  const cells = (incident: AnsweredRow): string[] => [
    textIn(incident, 'opened_at').slice(11, 16),
    textIn(incident, 'headline'),
    textIn(incident, 'cause'),
    // The record of an open incident may be of its beginning.
    incident['state'] === 'active' ? 'still open' : textIn(incident, 'lasted'),
  ]
  return [
    '',
    '| Opened | Incident | Cause | Lasted |',
    '| --- | --- | --- | --- |',
    ...incidents.map((incident) => `| ${cells(incident).map(plainText).join(' | ')} |`),
  ]
}

function dayLines(day: AnsweredRow, incidents: readonly AnsweredRow[]): string[] {
  const date = textIn(day, 'date').slice(0, 10)
  const [won, lost, chapters] = ['won', 'lost', 'chapters'].map((column) => textIn(day, column))
  return [
    '',
    `## Day ${numberIn(day, 'day')}, ${weekday.format(new Date(`${date}T00:00:00Z`))}: ${bandsText(day)}`,
    '',
    ...(day['over'] === false ? ['- This day is not over.'] : []),
    `- ${troubleLine(day)}`,
    ...(won === '' ? [] : [`- Signed: ${plainText(won)}.`]),
    ...(lost === '' ? [] : [`- Left: ${plainText(lost)}.`]),
    ...(chapters === '' ? [] : [`- ${plainText(chapters)}`]),
    `- ${moneyLine(day)}`,
    ...incidentLines(incidents.filter((one) => textIn(one, 'opened_at').startsWith(date))),
  ]
}

/** The latest of the days comes first; on the page, last. */
export function chroniclePage(
  title: string,
  days: readonly AnsweredRow[],
  incidents: readonly AnsweredRow[],
): string {
  if (days.length === 0) return `# ${plainText(title)}\n\nNothing is in the archive yet.\n`
  const lines = days.map((day) => dayLines(day, incidents)).toReversed()
  return `# ${plainText(title)}\n${lines.flat().join('\n')}\n`
}
