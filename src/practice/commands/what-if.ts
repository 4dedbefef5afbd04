/** Says what would follow from an action, by a second world that continues from the same moment. */
import { commonInfoFlags } from '../../options/command.ts'
import type { Values } from '../../options/command.ts'
import { OptionError } from '../../options/parse-options.ts'
import { whatIfSettings } from './own-world-settings.ts'
import { processClock as clock } from '../../process/clock.ts'
import { timeLeft } from '../../text/time-left.ts'
import { progressOf } from './progress.ts'
import { followCustomers } from '../twins/compare-worlds.ts'
import { continueFrom } from '../twins/branch-point.ts'
import type { BranchPoint } from '../twins/branch-point.ts'
import { losses, partsOf, tollOf, whatIf } from '../twins/what-if.ts'
import { clockText, spanText } from '../../words/moments.ts'
import { StateMismatch } from '../../world/built-in-world.ts'
import { actionLineOf, actionReference, parseActionLine } from '../../world/scenario-language.ts'
import type { ActionLine } from '../../world/scenario-language.ts'
import { commandFrom } from '../../command-line/command-line.ts'
import { Logger } from '../../command-line/logger.ts'
import { validators } from '../../command-line/select-source.ts'
import { answerText, lossTable } from './what-if/answer.ts'
import type { Loss, Remedied } from './what-if/answer.ts'
import { newBranchPoint, savedBranchPoint } from './what-if/open-branch-point.ts'

export const whatIfCommand = {
  name: 'what-if',
  usage: 'what-if [FILE] [OPTIONS] "ACTION [TARGET] [for TIME] [at TIME]"',
  summary:
    'Says what would follow from an action, or from the loss of each part of a zone: which customers, when, for how ' +
    'long, and what it would cost. A second world continues from the same moment; the running one is not touched.',
  settings: whatIfSettings,
  infoFlags: { list: 'List actions, what they apply to, and the words for targets.', ...commonInfoFlags },
  examples: [
    'dcsim-mirror what-if evening.dcsim "PowerFeedLoss feed A of Tallisford A"',
    'dcsim-mirror what-if --scale small --each feed,switch,gateway,cooling',
  ],
  argument: {
    placeholder: 'ACTION',
    help:
      'What is to happen, as for act; times count from the moment that is asked about. A FILE.dcsim before it is the ' +
      'session file.',
    isRest: true,
    isOptional: true,
  },
} as const

type Options = Values<typeof whatIfSettings>

function actionOf(text: string, origin: string): ActionLine {
  const line = actionLineOf(text)
  if ('problem' in line) throw new OptionError(`${origin}: ${line.problem}`)
  const parsed = parseActionLine(line.json)
  if ('problem' in parsed) throw new OptionError(`${origin}: ${parsed.problem.message}`)
  return parsed.line
}

/** The session file before an action, as all words form one argument, or the one of the option. */
function questionOf(
  argument: string,
  options: Options,
  origins: Readonly<Record<keyof Options, string>>,
): { readonly file: string; readonly origin: string; readonly action: string } {
  const [, file, action] = /^(.+?\.dcsim)(?:\s+(.*))?$/.exec(argument) ?? []
  return file === undefined
    ? { file: options['session-file'], origin: origins['session-file'], action: argument }
    : { file, origin: 'FILE', action: action ?? '' }
}

export async function runWhatIf(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(whatIfCommand, words, environment, {
    validators: { scenario: validators.scenario },
    answers: { list: actionReference },
  })
  if (command === null) return
  const { options, origins } = command
  const { file, origin, action: argument } = questionOf(command.argument, options, origins)
  if ((argument === '') === (options.each.length === 0))
    throw new OptionError(
      'expected an action, such as "SwitchFailure core busiest", or --each; --list lists actions',
    )
  const asked = argument === '' ? null : actionOf(argument, 'ACTION')
  const remedies = options.with.split(',').filter((text) => text.trim() !== '')
  if (asked === null && remedies.length > 0)
    throw new OptionError('--with goes with an action, not with --each')
  const remedyLines = remedies.map((text) => actionOf(text, origins.with))
  const log = new Logger({ level: 'info', out: process.stderr })
  const branch = file === '' ? newBranchPoint(options, log) : savedBranchPoint(file, origin, options)
  try {
    if (asked === null) askEach(branch, options, origins.zone, log)
    else ask(branch, options, { asked, argument, remedies, remedyLines }, log)
  } catch (error) {
    if (!(error instanceof StateMismatch)) throw error
    throw new OptionError(`${origin}: ${file} cannot be continued: ${error.message}`)
  }
}

