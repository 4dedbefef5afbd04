import { truthBytesMax, type TruthLine } from '../../contract/truth-line.ts'
import { appendToFile, FileTooLargeError, readTextFile } from '../../files/regular-file.ts'
import { writeErrorText } from '../../files/system-error.ts'
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
    this.#written = this.#readWritten()
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

  #readWritten(): Set<number> {
    const { path, worldId, onProblem } = this.#options
    try {
      return faultsOver(readTextFile(path, truthBytesMax), worldId)
    } catch (error) {
      // A file that cannot be opened cannot be written, which is said then.
      if (error instanceof FileTooLargeError)
        onProblem(
          `${path} ${error.message}, so it is not read: faults from before a restart may be in it twice.`,
        )
      return new Set()
    }
  }

  #append(lines: readonly TruthLine[]): void {
    const { path, onProblem } = this.#options
    try {
      appendToFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) onProblem(`Cannot write the truth to ${path}: ${writeErrorText(path, error)}.`)
      this.#isFailing = true
    }
  }
}

/** The faults of a world that are over in the text of a truth file. */
function faultsOver(text: string, worldId: string): Set<number> {
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
