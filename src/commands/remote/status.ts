/** Prints the state of a running world: what is wrong, what to do next, and what happened last. */
import { setTimeout as pause } from 'node:timers/promises'
import { statusSettings } from '../../options/archive-settings.ts'
import { commonInfoFlags } from '../../options/command.ts'
import { parseCommand } from '../../options/parse-options.ts'
import { printable } from '../../text/printable.ts'
import { textIn } from '../archive/chronicle-page.ts'
import { MirrorError, MirrorReader } from '../archive/mirror-reader.ts'
import type { AnsweredRow } from '../archive/mirror-reader.ts'
import { answerInfoFlag, exitCodes } from '../command-line.ts'

export const statusCommand = {
  name: 'status',
  usage: 'status [OPTIONS]',
  summary: 'Prints what is wrong in a running world, what to do next, and what happened last.',
  settings: statusSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror status --url http://127.0.0.1:9740'],
} as const

const eventsShown = '5'
/** A mirror without readers stops publishing: the first read wakes it, and the next snapshot is there by then. */
const oldMs = 2_500
const wakesWithinMs = 1_500

function incidentLines(row: AnsweredRow): string[] {
  const state = textIn(row, 'cause_state')
  const cause = state === 'unknown' ? 'cause unknown' : `${state}: ${textIn(row, 'cause_kind')}`
  const hint = textIn(row, 'hint')
  return [
    '',
    textIn(row, 'headline'),
    `  ${textIn(row, 'what')}`,
    `  Opened ${textIn(row, 'opened')}; ${cause}.`,
    ...(hint === '' ? [] : [`  Next: ${hint}`]),
  ]
}

async function statusLines(mirror: MirrorReader): Promise<string[]> {
  const { age_ms: ageMs } = (await mirror.json('/health')) as { readonly age_ms: number }
  if (ageMs > oldMs) await pause(wakesWithinMs)
  const [world = {}] = await mirror.rows('world')
  const incidents = await mirror.rows('incident-groups')
  const events = await mirror.rows('events', { limit: eventsShown })
  return [
    `${textIn(world, 'clock')}: ${textIn(world, 'state')}.`,
    ...incidents.flatMap(incidentLines),
    '',
    'Last:',
    ...events.map((event) => `  ${textIn(event, 'clock')}: ${textIn(event, 'what')}`),
  ]
}

export async function runStatus(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = parseCommand(statusCommand, words, environment)
  if (typeof command === 'string') {
    console.log(answerInfoFlag(statusCommand, command))
    return
  }
  const { url, session } = command.options
  try {
    for (const line of await statusLines(new MirrorReader(url, session)))
      console.log(printable(line, Infinity))
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error
    console.error(error.message)
    process.exitCode = exitCodes.failed
  }
}
