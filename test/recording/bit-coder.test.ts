import { expect, test } from 'vitest'
import { BitReader, BitWriter, evens } from '../../src/recording/bit-coder.ts'
import { Seeded } from '../seeded.ts'

test('bits come back as they were written, whatever they are', () => {
  const chance = new Seeded(7)
  for (let round = 0; round < 100; round++) {
    const bias = chance.next()
    const written = Array.from({ length: 1 + chance.below(2_000) }, () => ({
      index: chance.below(8),
      bit: chance.next() < bias ? 1 : 0,
      raw: chance.oneIn(5) ? chance.below(2 ** 26) : null,
    }))
    const writer = new BitWriter()
    const probabilities = new Uint16Array(8).fill(evens)
    for (const { index, bit, raw } of written) {
      if (raw === null) writer.bit(probabilities, index, bit)
      else writer.raw(26, raw)
    }
    const reader = new BitReader(writer.finish())
    const learned = new Uint16Array(8).fill(evens)
    const read = written.map(({ index, raw }) => (raw === null ? reader.bit(learned, index) : reader.raw(26)))
    expect(read).toEqual(written.map(({ bit, raw }) => raw ?? bit))
  }
})

test('what never happens costs next to nothing', () => {
  const writer = new BitWriter()
  const probabilities = new Uint16Array(1).fill(evens)
  for (let i = 0; i < 100_000; i++) writer.bit(probabilities, 0, 0)
  expect(writer.finish().length).toBeLessThan(40)
})

test('a writer that is cleared begins anew', () => {
  const writer = new BitWriter()
  writer.raw(20, 0xfffff)
  writer.finish()
  writer.clear()
  writer.raw(8, 0xa5)
  expect(new BitReader(writer.finish()).raw(8)).toBe(0xa5)
})
