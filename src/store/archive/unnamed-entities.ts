import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { CollectionName } from '../../contract/collections.ts'
import type { EntityId } from './mentioned-entities.ts'
import { keptJson } from './mentioned-entities.ts'
import { statementOf } from '../statements.ts'

/** Entities that are asked for at a time. */
const askedMax = 100
/** Bound of the entities whose names are still to be learned, and of those known to be stored. */
const entitiesMax = 50_000

/** An entity's record as of the current snapshot; null if it is gone. */
export interface FoundEntity extends EntityId {
  readonly json: string | null
}

/** The names of entities that records mention. They are learned from the snapshot that is served. */
export class UnnamedEntities {
  readonly #database: DatabaseSync
  /** The last day on which each known entity was mentioned. */
  readonly #known = new Map<string, number>()
  readonly #waiting = new Map<string, EntityId>()
  #world = 0
  #today = 0
  #asked: readonly string[] = []

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Notes what a record mentions on a simulated day. An entity goes with the last record that does. */
  want(world: number, day: number, entities: readonly EntityId[]): void {
    if (world !== this.#world) {
      this.#world = world
      this.#waiting.clear()
      this.#asked = []
      this.forget()
    }
    this.#today = day
    for (const entity of entities) {
      const key = `${entity.collection} ${entity.id}`
      if (this.#known.get(key) === day) continue
      const { changes } = statementOf(
        this.#database,
        'UPDATE entity SET day = ? WHERE world = ? AND collection = ? AND number = ?',
      ).run(day, world, entity.collection, entity.id)
      if (Number(changes) > 0) this.#remember(key)
      else if (!this.#known.has(key) && this.#waiting.size < entitiesMax) this.#waiting.set(key, entity)
    }
  }

  /** Some have been removed: what is stored is read again. */
  forget(): void {
    this.#known.clear()
  }

  /** The next entities to ask for; none while an answer is due. */
  ask(): readonly EntityId[] {
    if (this.#asked.length > 0) return []
    const next = [...this.#waiting].slice(0, askedMax)
    this.#asked = next.map(([key]) => key)
    return next.map(([, entity]) => entity)
  }

  /**
   * Stores an answer; null if there is no snapshot yet. Zones come without being asked for, and replace what is known of
   * them.
   */
  learn(found: readonly FoundEntity[] | null): void {
    if (found === null) {
      this.#asked = []
      return
    }
    if (this.#world !== 0)
      for (const { collection, id, json } of found) if (json !== null) this.#store(collection, id, json)
    for (const key of this.#asked) {
      this.#waiting.delete(key)
      // One that is gone is not asked for again.
      this.#remember(key)
    }
    this.#asked = []
  }

  #store(collection: CollectionName, id: bigint, json: string): void {
    let kept: string
    try {
      kept = keptJson(json)
    } catch {
      return
    }
    statementOf(this.#database, 'INSERT OR REPLACE INTO entity VALUES (?, ?, ?, ?, ?, ?)').run(
      this.#world,
      collection,
      id,
      kept,
      crc32(kept),
      this.#today,
    )
  }

  #remember(key: string): void {
    if (this.#known.size >= entitiesMax) this.#known.clear()
    this.#known.set(key, this.#today)
  }
}
