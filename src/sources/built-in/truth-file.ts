import { appendFileSync, readFileSync } from 'node:fs'
import type { TruthLine } from '../../contract/truth-line.ts'
import { writeErrorText } from '../../recording/recording-error.ts'
import { truthLineOf } from '../../world/records/operations/truth.ts'
import type { FaultRecord } from '../../world/simulation/truth/fault-log.ts'
import type { RunningWorld } from '../../world/simulation/world.ts'

interface TruthFileOptions {
  readonly path: string
  readonly worldId: string
  readonly onProblem: (message: string) => void
}

/**
 * Writes a line for each fault that is over. After a restart, a world lives through some steps again: what its file has
 * already is not written twice.
 */
export class TruthFile {
  readonly #options: TruthFileOptions
  readonly #written: Set<number>
  #isFailing = false

  constructor(options: TruthFileOptions) {
    this.#options = options
    this.#written = writtenIn(options.path, options.worldId)
    // Whether it can be written shows now, rather than after the first fault.
    this.#append([])
  }

  /** The fault is over. */
  write(world: RunningWorld, record: FaultRecord): void {
    if (this.#written.has(record.fault.id)) return
    this.#written.add(record.fault.id)
    this.#append([truthLineOf(world, this.#options.worldId, record)])
  }

  /** Writes what is known of faults that are not over. */
  close(world: RunningWorld): void {
    const open = [...(world.faultLog?.state.open.values() ?? [])]
    const left = open.filter(({ fault }) => !this.#written.has(fault.id))
    this.#append(left.map((record) => truthLineOf(world, this.#options.worldId, record)))
  }

  #append(lines: readonly TruthLine[]): void {
    const { path, onProblem } = this.#options
    try {
      appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) onProblem(`Cannot write the truth to ${path}: ${writeErrorText(path, error)}.`)
      this.#isFailing = true
    }
  }
}

/** Faults of a world that ended, and that a file has. */
function writtenIn(path: string, worldId: string): Set<number> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return new Set()
  }
  const ids = text.split('\n').flatMap((line) => {
    try {
      const { world, fault, end, incidents } = JSON.parse(line) as TruthLine
      const isOver = end !== null && incidents.every(({ resolved_after_s: after }) => after !== null)
      return world === worldId && isOver ? [fault] : []
    } catch {
      return []
    }
  })
  return new Set(ids)
}
