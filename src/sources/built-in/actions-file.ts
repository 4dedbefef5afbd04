import { existsSync, statSync } from 'node:fs'
import { answersFileOf } from '../../contract/game-days/action-answer.ts'
import type { ActionAnswer } from '../../contract/game-days/action-answer.ts'
import { appendToFile, FileTooLargeError, readTextFile } from '../../files/regular-file.ts'
import { errorCode, systemErrorText } from '../../files/system-error.ts'
import { second } from '../../world/built-in-world.ts'
import type { BuiltInWorld, ActionOutcome, Micros } from '../../world/built-in-world.ts'
import { parseActionLine } from '../../world/scenario-language.ts'
import type { ActionLine } from '../../world/scenario-language.ts'
import { closestMatch } from '../../text/closest-match.ts'
import { durationText } from '../../text/duration.ts'
import { sqliteErrorText } from '../../store/sqlite-error.ts'
import type { NotedAction, WorldLog } from '../../store/world-log.ts'

/** The number of refused lines that are described one by one. */
const problemsShownMax = 5

/** Reports the outcome of a line to the operator. */
type ActionReport = (isProblem: boolean, message: string) => void

interface ActionsFileOptions {
  readonly path: string
  readonly actions: BuiltInWorld['actions']
  readonly now: () => Micros
  /** Simulated seconds per wall second; 0 means paused. */
  readonly speed: number
  /** Null if the world is not saved. */
  readonly log: Pick<WorldLog, 'actions' | 'took'> | null
  readonly report: ActionReport
  /** Receives each action that found a target, with its line and with what was done in words. */
  readonly onDone?: (outcome: ActionOutcome, line: string, text: string) => void
}

/**
 * Follows a file of actions while the world runs. Changes are detected by size and time, as notifications of changes do
 * not reach containers. Lines are identified by their text: rewriting the file in an editor repeats none of them.
 */
export class ActionsFile {
  readonly #options: ActionsFileOptions
  #seenAs = ''
  /** The reason why the last read failed. */
  #unreadableFor = ''
  /** The number of lines that `announce` has answered. */
  #announced = 0
  #cannotAnswer = false
  /** The lines of actions that wait, by their label. */
  readonly #lines = new Map<string, string>()

  constructor(options: ActionsFileOptions) {
    this.#options = options
    options.actions.onCarriedOut = (outcome) => this.#acknowledge(outcome)
  }

  /** Takes the lines that exist before the world advances. */
  open(): void {
    const { actions, path, report } = this.#options
    const { cursor } = actions.state
    for (const entry of this.#noted()) {
      if (entry.taken <= cursor.taken) continue
      cursor.taken = entry.taken
      cursor.seen?.push(entry.text)
      const parsed = parseActionLine(entry.text)
      if ('line' in parsed)
        this.#wait({ action: parsed.line.action, at: entry.at, label: entry.label }, entry.text)
    }
    this.#announced = cursor.seen?.length ?? 0
    if (cursor.seen !== null) return
    cursor.seen = []
    const lines = this.#newLines()
    const timed = lines.filter(([, text]) => {
      const parsed = parseActionLine(text)
      return 'problem' in parsed || parsed.line.at !== null
    })
    this.#takeAll(timed)
    this.#announced = cursor.seen.length
    const untimed = lines.filter((line) => !timed.includes(line))
    if (untimed.length === 0) return
    const problem = 'without "at" from before the start: not carried out.'
    report(false, `${path}: ${untimed.length === 1 ? '1 line' : `${untimed.length} lines`} ${problem}`)
    this.#answer(untimed.map(([number]) => answer(number, 'refused', `, ${problem}`)))
  }

