import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { Micros } from '../../world/simulation/time.ts'

/**
 * The actions that a saved world has taken over, beside its state file, each with the time at which it takes effect. A
 * world that is continued from an earlier moment carries them out again at the same times.
 */
export interface JournalEntry {
  /** The number of the action in this world, from 1. */
  readonly taken: number
  readonly at: Micros
  readonly label: string
  readonly text: string
}

const journalPath = (statePath: string): string => `${statePath}.actions`

export class ActionsJournal {
  readonly #path: string
  readonly #worldId: string
  #isBegun = false

  constructor(statePath: string, worldId: string) {
    this.#path = journalPath(statePath)
    this.#worldId = worldId
  }

  /** The entries of this world, oldest first. */
  read(): JournalEntry[] {
    const [head, ...lines] = readLines(this.#path)
    if (head !== this.#worldId) return []
    this.#isBegun = true
    // The last line may be cut short if the machine lost power.
    return lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as JournalEntry]
      } catch {
        return []
      }
    })
  }

  /** Notes an action before it can take effect. Replaces the journal of another world. */
  add(entry: JournalEntry): void {
    if (!this.#isBegun) writeFileSync(this.#path, `${this.#worldId}\n`)
    this.#isBegun = true
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { flush: true })
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
