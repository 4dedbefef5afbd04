import type { LogLevel } from '../options/service-settings.ts'

const progressEveryMs = { terminal: 200, log: 5_000 } as const

/** Tells people what goes on: faults always, the rest as the level has it. */
export class Reporter {
  readonly #level: LogLevel
  readonly #terminal = process.stdout.isTTY
  #progressShown = false

  constructor(level: LogLevel) {
    this.#level = level
  }

  fault(line: string): void {
    this.#endProgress()
    console.error(line)
  }

  info(line: string): void {
    if (this.#level === 'quiet') return
    this.#endProgress()
    console.log(line)
  }

  debug(line: string): void {
    if (this.#level === 'debug') this.info(line)
  }

  /** One line that is written over on a terminal, and now and then a line of its own elsewhere. */
  progress(line: string): void {
    if (!this.#terminal || this.#level === 'quiet') {
      this.info(line)
      return
    }
    process.stdout.write(`\r\x1b[K${line}`)
    this.#progressShown = true
  }

  get progressEveryMs(): number {
    return this.#terminal ? progressEveryMs.terminal : progressEveryMs.log
  }

  #endProgress(): void {
    if (this.#progressShown) process.stdout.write('\r\x1b[K')
    this.#progressShown = false
  }
}
