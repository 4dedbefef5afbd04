/** Picks the command: by its name, or serving where none is named. */
import { exitCodes } from './commands/command-line.ts'
import type { CommandName } from './commands/command-line.ts'
import { OptionError, quoted } from './options/read.ts'

type Run = (words: readonly string[], environment: NodeJS.ProcessEnv) => Promise<void>

/** Each command's parts are loaded only for it. */
const commands: Readonly<Record<CommandName, () => Promise<Run>>> = {
  serve: async () => (await import('./commands/serve.ts')).runServe,
  history: async () => (await import('./commands/history.ts')).runHistory,
  record: async () => (await import('./commands/record.ts')).runRecord,
  inspect: async () => (await import('./commands/inspect.ts')).runInspect,
}

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
  const run = await commands[name as CommandName]()
  await run(isNamed ? words.slice(1) : words, process.env)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof OptionError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.badOption
}
