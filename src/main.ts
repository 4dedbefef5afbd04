/** Picks the command: by its name, or serving where none is named. */
import { exitCodes } from './commands/command-line.ts'
import type { CommandName } from './commands/command-line.ts'
import { heedEnding } from './commands/ending.ts'
import { outliveReaders } from './commands/reporter.ts'
import { OptionError, quoted } from './options/read.ts'

type Run = (words: readonly string[], environment: NodeJS.ProcessEnv) => Promise<void>

/** Each command's parts are loaded only for it. */
const commands: Readonly<Record<CommandName, () => Promise<Run>>> = {
  serve: async () => (await import('./commands/serve.ts')).runServe,
  history: async () => (await import('./commands/history.ts')).runHistory,
  record: async () => (await import('./commands/record.ts')).runRecord,
  inspect: async () => (await import('./commands/inspect.ts')).runInspect,
}

/** Those that go on until they are ended. The others are ended by a signal as any program is. */
const lasting: ReadonlySet<string> = new Set<CommandName>(['serve', 'record'])

async function main(words: readonly string[]): Promise<void> {
  const [first] = words
  const isNamed = first !== undefined && !first.startsWith('-')
  const name = isNamed ? first : 'serve'
  if (!Object.hasOwn(commands, name)) {
    const names = Object.keys(commands).join(', ')
    throw new OptionError(
      `Got ${quoted(name)}, expected a flag or one of the commands ${names}; --help tells more.`,
    )
  }
  if (lasting.has(name)) heedEnding()
  const run = await commands[name as CommandName]()
  await run(isNamed ? words.slice(1) : words, process.env)
}

outliveReaders()
try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof OptionError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.badOption
}
