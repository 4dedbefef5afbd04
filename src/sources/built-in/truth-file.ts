import { truthBytesMax } from '../../contract/game-days/truth-line.ts'
import type { TruthLine, TruthSession } from '../../contract/game-days/truth-line.ts'
import { appendToFile, FileTooLargeError, readTextFile } from '../../files/regular-file.ts'
import { writeErrorText } from '../../files/system-error.ts'
import type { FaultTruth } from '../../world/built-in-world.ts'

interface TruthFileOptions {
  readonly path: string
  readonly worldId: string
  readonly onProblem: (message: string) => void
}

/**
 * Writes a line for each fault that has ended, and for each other one as it is now. After a restart, a world repeats some
 * steps: faults that its file already contains are not written twice.
 */
export class TruthFile {
  readonly #options: TruthFileOptions
  readonly #written: Set<number>
  /** The last line of each fault that has not ended, apart from the revenue, which changes all the time. */
  readonly #open = new Map<number, string>()
  #isFailing = false

  constructor(options: TruthFileOptions) {
    this.#options = options
    this.#written = this.#readWritten()
    // Reports an unwritable file now, rather than after the first fault.
    this.#append('')
  }

  /** Writes the line of a fault that has ended. */
  write(fault: FaultTruth, session: TruthSession | null = null): void {
    if (this.#written.has(fault.fault)) return
    this.#written.add(fault.fault)
    this.#open.delete(fault.fault)
    this.#append(this.#lineOf(fault, session))
  }

  /** Writes faults that have not ended, as far as their lines are new. */
  writeOpen(faults: readonly FaultTruth[], session: TruthSession | null = null): void {
    let text = ''
    for (const fault of faults) {
      const known = this.#lineOf({ ...fault, revenue_hurt_dollars: 0 }, session)
      if (this.#written.has(fault.fault) || this.#open.get(fault.fault) === known) continue
      this.#open.set(fault.fault, known)
      text += this.#lineOf(fault, session)
    }
    if (text !== '') this.#append(text)
  }

  #lineOf(fault: FaultTruth, session: TruthSession | null): string {
    const line: TruthLine = { world: this.#options.worldId, session, ...fault }
    return `${JSON.stringify(line)}\n`
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

  #append(text: string): void {
    const { path, onProblem } = this.#options
    try {
      appendToFile(path, text)
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
