import type { JsonItem } from './joined-items.ts'

const isSame = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, other) === 0

/** Finds the items of successive lists that differ from those of the list that was stored last. */
export class ChangedItems {
  #stored: ReadonlyMap<bigint, Uint8Array> = new Map()
  #items: readonly JsonItem[] = []

  /** The latest list, not yet stored. */
  set latest(items: readonly JsonItem[]) {
    this.#items = items
  }

  get ids(): readonly bigint[] {
    return this.#items.map(({ id }) => id)
  }

  get changed(): readonly JsonItem[] {
    return this.#items.filter(({ id, json }) => !isSame(this.#stored.get(id), json))
  }

  /** The latest list is stored. */
  store(): void {
    this.#stored = new Map(this.#items.map(({ id, json }) => [id, json]))
  }

  forget(): void {
    this.#stored = new Map()
  }
}
