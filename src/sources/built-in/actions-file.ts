import { statSync } from 'node:fs'
import { FileTooLargeError, readTextFile } from '../../files/regular-file.ts'
import { errorCode, systemErrorText } from '../../files/system-error.ts'
import { second } from '../../world/built-in-world.ts'
import type { BuiltInWorld, ActionOutcome, Micros } from '../../world/built-in-world.ts'
import { parseActionLine } from '../../world/scenario-language.ts'
import type { ActionLine } from '../../world/scenario-language.ts'
import { durationText } from '../../text/duration.ts'
import type { ActionsJournal, JournalEntry } from './actions-journal.ts'

/** Larger files are not read: actions are written by hand. */
const fileBytesMax = 4 << 20

/** The number of refused lines that are described one by one. */
const problemsShownMax = 5

/** Reports the outcome of a line to the operator. */
type ActionReport = (isProblem: boolean, message: string) => void

interface ActionsFileOptions {
  readonly path: string
  readonly actions: BuiltInWorld['actions']
  readonly now: () => Micros
  /** Null if the world is not saved. */
  readonly journal: ActionsJournal | null
  readonly report: ActionReport
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

  constructor(options: ActionsFileOptions) {
    this.#options = options
    options.actions.onCarriedOut = (outcome) => this.#acknowledge(outcome)
  }

  /** Takes the lines that exist before the world advances. */
  open(): void {
    const { actions, journal, path, report } = this.#options
    const { cursor } = actions.state
    for (const entry of this.#journaled(journal)) {
      if (entry.taken <= cursor.taken) continue
      cursor.taken = entry.taken
      cursor.seen?.push(entry.text)
      const parsed = parseActionLine(entry.text)
      if ('line' in parsed) actions.inject({ action: parsed.line.action, at: entry.at, label: entry.label })
    }
    if (cursor.seen !== null) return
    cursor.seen = []
    const lines = this.#newLines()
    const timed = lines.filter(([, text]) => {
      const parsed = parseActionLine(text)
      return 'problem' in parsed || parsed.line.at !== null
    })
    this.#takeAll(timed)
    const untimed = lines.length - timed.length
    if (untimed > 0)
      report(
        false,
        `${path}: ${untimed === 1 ? '1 line' : `${untimed} lines`} without "at" from before the start: not carried out.`,
      )
  }

  /** Takes the lines that were added since the last poll. */
  poll(): void {
    this.#takeAll(this.#newLines())
  }

  #journaled(journal: ActionsJournal | null): JournalEntry[] {
    try {
      return journal?.read() ?? []
    } catch (error) {
      const reason = systemErrorText(error)
      this.#options.report(true, `Cannot read the actions noted beside the state file: ${reason}.`)
      return []
    }
  }

  /** Complete lines that were not in the file before, with their numbers. */
  #newLines(): (readonly [number: number, text: string])[] {
    const { cursor } = this.#options.actions.state
    const lines = this.#readIfChanged()
    if (lines === null) return []
    const before = cursor.seen ?? []
    cursor.seen = lines
    const isLonger = before.every((line, index) => lines[index] === line)
    const known = isLonger ? null : countsOf(before)
    return lines.flatMap((text, index) => {
      const isKnown = known === null ? index < before.length : takeOne(known, text)
      return isKnown || text.trim() === '' ? [] : [[index + 1, text] as const]
    })
  }

  #readIfChanged(): string[] | null {
    const { path, report } = this.#options
    try {
      const { size, mtimeMs, ino } = statSync(path)
      const seenAs = `${size} ${mtimeMs} ${ino}`
      if (seenAs === this.#seenAs) return null
      this.#seenAs = seenAs
      const text = readTextFile(path, fileBytesMax)
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
    const problems = lines.flatMap(([number, text]) => this.#take(number, text) ?? [])
    for (const problem of problems.slice(0, problemsShownMax))
      report(true, `${problem} The line is left out.`)
    const more = problems.length - problemsShownMax
    if (more > 0) report(true, `${path}: ${more} more ${more === 1 ? 'line is' : 'lines are'} left out, too.`)
  }

  /** Schedules the action of a line, or returns an error message. */
  #take(number: number, text: string): string | null {
    const label = `${this.#options.path}, line ${number}`
    const parsed = parseActionLine(text)
    if ('problem' in parsed) {
      const { column, message } = parsed.problem
      return `${label}, column ${column}: ${sentence(message)}`
    }
    const refusal = this.#inject(parsed.line, label, text)
    return refusal === null ? null : `${label}, column ${text.indexOf('"at"') + 1}: ${refusal}.`
  }

  #inject({ at, action }: ActionLine, label: string, text: string): string | null {
    const { actions, now, journal, report } = this.#options
    const { origin, cursor } = actions.state
    const due = at === null ? now() : origin + at
    if (due < now())
      return `"at" is in the past: expected a time after ${sessionTime(now() - origin)}, or none for now`
    cursor.taken++
    try {
      journal?.add({ taken: cursor.taken, at: due, label, text })
    } catch (error) {
      report(
        true,
        `Actions cannot be noted beside the state file: ${(error as Error).message}. A restart may lose them.`,
      )
    }
    actions.inject({ action, at: due, label })
    if (due > now()) report(false, `${label}: ${action.action} waits for ${sessionTime(due - origin)}.`)
    return null
  }

  #acknowledge({ label, action, began, targets }: ActionOutcome): void {
    const { report, actions } = this.#options
    const when = `at ${sessionTime(began - actions.state.origin)} of the session (${durationText(began / second)} of the world)`
    if (targets.length === 0)
      report(true, `${label}: ${action.action} found no ${action.target.kind} that fits, ${when}.`)
    else report(false, `${label}: injected ${action.action} at ${listed(targets)}, ${when}.`)
  }
}

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
