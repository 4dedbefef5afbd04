/** The command line that all commands share. */
import type { Command, commonInfoFlags, InfoFlags, Settings } from '../options/command.ts'
import { helpText } from '../options/help.ts'
import { parseCommand } from '../options/parse-options.ts'
import type { ParsedCommand, Validators } from '../options/parse-options.ts'
import { ownVersion } from '../process/version.ts'

export const exitCodes = { failed: 1, invalidOption: 2, inPart: 3, interrupted: 130 } as const

/** The commands; the first is the default. */
const commandSummaries = {
  serve: 'Serve a world over HTTP; the default.',
  backfill: 'Write the history of the built-in world for a Prometheus that did not scrape it.',
  record: 'Record a session, which --source FILE replays.',
  status: 'Say what is wrong in a running world, and what to do next.',
  act: 'Break or repair something in a running world.',
  answer: 'Note what a team has found out in a game day.',
  hint: 'Give a team a hint in a game day.',
  debrief: 'Make the page of a game day: truth, answers, actions and costs.',
  'what-if': 'Say what would follow if something broke.',
  cases: 'Write labeled cases for tools that look for root causes.',
  score: 'Score answers to labeled cases.',
  report: 'Grade alert rules by the truth about the faults of a world.',
  inspect: 'Say what the file of a session contains, and whether it is sound.',
  chronicle: 'Print the last days of a world as a page to read.',
  events: 'Print what happens as JSON lines, for log shippers.',
  check: 'Hold the API of a game or another upstream against the contract.',
  targets: 'Write the sessions of a mirror as targets of Prometheus.',
} as const

export type CommandName = keyof typeof commandSummaries

type CommonFlag = keyof typeof commonInfoFlags

/** The default command lists all of them in its help. */
export const answerInfoFlag = (command: Command, flag: CommonFlag): string =>
  flag === 'version'
    ? ownVersion()
    : helpText(command, flag === 'all', command.name === undefined ? Object.entries(commandSummaries) : [])

interface Parsing<S extends Settings, F> {
  readonly validators?: Validators<S>
  /** The texts of the command's own flags without a value. */
  readonly answers?: Partial<Record<Exclude<keyof F, CommonFlag>, () => string>>
}

/** The parsed command; null if a flag without a value was answered instead. */
export function commandFrom<S extends Settings, F extends InfoFlags>(
  command: Command<S, F>,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  { validators, answers }: Parsing<S, F> = {},
): ParsedCommand<S> | null {
  const parsed = parseCommand(command, words, environment, validators)
  if (typeof parsed !== 'string') return parsed
  const own: Readonly<Record<string, (() => string) | undefined>> = answers ?? {}
  console.log(own[parsed]?.() ?? answerInfoFlag(command, parsed as CommonFlag))
  return null
}

export function reportFailure(message: string): void {
  console.error(message)
  process.exitCode = exitCodes.failed
}