  /** Answers added lines that only a later poll takes, with the reason. */
  announce(reason: string): void {
    const lines = this.#readIfChanged() ?? []
    // The poll reads the file again.
    this.#seenAs = ''
    const added = lines.slice(this.#announced).map((_, index) => this.#announced + index + 1)
    this.#announced = Math.max(this.#announced, lines.length)
    this.#answer(added.map((number) => answer(number, 'read', `: waits, as ${reason}.`)))
  }

  /** Takes the lines that were added since the last poll. */
  poll(): void {
    this.#takeAll(this.#newLines())
  }

  #noted(): NotedAction[] {
    const { log, report } = this.#options
    try {
      return log?.actions ?? []
    } catch (error) {
      report(true, `Cannot read the actions noted in the file of the session: ${sqliteErrorText(error)}.`)
      return []
    }
  }

  /** Complete lines that were not in the file before, with their numbers. */
  #newLines(): (readonly [number: number, text: string])[] {
    const { cursor } = this.#options.actions.state
    const lines = this.#readIfChanged()
    if (lines === null) return []
    const known = countsOf(cursor.seen ?? [])
    cursor.seen = lines
    return lines.flatMap((text, index) =>
      takeOne(known, text) || text.trim() === '' ? [] : [[index + 1, text] as const],
    )
  }

  #readIfChanged(): string[] | null {
    const { path, report } = this.#options
    try {
      const { size, mtimeMs, ino } = statSync(path)
      const seenAs = `${size} ${mtimeMs} ${ino}`
      if (seenAs === this.#seenAs) return null
      this.#seenAs = seenAs
      const text = readTextFile(path)
      this.#unreadableFor = ''
      // A line without a line break is not complete yet.
      return text.split('\n').slice(0, -1)
    } catch (error) {
      if (error instanceof FileTooLargeError)
        report(true, `${path} ${error.message}, so it is not read: use an empty one.`)
      else this.#reportUnreadable(error)
      return null
    }
  }

  #reportUnreadable(error: unknown): void {
    const { path, report } = this.#options
    this.#seenAs = ''
    // It may appear later.
    const isMissing = errorCode(error) === 'ENOENT'
    const reason = isMissing ? '' : systemErrorText(error)
    if (!isMissing && reason !== this.#unreadableFor) report(true, `Cannot read ${path}: ${reason}.`)
    this.#unreadableFor = reason
  }

  #takeAll(lines: readonly (readonly [number: number, text: string])[]): void {
    const { path, report } = this.#options
    const answers = lines.map(([number, text]) => this.#take(number, text))
    for (const { state, text } of answers) if (state === 'scheduled') report(false, `${path}, ${text}`)
    const problems = answers.filter(({ state }) => state === 'refused')
    for (const { text } of problems.slice(0, problemsShownMax))
      report(true, `${path}, ${text} The line is left out.`)
    const more = problems.length - problemsShownMax
    if (more > 0) report(true, `${path}: ${more} more ${more === 1 ? 'line is' : 'lines are'} left out, too.`)
    this.#answer(answers)
  }

  /** Schedules the action of a line. */
  #take(number: number, text: string): ActionAnswer {
    const parsed = parseActionLine(text)
    if ('problem' in parsed) {
      const { column, message } = parsed.problem
      return answer(number, 'refused', `, column ${column}: ${sentence(message)}`)
    }
    const { at, action } = parsed.line
    const { actions, now } = this.#options
    const { origin } = actions.state
    const due = at === null ? now() : origin + at
    if (due < now())
      return answer(
        number,
        'refused',
        `, column ${text.indexOf('"at"') + 1}: "at" is in the past: expected a time after ${sessionTime(now() - origin)}, or none for now.`,
      )
    this.#inject(parsed.line, due, `${this.#options.path}, ${placeOf(number)}`, text)
    return due > now()
      ? answer(number, 'scheduled', `: ${nameOfAction(action)} waits for ${sessionTime(due - origin)}.`)
      : answer(number, 'read', `: ${nameOfAction(action)} waits for the next step of the world.`)
  }

  #inject({ action }: ActionLine, due: Micros, label: string, text: string): void {
    const { actions, log, report } = this.#options
    const { cursor } = actions.state
    cursor.taken++
    try {
      log?.took({ taken: cursor.taken, at: due, label, text })
    } catch (error) {
      report(
        true,
        `Actions cannot be noted in the file of the session: ${sqliteErrorText(error)}. A restart may lose them.`,
      )
    }
    this.#wait({ action, at: due, label }, text)
  }

  #wait(action: Parameters<ActionsFileOptions['actions']['inject']>[0], text: string): void {
    this.#lines.set(action.label, text)
    this.#options.actions.inject(action)
  }

  #acknowledge(outcome: ActionOutcome): void {
    const { report, actions, speed, onDone } = this.#options
    const { label, began, targets } = outcome
    const when = `at ${sessionTime(began - actions.state.origin)} of the session (${durationText(began / second)} of the world)`
    const found = targets.length > 0
    const message = found
      ? `${doneText(outcome)}, ${when}.${lastsText(outcome, speed)}`
      : notDoneText(outcome, when)
    report(!found, `${label}: ${message}`)
    if (found) onDone?.(outcome, this.#lines.get(label) ?? '', doneText(outcome))
    this.#lines.delete(label)
    // An action may have been noted when its file had another path.
    const place = label.slice(label.lastIndexOf(placeOf('')))
    const state = found ? 'injected' : outcome.existing === null ? 'no-target' : 'refused'
    this.#answer([{ place, state, text: `${place}: ${message}` }])
  }

  /** Appends to the file of answers, which exists once `act` has created it. */
  #answer(answers: readonly ActionAnswer[]): void {
    const path = answersFileOf(this.#options.path)
    if (answers.length === 0 || !existsSync(path)) return
    try {
      appendToFile(path, answers.map((line) => `${JSON.stringify(line)}\n`).join(''))
      this.#cannotAnswer = false
    } catch (error) {
      if (!this.#cannotAnswer)
        this.#options.report(true, `Cannot answer in ${path}: ${systemErrorText(error)}.`)
      this.#cannotAnswer = true
    }
  }
}

