import { truthBytesMax } from '../../contract/game-days/truth-line.ts'
import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import { appendToFile, FileTooLargeError, readTextFile } from '../../files/regular-file.ts'
import { writeErrorText } from '../../files/system-error.ts'
import type { FaultTruth } from '../../world/built-in-world.ts'

interface TruthFileOptions {
  readonly path: string
  readonly worldId: string
  readonly onProblem: (message: string) => void
}

/**
 * Writes a line for each fault that has ended. After a restart, a world repeats some steps: faults that its file
 * already contains are not written twice.
 */
export class TruthFile {
  readonly #options: TruthFileOptions
  readonly #written: Set<number>
  #isFailing = false

  constructor(options: TruthFileOptions) {
    this.#options = options
    this.#written = this.#readWritten()
    // Reports an unwritable file now, rather than after the first fault.
    this.#append([])
  }

  /** Writes the line of a fault that has ended. */
  write(fault: FaultTruth): void {
    if (this.#written.has(fault.fault)) return
    this.#written.add(fault.fault)
    this.#append([fault])
  }

  /** Writes faults that have not ended. */
  close(open: readonly FaultTruth[]): void {
    this.#append(open.filter(({ fault }) => !this.#written.has(fault)))
  }

  #readWritten(): Set<number> {
    const { path, worldId, onProblem } = this.#options
    try {
      return faultsOver(readTextFile(path, truthBytesMax), worldId)
    } catch (error) {
      // A file that cannot be opened cannot be written either; the write reports it.
      if (error instanceof FileTooLargeError)
        onProblem(
          `${path} ${error.message}, so it is not read: faults from before a restart may be in it twice.`,
        )
      return new Set()
    }
  }

  #append(faults: readonly FaultTruth[]): void {
    const { path, worldId, onProblem } = this.#options
    const lines = faults.map((fault): TruthLine => ({ world: worldId, ...fault }))
    try {
      appendToFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) onProblem(`Cannot write the truth to ${path}: ${writeErrorText(path, error)}.`)
      this.#isFailing = true
    }
  }
}

/** Ids of the faults of a world that have ended according to a truth file. */
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
