/** The file in which a mirror answers what becomes of the lines in its file of actions. */
import { chmodSync, closeSync, existsSync, ftruncateSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { answersFileOf } from '../../contract/game-days/action-answer.ts'
import type { ActionAnswer } from '../../contract/game-days/action-answer.ts'
import { openRegularFile, readRegularFile, readTextFile } from '../../files/regular-file.ts'
import { processClock as clock } from '../../process/clock.ts'

/** Answers of earlier actions are removed beyond this size. */
const answersBytesMax = 1 << 20
const pollIntervalMs = 50
/** A mirror looks at its file of actions five times a second, but the steps of a large world may take longer. */
const readWithinMs = 5_000

interface Waiting {
  readonly timeoutMs: number
  readonly onProgress: (text: string) => void
}

export class ActionAnswers {
  readonly #actionsPath: string
  readonly #path: string
  /** Earlier answers end here. */
  #from: number

  /** Creates the file unless it exists. The mirror may run as another user, in a container. */
  constructor(actionsPath: string) {
    this.#actionsPath = actionsPath
    this.#path = answersFileOf(actionsPath)
    const isNew = !existsSync(this.#path)
    closeSync(openRegularFile(this.#path, 'append'))
    if (isNew) chmodSync(this.#path, 0o666)
    this.#from = readRegularFile(this.#path).length
    if (this.#from > answersBytesMax) this.#empty()
  }

  #empty(): void {
    const file = openRegularFile(this.#path, 'update')
    ftruncateSync(file)
    closeSync(file)
    this.#from = 0
  }

  /**
   * Waits for what becomes of a line that has been appended. Returns the last answer: that the line was read, if the
   * time is up; null if no mirror reads the file.
   */
  async of(line: string, { timeoutMs, onProgress }: Waiting): Promise<ActionAnswer | null> {
    const lines = readTextFile(this.#actionsPath).split('\n')
    const place = `line ${lines.lastIndexOf(line) + 1}`
    const beganMs = clock.nowMs()
    onProgress(`Waiting for a mirror to read ${this.#actionsPath}`)
    for (;;) {
      const latest = this.#read().findLast((answer) => answer.place === place) ?? null
      if (latest !== null && latest.state !== 'read') return latest
      if (latest !== null) onProgress(`${this.#actionsPath}, ${latest.text}`)
      const waitedMs = clock.nowMs() - beganMs
      if (waitedMs >= (latest === null ? Math.min(timeoutMs, readWithinMs) : timeoutMs)) return latest
      await pause(pollIntervalMs)
    }
  }

  #read(): ActionAnswer[] {
    const bytes = readRegularFile(this.#path)
    // Another `act` may have emptied the file.
    const from = bytes.length < this.#from ? 0 : this.#from
    const complete = bytes.toString('utf8', from).split('\n').slice(0, -1)
    return complete.flatMap((text) => parsed(text) ?? [])
  }
}

function parsed(text: string): ActionAnswer | null {
  try {
    const answer = JSON.parse(text) as ActionAnswer | null
    return typeof answer?.text === 'string' ? answer : null
  } catch {
    return null
  }
}
