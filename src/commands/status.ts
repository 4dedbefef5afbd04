/** Prints the state of a running world: what is wrong, what to do next, and what happened last. */
import { setTimeout as pause } from 'node:timers/promises'
import { textIn } from './chronicle-page.ts'
import { MirrorError, MirrorReader } from './readers/mirror.ts'
import type { AnsweredRow } from './readers/mirror.ts'
import { statusSettings } from '../options/reading-settings.ts'
import { commonInfoFlags } from '../options/command.ts'
import { printableLines } from '../text/printable.ts'
import { withoutStop } from '../words/phrases.ts'
import { commandFrom, reportFailure } from '../command-line/command-line.ts'

const eventsShown = '5'
/** A mirror without readers stops publishing: the first read wakes it, and the next snapshot is there by then. */
const oldMs = 2_500
const wakesWithinMs = 1_500

export function incidentLines(row: AnsweredRow, active: readonly AnsweredRow[]): string[] {
  const state = textIn(row, 'cause_state')
  const cause = state === 'unknown' ? 'cause unknown' : `${state}: ${textIn(row, 'cause_kind')}`
  const [headline, what, hint] = ['headline', 'what', 'hint'].map((column) => textIn(row, column))
  const work = textIn(active.find(({ incident_id: id }) => id === row['incident_id']) ?? {}, 'work')
  return [
    '',
    headline,
    // The headline of a group says what it is.
    ...(headline.includes(withoutStop(what)) ? [] : [`  ${what}`]),
    `  Opened ${textIn(row, 'opened')}; ${cause}.`,
    ...(work === '' || hint.includes(work) ? [] : [`  Work: ${work}`]),
    ...(hint === '' ? [] : [`  Next: ${hint}`]),
  ]
}

async function statusLines(mirror: MirrorReader): Promise<string[]> {
  const { age_ms: ageMs } = (await mirror.json('/health')) as { readonly age_ms: number }
  if (ageMs > oldMs) await pause(wakesWithinMs)
  const [world = {}] = await mirror.rows('world')
  const incidents = await mirror.rows('incident-groups')
  const active = incidents.length === 0 ? [] : await mirror.rows('incidents', { state: 'active' })
  const events = await mirror.rows('events', { limit: eventsShown })
  return [
    `${textIn(world, 'clock')}: ${textIn(world, 'state')}.`,
    ...(incidents.length === 0 ? [`Next: ${textIn(world, 'next')}`] : []),
    ...incidents.flatMap((row) => incidentLines(row, active)),
    '',
    'Last:',
    ...events.map((event) => `  ${textIn(event, 'clock')}: ${textIn(event, 'what')}`),
  ]
}

export const statusCommand = {
  name: 'status',
  usage: 'status [OPTIONS]',
  summary: 'Prints what is wrong in a running world, what to do next, and what happened last.',
  settings: statusSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror status --url http://127.0.0.1:9740'],
} as const

export async function runStatus(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(statusCommand, words, environment)
  if (command === null) return
  const { url, session } = command.options
  try {
    console.log(printableLines((await statusLines(new MirrorReader(url, session))).join('\n')))
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error
    reportFailure(error.message)
  }
}
