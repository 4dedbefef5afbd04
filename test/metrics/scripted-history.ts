import { historyMetrics } from '../../src/contract/history.ts'
import type { HistoryEntity, WorldHistory } from '../../src/contract/history.ts'

/** A history whose values are a function of entity, metric and step number. */
export class ScriptedHistory implements WorldHistory {
  version = 1
  entities: readonly HistoryEntity[]
  step = 0
  readonly #state: (entity: HistoryEntity, metric: string, step: number) => number

  constructor(
    entities: readonly HistoryEntity[],
    state: (entity: HistoryEntity, metric: string, step: number) => number,
  ) {
    this.entities = entities
    this.#state = state
  }

  become(entities: readonly HistoryEntity[]): void {
    this.entities = entities
    this.version++
  }

  sample(into: Float64Array): void {
    let at = 0
    for (const entity of this.entities) {
      for (const metric of Object.keys(historyMetrics[entity.subject])) {
        into[at++] = this.#state(entity, metric, this.step)
      }
    }
  }
}

export const tenSecondsNs = 10_000_000_000n
