import { units } from '../../src/contract/fields.ts'
import type { Field, RecordType } from '../../src/contract/fields.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'

type Plain = Record<string, unknown>

const texts = [
  '',
  'web-017',
  'say "hi"',
  'C:\\racks',
  'tab\tline\nend',
  '\u0000\u001f\u007f',
  'Zürich · 東京 · 🜁',
  'lone \ud83d high',
  'low \udc00 lone',
  'a rather long description of what is wrong with this part, so that it passes the short path',
  'ein längerer Text mit Umlauten, der nicht mehr auf dem kurzen Weg geschrieben werden kann',
]
const integers = [
  0,
  1,
  9,
  10,
  99,
  100,
  12_345,
  2 ** 31 - 1,
  2 ** 31,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
  -7,
]
const wideIntegers = [2n ** 53n + 1n, 2n ** 63n - 1n, 0n, 42n, -1n, 9_007_199_254_740_993n]
const decimals = [
  0,
  -0,
  0.1,
  -0.25,
  99.99,
  1e-7,
  1e21,
  1e15,
  123_456_789.123,
  5e-324,
  Number.MAX_VALUE,
  1 / 3,
]

function number(chance: SeededRandom, decimalsKept: number): number {
  if (chance.oneIn(6)) return chance.pick(decimals)
  const scale = 10 ** decimalsKept
  const value = Math.round(chance.next() * 10 ** chance.below(9) * scale) / scale
  return chance.oneIn(8) ? -value : value
}

function scalar(field: Field, chance: SeededRandom): unknown {
  if (field.kind === 'bool') return chance.oneIn(2)
  if (field.kind === 'str')
    return chance.pick(field.values === undefined ? texts : [...field.values, ...texts])
  if (field.kind === 'num') return number(chance, units[field.unit])
  if (field.kind === 'int64' && chance.oneIn(3)) return chance.pick(wideIntegers)
  return chance.oneIn(3) ? chance.pick(integers) : chance.below(10 ** chance.below(12))
}

const listOf = (field: Field, chance: SeededRandom): unknown[] =>
  Array.from({ length: chance.below(4) }, () => randomValue(field.of!, chance))

function randomValue(field: Field, chance: SeededRandom): unknown {
  if (field.nullable && chance.oneIn(3)) return null
  if (field.kind === 'record') return randomRecord(field.recordType!, chance)
  if (field.kind === 'list') return listOf(field, chance)
  if (field.kind === 'keyed') {
    const [key, variant] = chance.pick(Object.entries(field.variants!))
    return { [key]: randomValue(variant, chance) }
  }
  return scalar(field, chance)
}

/** A record of a type with random values within the contract. */
export function randomRecord(type: RecordType, chance: SeededRandom): Plain {
  return Object.fromEntries(
    Object.entries(type.fields).map(([name, field]) => [name, randomValue(field, chance)]),
  )
}

function mutateRecords(items: Plain[], type: RecordType, chance: SeededRandom): void {
  if (chance.oneIn(6)) items.push(randomRecord(type, chance))
  if (chance.oneIn(6)) items.shift()
  for (const item of items) if (chance.oneIn(2)) mutateRecord(item, type, chance)
}

/** Changes some fields of a record in place, as a source does: a list is replaced, unless its items are records. */
export function mutateRecord(record: Plain, type: RecordType, chance: SeededRandom): void {
  for (const [name, field] of Object.entries(type.fields)) {
    if (name === 'id' || name === 'at_ns' || !chance.oneIn(5)) continue
    const value = record[name]
    if (field.kind === 'record' && value !== null && !(field.nullable && chance.oneIn(4))) {
      mutateRecord(value as Plain, field.recordType!, chance)
    } else if (field.kind === 'list' && field.of!.kind === 'record') {
      mutateRecords(value as Plain[], field.of!.recordType!, chance)
    } else {
      record[name] = randomValue(field, chance)
    }
  }
}