interface Asked {
  readonly asked: ActionLine
  readonly argument: string
  readonly remedies: readonly string[]
  readonly remedyLines: readonly ActionLine[]
}

function ask(branch: BranchPoint, options: Options, question: Asked, log: Logger): void {
  const { asked, argument, remedies, remedyLines } = question
  const lastsSeconds = options.for
  const onProgress = progressOf(log, 'Comparing worlds')
  const answer = whatIf({ branch, actions: [asked], lastsSeconds, onProgress })
  if (answer.targets.length === 0)
    throw new OptionError(
      `ACTION: nothing in this world fits ${JSON.stringify(argument)}; --list lists targets`,
    )
  const remedied: Remedied | null =
    remedies.length === 0
      ? null
      : {
          action: remedies.join(' and '),
          ...tollOf(
            { branch, actions: [asked, ...remedyLines], lastsSeconds, onProgress },
            followCustomers(continueFrom(branch), lastsSeconds, everyMinute),
            everyMinute,
          ),
        }
  log.endProgress()
  const at = clockText(continueFrom(branch).nowNs)
  const title = `What if, at ${at}: ${nameOfAction(asked)} at ${answer.targets.join(', ')}`
  console.log(
    options.format === 'json'
      ? jsonText({ question: argument, at, remedied, ...answer })
      : answerText(title, answer, remedied),
  )
}

const nameOfAction = ({ action }: ActionLine): string => ('remedy' in action ? action.remedy : action.action)

/** With keys as elsewhere in JSON, and counts of the series that differ. */
function jsonText(answer: object): string {
  const shown = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return name === 'series' ? value.length : value.map((each) => shown(each))
    if (typeof value !== 'object' || value === null) return value
    const named = Object.entries(value).map(([key, each]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      shown(each, key),
    ])
    return Object.fromEntries(named)
  }
  return JSON.stringify(shown(answer), null, 2)
}

const everyMinute = 60
/** Records are read rarely, as most of the time would go into them. */
const everyLossSeconds = 300

function askEach(
  branch: BranchPoint,
  { each, zone, for: lastsSeconds, format }: Options,
  origin: string,
  log: Logger,
): void {
  const world = continueFrom(branch)
  const at = clockText(world.nowNs)
  const snapshot = world.snapshot()
  const questions = each.flatMap((part) => {
    const ids = partsOf(snapshot, part, zone)
    if (ids === null) {
      const names = snapshot.collections.azs.map(({ display_name: name }) => name).join(', ')
      throw new OptionError(`${origin}: there is no zone ${JSON.stringify(zone)}; there are ${names}`)
    }
    const { action, kind } = losses[part]
    return ids.map((id) => ({ action, kind, id }))
  })
  const startedMs = clock.nowMs()
  const baseline = followCustomers(world, lastsSeconds, everyLossSeconds)
  const found = questions.map(({ action, kind, id }, index): Loss => {
    log.progress(
      `Losing part ${index + 1} of ${questions.length}${timeLeft(index / questions.length, clock.nowMs() - startedMs)}.`,
    )
    const json = JSON.stringify({ do: action, target: { kind, id } })
    const actions = [(parseActionLine(json) as { line: ActionLine }).line]
    const toll = tollOf({ branch, actions, lastsSeconds }, baseline, everyLossSeconds)
    return { name: toll.targets[0] ?? `${kind} ${id}, which cannot fail now`, toll }
  })
  log.endProgress()
  const hurt = ({ toll: { customers } }: Loss): number =>
    customers.filter(({ hurtSeconds }) => hurtSeconds > 0).length
  const ordered = found.toSorted((a, b) => hurt(b) - hurt(a) || b.toll.costDollars - a.toll.costDollars)
  if (format === 'json') console.log(jsonText({ at, lastsSeconds, losses: ordered }))
  else
    console.log(
      `What if, at ${at}, one of these were lost, over the next ${spanText(lastsSeconds)}:\n\n${lossTable(ordered)}`,
    )
}
