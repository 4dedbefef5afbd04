import type { SessionAction, SessionClosing, SessionOpening } from '../../contract/game-days/session-line.ts'
import { sessionFileOf } from '../../contract/game-days/session-line.ts'
import type { TruthMoment } from '../../contract/game-days/truth-line.ts'
import { appendToFile } from '../../files/regular-file.ts'
import { writeErrorText } from '../../files/system-error.ts'
import type { SimulationSpec } from './kind.ts'

type Unnamed<T> = Omit<T, 'world'>

/** Writes the file about the session beside a truth file. */
export class SessionLog {
  readonly #path: string
  readonly #worldId: string
  readonly #onProblem: (message: string) => void

  constructor(truthPath: string, worldId: string, onProblem: (message: string) => void) {
    this.#path = sessionFileOf(truthPath)
    this.#worldId = worldId
    this.#onProblem = onProblem
  }

  open({ seed, scale, speed, warmupNs, blind = false, gameDay }: SimulationSpec, began: TruthMoment): void {
    const scenario = gameDay?.scenario ?? ''
    const opened = {
      seed: String(seed),
      scale,
      speed,
      warmup_s: Number(warmupNs) / 1e9,
      scenario,
      blind,
      began,
    }
    this.note({ opened })
  }

  note(line: Unnamed<SessionOpening> | Unnamed<SessionAction> | Unnamed<SessionClosing>): void {
    try {
      appendToFile(this.#path, `${JSON.stringify({ world: this.#worldId, ...line })}\n`)
    } catch (error) {
      this.#onProblem(`Cannot write the session to ${this.#path}: ${writeErrorText(this.#path, error)}.`)
    }
  }
}
