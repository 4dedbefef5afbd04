import type { LogLevel } from '../options/service-settings.ts'
import { printable } from '../text/printable.ts'

const progressIntervalMs = { terminal: 200, log: 5_000 } as const

/** A line that was logged is not repeated for this long; its repetitions are counted instead. */
export const repeatIntervalMs = 60_000

/** Distinct lines whose repetitions are suppressed at a time; beyond it, lines are logged without suppression. */
const rememberedLinesMax = 100

/** A log that can no longer be written, as its reader has exited or its disk is full, is no reason to exit. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

interface LoggerOptions {
  readonly level: LogLevel
  /** The stream of everything but errors: standard output, unless that carries the command's own output. */
  readonly out?: NodeJS.WriteStream
  readonly err?: NodeJS.WriteStream
}

/** Logs lines: errors always, the rest by its level. Every text is written as one line. */
export class Logger {
  readonly #level: LogLevel
  readonly #out: NodeJS.WriteStream
  readonly #err: NodeJS.WriteStream
  /** Errors logged within the last `repeatIntervalMs`, each with the number of its repetitions since. */
  readonly #repetitions = new Map<string, number>()
  #lastProgress = ''
  #progressShown = false

  constructor({ level, out = process.stdout, err = process.stderr }: LoggerOptions) {
    this.#level = level
    this.#out = out
    this.#err = err
  }

  /** Logs an error. Repetitions of the same line are counted and summed up once per interval. */
  error(text: string): void {
    const line = printable(text)
    const repetitions = this.#repetitions.get(line)
    if (repetitions !== undefined) {
      this.#repetitions.set(line, repetitions + 1)
      return
    }
    this.#writeError(line)
    if (this.#repetitions.size >= rememberedLinesMax) return
    this.#repetitions.set(line, 0)
    setTimeout(() => this.#sumUp(line), repeatIntervalMs).unref()
  }

  info(text: string): void {
    if (this.#level === 'quiet') return
    this.endProgress()
    this.#out.write(`${printable(text)}\n`)
  }

  debug(text: string): void {
    if (this.#level === 'debug') this.info(text)
  }

  /**
   * Shows progress: on a terminal in one line that is overwritten, elsewhere in a new line whenever the text changed.
   */
  progress(text: string): void {
    if (this.#level === 'quiet') return
    const line = printable(text)
    // A line that has been logged as an error is not repeated as progress.
    if (line === this.#lastProgress || this.#repetitions.has(line)) return
    this.#lastProgress = line
    if (!this.#out.isTTY) {
      this.info(text)
      return
    }
    this.#out.write(`\r\x1b[K${line}`)
    this.#progressShown = true
  }

  get progressIntervalMs(): number {
    return this.#out.isTTY ? progressIntervalMs.terminal : progressIntervalMs.log
  }

  /** Removes the line of progress on a terminal. */
  endProgress(): void {
    if (this.#progressShown) this.#out.write('\r\x1b[K')
    this.#progressShown = false
  }

  #sumUp(line: string): void {
    const repetitions = this.#repetitions.get(line)!
    this.#repetitions.delete(line)
    if (repetitions === 0) return
    this.#repetitions.set(line, 0)
    setTimeout(() => this.#sumUp(line), repeatIntervalMs).unref()
    const times = repetitions === 1 ? 'once more' : `${repetitions} more times`
    this.#writeError(`Repeated ${times} in the last ${repeatIntervalMs / 1000} s: ${line}`)
  }

  #writeError(line: string): void {
    this.endProgress()
    this.#err.write(`${line}\n`)
  }
}
