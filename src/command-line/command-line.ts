/** The command line that all commands share. */
import type { Command, commonInfoFlags } from '../options/command.ts'
import { helpText } from '../options/help.ts'
import { ownVersion } from '../own-version.ts'

export const exitCodes = { failed: 1, invalidOption: 2, inPart: 3, interrupted: 130 } as const

/** The commands; the first is the default. */
const commandSummaries = {
  serve: 'Serve a world over HTTP; the default.',
  history: 'Write the history of the built-in world for a Prometheus that did not scrape it.',
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
  picture: 'Draw a running world as SVG.',
  targets: 'Write the sessions of a mirror as targets of Prometheus.',
} as const

export type CommandName = keyof typeof commandSummaries

/** The default command lists all of them in its help. */
export const answerInfoFlag = (command: Command, flag: keyof typeof commonInfoFlags): string =>
  flag === 'version'
    ? ownVersion()
    : helpText(command, flag === 'all', command.name === undefined ? Object.entries(commandSummaries) : [])