const nameOfAction = (action: ActionLine['action']): string =>
  'remedy' in action ? action.remedy : action.action

const doneText = ({ action, targets }: ActionOutcome): string =>
  'remedy' in action
    ? `ordered: ${action.remedy} ${targets[0]}`.replace(/\b(cable|feed|pool) (?:power )?\1 /, '$1 ')
    : `injected ${action.action} at ${listed(targets)}`

/** How long an action lasts, in the world and by the clock. */
function lastsText({ action }: ActionOutcome, speed: number): string {
  if ('remedy' in action || action.duration === null) return ''
  const seconds = action.duration / second
  const wall = speed > 0 && speed !== 1 ? `, ${durationText(seconds / speed)} of yours` : ''
  return ` It lasts ${durationText(seconds)}${wall}, unless it is repaired before.`
}

function notDoneText({ action, names, existing }: ActionOutcome, when: string): string {
  if (!('remedy' in action)) return `${action.action} found no ${action.target.kind} that fits, ${when}.`
  if (existing !== null)
    return `${action.remedy} is not ordered again: ${existing}, does it already; await its end, ${when}.`
  const match = closestMatch(action.on, names)
  const advice = match === null ? 'write a name as dashboards show it' : `did you mean "${match}"?`
  return sentence(`${action.remedy}: nothing that it is for has the name "${action.on}"; ${advice}`)
}

const placeOf = (number: number | ''): string => `line ${number}`

const answer = (number: number, state: ActionAnswer['state'], message: string): ActionAnswer => ({
  place: placeOf(number),
  state,
  text: `${placeOf(number)}${message}`,
})

const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

const listedMax = 3

const listed = (names: readonly string[]): string =>
  names.length <= listedMax ? names.join(', ') : `${names[0]} and ${names.length - 1} others`

/** Time in the form of "at"; zero before the end of the warm-up. */
const sessionTime = (since: Micros): string => durationText(Math.max(0, since) / second)

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

/** Removes one occurrence of a line; false if there is none. */
function takeOne(counts: Map<string, number>, line: string): boolean {
  const count = counts.get(line) ?? 0
  if (count > 0) counts.set(line, count - 1)
  return count > 0
}
