/** Prints the last days of a world as a page to read. */
import { chronicleSettings, sessionFileArgument } from '../options/reading-settings.ts'
import { commonInfoFlags } from '../options/command.ts'
import { pageLimitMax } from '../contract/routes.ts'
import { printableLines } from '../text/printable.ts'
import { commandFrom, reportFailure } from '../command-line/command-line.ts'
import { chroniclePage, textIn } from './chronicle-page.ts'
import { FileReader } from './readers/session-file.ts'
import { MirrorError, MirrorReader } from './readers/mirror.ts'

export const chronicleCommand = {
  name: 'chronicle',
  usage: 'chronicle [FILE] [OPTIONS]',
  summary:
    'Prints the last days of a world from the archive of a running mirror, or from the file of a session, as Markdown.',
  settings: chronicleSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror chronicle --days 7', 'dcsim-mirror chronicle evening.dcsim'],
  argument: sessionFileArgument,
} as const

export async function runChronicle(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(chronicleCommand, words, environment)
  if (command === null) return
  const { url, session, days, json } = command.options
  const reader = command.argument === '' ? new MirrorReader(url, session) : new FileReader(command.argument)
  try {
    const shown = (await reader.rows('days')).slice(0, days)
    const from = shown.at(-1)?.['from']
    const incidents = await reader.rows('incidents', {
      band: 'Major,Critical',
      sort: 'opened_at',
      limit: String(pageLimitMax),
      ...(typeof from === 'string' ? { from } : {}),
    })
    const [world] = await reader.rows('worlds')
    const title = `Chronicle of ${textIn(world ?? {}, 'session') || 'the world'}`
    console.log(
      json
        ? JSON.stringify({ days: shown, incidents }, null, 2)
        : printableLines(chroniclePage(title, shown, incidents)),
    )
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error
    reportFailure(error.message)
  }
}
