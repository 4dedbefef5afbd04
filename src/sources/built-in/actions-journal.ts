import { closeSync } from 'node:fs'
import { appendToFile, openRegularFile, readTextFile, writeAll } from '../../files/regular-file.ts'
import { errorCode } from '../../files/system-error.ts'
import type { Micros } from '../../world/built-in-world.ts'

/**
 * The actions that a saved world has taken, stored beside its state file, each with the time at which it takes effect.
 * A world that continues from an earlier state repeats them at the same times.
 */
export interface JournalEntry {
  /** The number of the action in this world, from 1. */
  readonly taken: number
  readonly at: Micros
  readonly label: string
  readonly text: string
}

/** Enough for many years of game days. */
const journalBytesMax = 64 << 20

function readEntry(line: string): JournalEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry> | null
    const isWhole = [entry?.taken, entry?.at].every(Number.isSafeInteger) && typeof entry?.text === 'string'
    return isWhole ? { ...(entry as JournalEntry), label: String(entry.label) } : null
  } catch {
    return null
  }
}

export class ActionsJournal {
  readonly #path: string
  readonly #worldId: string
  #isBegun = false

  constructor(statePath: string, worldId: string) {
    this.#path = `${statePath}.actions`
    this.#worldId = worldId
  }

  /** The entries of this world, oldest first. Throws if the journal exists but cannot be read. */
  read(): JournalEntry[] {
    const [head, ...lines] = this.#readLines()
    if (head !== this.#worldId) return []
    this.#isBegun = true
    // The last line may be cut short if the machine lost power.
    return lines.flatMap((line) => readEntry(line) ?? [])
  }

  /** Records an action before it can take effect. Replaces the journal of another world. */
  add(entry: JournalEntry): void {
    if (!this.#isBegun) this.#begin()
    this.#isBegun = true
    appendToFile(this.#path, `${JSON.stringify(entry)}\n`, true)
  }

  #begin(): void {
    const file = openRegularFile(this.#path, 'replace')
    try {
      writeAll(file, Buffer.from(`${this.#worldId}\n`))
    } finally {
      closeSync(file)
    }
  }

  #readLines(): string[] {
    try {
      return readTextFile(this.#path, journalBytesMax).split('\n')
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    }
  }
}
