import type { LogLevel } from '../options/service-settings.ts'

const progressEveryMs = { terminal: 200, log: 5_000 } as const

/** What nobody reads any more, or has no room, is dropped: to tell is not worth ending for. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Tells people what goes on: faults always, the rest as the level has it. */
export class Reporter {
  readonly #level: LogLevel
  readonly #out: NodeJS.WriteStream
  #progressShown = false

  /** What is said goes to standard output, unless that is where the work itself goes. */
  constructor(level: LogLevel, out: NodeJS.WriteStream = process.stdout) {
    this.#level = level
    this.#out = out
  }

  fault(line: string): void {
    this.#endProgress()
    console.error(line)
  }

  info(line: string): void {
    if (this.#level === 'quiet') return
    this.#endProgress()
    this.#out.write(`${line}\n`)
  }

  debug(line: string): void {
    if (this.#level === 'debug') this.info(line)
  }

  /** One line that is written over on a terminal, and now and then a line of its own elsewhere. */
  progress(line: string): void {
    if (!this.#out.isTTY || this.#level === 'quiet') {
      this.info(line)
      return
    }
    this.#out.write(`\r\x1b[K${line}`)
    this.#progressShown = true
  }

  get progressEveryMs(): number {
    return this.#out.isTTY ? progressEveryMs.terminal : progressEveryMs.log
  }

  #endProgress(): void {
    if (this.#progressShown) this.#out.write('\r\x1b[K')
    this.#progressShown = false
  }
}
