import type { TextList } from '../../src/store/recording/codec/text-list.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'

interface Item {
  readonly id: bigint
  readonly text: string
}

/** A list in the form that frames contain. */
export function listOf(items: readonly Item[]): TextList {
  const texts = items.map(({ text }) => Buffer.from(text))
  const starts = new Uint32Array(items.length + 1)
  for (const [i, text] of texts.entries()) starts[i + 1] = starts[i] + text.length + 1
  const bytes = Buffer.from(items.map(({ text }) => text).join(','))
  return { bytes, starts, ids: BigInt64Array.from(items, ({ id }) => id) }
}

export const itemsOf = ({ bytes, starts, ids }: TextList): Item[] =>
  [...ids].map((id, i) => ({
    id,
    text: Buffer.from(bytes.subarray(starts[i], starts[i + 1] - 1)).toString(),
  }))

/** Numbers in unusual notations, and at the limits of exact deltas. */
const oddNumbers = (
  '0 -0 00 1. 1.50 1e5 -1.5E+10 0.1 -0.5 -7 12.3456 0.000000001 0.0000000001 123456789.123456789 ' +
  '999999999999999 1000000000000000 2251799813685247 2251799813685248 9007199254740993 ' +
  '9223372036854775806 9223372036854775807 -9223372036854775808 123456789012345678901'
).split(' ')
const oddTexts = ['', 'Zürich · 東京 · 🜁', 'say \\"hi\\"', '12', 'a:1,2', '[3', ',-', '\\u0000']

/** Texts that change randomly, in every way that records can. */
export class ChangingTexts {
  readonly #chance: SeededRandom
  #items: { id: bigint; parts: string[] }[] = []

  constructor(seed: number) {
    this.#chance = new SeededRandom(seed)
  }

  get items(): Item[] {
    return this.#items.map(({ id, parts }) => ({ id, text: `{"id":${id},"of":[${parts.join(',')}]}` }))
  }

  change(): void {
    const chance = this.#chance
    for (const item of this.#items) if (chance.oneIn(2)) item.parts = this.#changed(item.parts)
    if (chance.oneIn(4)) this.#items = this.#items.filter(() => !chance.oneIn(5))
    while (this.#items.length < 12 && chance.oneIn(2)) {
      const id = chance.oneIn(3) ? 2n ** 63n - 1n - BigInt(chance.below(9)) : BigInt(chance.below(1000))
      this.#items.splice(chance.below(this.#items.length + 1), 0, { id, parts: this.#changed([]) })
    }
  }

  #changed(parts: readonly string[]): string[] {
    const chance = this.#chance
    const next = parts.map((part) => (chance.oneIn(3) ? this.#stepped(part) : part))
    while (chance.oneIn(6) && next.length > 0) next.splice(chance.below(next.length), 1)
    while (chance.oneIn(4)) next.splice(chance.below(next.length + 1), 0, this.#part())
    return next
  }

  #stepped(part: string): string {
    const number = Number(part)
    if (this.#chance.oneIn(6) || Number.isNaN(number) || part === '') return this.#part()
    if (/^-?[0-9]+$/.test(part))
      return String(BigInt(part) + BigInt(this.#chance.below(2_000_000) - 1_000_000))
    return String(Math.round(number * 100 + this.#chance.below(100)) / 100)
  }

  #part(): string {
    const chance = this.#chance
    if (chance.oneIn(3)) return `"${chance.pick(oddTexts)}"`
    if (chance.oneIn(8)) return 'null'
    return chance.oneIn(2) ? chance.pick(oddNumbers) : String(chance.below(100_000) / 100)
  }
}
