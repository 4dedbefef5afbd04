/** Prints the last days of a world as a page to read, and its state as a few lines. */
import { chronicleSettings, statusSettings, pastFile } from '../options/archive-settings.ts'
import { commonInfoFlags } from '../options/command.ts'
import { pageLimitMax } from '../contract/routes.ts'
import { printable } from '../text/printable.ts'
import { commandFrom, reportFailure } from '../command-line/command-line.ts'
import { chroniclePage, textIn } from './archive/chronicle-page.ts'
import { FileReader } from './archive/file-reader.ts'
import { MirrorError, MirrorReader } from './archive/mirror-reader.ts'
import { statusLines } from './remote/status.ts'

export const chronicleCommand = {
  name: 'chronicle',
  usage: 'chronicle [FILE] [OPTIONS]',
  summary:
    'Prints the last days of a world from the archive of a running mirror, or from the file of a session, as Markdown.',
  settings: chronicleSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror chronicle --days 7', 'dcsim-mirror chronicle evening.dcsim'],
  argument: pastFile,
} as const

/** Names of a foreign world may have control characters. */
const page = (text: string): string =>
  text
    .split('\n')
    .map((line) => printable(line, Infinity))
    .join('\n')

export async function runChronicle(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(chronicleCommand, words, environment)
  if (command === null) return
  const { url, session, days, json } = command.options
  const past = command.argument === '' ? new MirrorReader(url, session) : new FileReader(command.argument)
  try {
    const all = await past.rows('days')
    const shown = all.slice(0, days)
    const from = shown.at(-1)?.['from']
    const incidents = await past.rows('incidents', {
      band: 'Major,Critical',
      sort: 'opened_at',
      limit: String(pageLimitMax),
      ...(typeof from === 'string' ? { from } : {}),
    })
    const [world] = await past.rows('worlds')
    const title = `Chronicle of ${textIn(world ?? {}, 'session') || 'the world'}`
    console.log(
      json
        ? JSON.stringify({ days: shown, incidents }, null, 2)
        : page(chroniclePage(title, all, days, incidents)),
    )
  } catch (error) {
    failWith(error)
  }
}

function failWith(error: unknown): void {
  if (!(error instanceof MirrorError)) throw error
  reportFailure(error.message)
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
    console.log(page((await statusLines(new MirrorReader(url, session))).join('\n')))
  } catch (error) {
    failWith(error)
  }
}
