import type { RecordType } from '../../contract/fields.ts'
import { Refusal } from '../../encoding/exact-reading.ts'
import { ListReader } from '../../encoding/read-list.ts'
import type { ReadItems } from '../../encoding/read-list.ts'
import { SourceTrouble } from '../source.ts'
import type { Body } from './body.ts'

/** A list of the server's, with the answers whose bytes it still reads. */
export class HeldList {
  readonly #reader: ListReader
  #held: readonly Body[] = []
  #spent: readonly Body[] = []
  #items: ReadItems | null = null
  /** How many items the last read found changed. */
  changed = 0

  constructor(name: string, type: RecordType, keyField: 'id' | 'at_ns') {
    this.#reader = new ListReader(name, type, keyField)
  }

  /** Takes over the answers. Those that are not needed any more are kept until `release`. */
  read(bodies: readonly Body[]): ReadItems {
    let items
    try {
      items = this.#itemsOf(bodies)
    } catch (error) {
      free(bodies)
      if (!(error instanceof Refusal)) throw error
      throw new SourceTrouble('bad_record', `The server sent what is refused: ${error.message}`)
    }
    const isSame = items === this.#items
    this.#spent = isSame ? bodies : this.#held
    if (!isSame) this.#held = bodies
    this.#items = items
    this.changed = isSame ? 0 : items.changed
    return items
  }

  /** Refuses nothing for where it was only guessed to end. */
  #itemsOf(bodies: readonly Body[]): ReadItems {
    try {
      return this.#reader.read(bodies.map((body) => body.items('items')))
    } catch (error) {
      const scanned = bodies.filter((body) => body.scan())
      if (scanned.length === 0) throw error
      return this.#reader.read(bodies.map((body) => body.items('items')))
    }
  }

  release(): void {
    free(this.#spent)
    this.#spent = []
  }
}

const free = (bodies: readonly Body[]): void => {
  for (const { answer } of bodies) answer.free()
}
