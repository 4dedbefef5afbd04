#!/usr/bin/env -S node --max-semi-space-size=16
/**
 * The entry of the program: runs the command in the command line. Without the flag above (MB; also in the start
 * script), requests that wait on pipelining connections let the young generation grow to 128 MB.
 */
import { isSea } from 'node:sea'
import { exitCodes } from './command-line/command-line.ts'
import type { CommandName } from './command-line/command-line.ts'
import { keepCompiledCode, ownEnvironment } from './command-line/files/user-caches.ts'
import { ignoreBrokenPipe } from './command-line/logger.ts'
import { installSignalHandlers } from './commands/shutdown.ts'
import { OptionError } from './options/parse-options.ts'
import { practiceCommands } from './practice/practice.ts'
import { closestMatch } from './text/closest-match.ts'
import { printable } from './text/printable.ts'
import { quoted } from './text/quoted.ts'

type Run = (words: readonly string[], environment: NodeJS.ProcessEnv) => Promise<void>

const nodeMajorMin = 24

/** Loaded on demand: this file and its static imports run on any Node, to report that it is too old. */
const commands: Readonly<Record<CommandName, () => Promise<Run>>> = {
  serve: async () => (await import('./commands/serve.ts')).runServe,
  backfill: async () => (await import('./commands/backfill.ts')).runBackfill,
  record: async () => (await import('./commands/record.ts')).runRecord,
  status: async () => (await import('./commands/status.ts')).runStatus,
  ...practiceCommands,
  inspect: async () => (await import('./commands/inspect.ts')).runInspect,
  chronicle: async () => (await import('./commands/chronicle.ts')).runChronicle,
  events: async () => (await import('./commands/events.ts')).runEvents,
  check: async () => (await import('./commands/check.ts')).runCheck,
  targets: async () => (await import('./commands/targets.ts')).runTargets,
}

/** Commands that run until they are interrupted and then shut down. Signals terminate the others. */
const longRunning: ReadonlySet<string> = new Set<CommandName>(['serve', 'record'])

function unknownCommand(name: string): OptionError {
  const names = Object.keys(commands)
  const suggestion = closestMatch(name, names)
  const advice =
    suggestion === null
      ? `expected one of ${names.join(', ')}; --help says what they do`
      : `did you mean "${suggestion}"?`
  return new OptionError(`unknown command ${quoted(name)}; ${advice}`)
}

async function main(words: readonly string[]): Promise<void> {
  const [first] = words
  if (first === 'help') return await main([...words.slice(1), '--help'])
  const isNamed = first !== undefined && !first.startsWith('-')
  const name = isNamed ? first : 'serve'
  if (!Object.hasOwn(commands, name)) throw unknownCommand(name)
  if (longRunning.has(name)) installSignalHandlers()
  keepCompiledCode(process.env)
  const environment = ownEnvironment(first, process.env)
  if (isSea() && first === undefined)
    return await (await import('./commands/serve/double-click.ts')).runDoubleClicked(environment)
  const run = await commands[name as CommandName]()
  await run(isNamed ? words.slice(1) : words, environment)
}

ignoreBrokenPipe()
// Node would open its inspector, by which any process of the machine runs code in this one.
process.on('SIGUSR1', () => undefined)
if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
  console.error(
    `dcsim-mirror requires Node.js ${nodeMajorMin} or newer, but this is ${process.version}. ` +
      'Install a newer one from https://nodejs.org/, or run: npx -p node@24 -p dcsim-mirror dcsim-mirror',
  )
  process.exit(exitCodes.failed)
}
try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof OptionError)) throw error
  console.error(printable(error.message))
  process.exitCode = exitCodes.invalidOption
}
