/** What all commands share on the command line. */
import type { Command, usualQuestions } from '../options/command.ts'
import { helpText } from '../options/help.ts'
import { ownVersion } from '../own-version.ts'

export const exitCodes = { badOption: 2, failed: 1, interrupted: 130 } as const

/** The commands, each with what it does in a few words. Without a name, it is the first. */
export const commandSummaries = {
  serve: 'Mirrors a world over HTTP.',
  history: 'Writes the past of the built-in world for a Prometheus that was not there.',
  record: 'Records a session, for --source FILE to show it again.',
  inspect: 'Tells what is in a recording.',
} as const

export type CommandName = keyof typeof commandSummaries

/** The commands as the first of them lists them in its help. */
export const commandLines = (): string[] => [
  'Commands, each with a --help of its own:',
  ...Object.entries(commandSummaries).map(([name, summary]) => `  ${name.padEnd(10)}${summary}`),
  '',
]

/** What a command says when it is asked about itself; `more` stands before its flags. */
export const answer = (
  command: Command,
  question: keyof typeof usualQuestions,
  more: string[] = [],
): string => (question === 'version' ? ownVersion() : helpText(command, more))
