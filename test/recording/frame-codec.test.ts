import { expect, test } from 'vitest'
import { FrameDecoder, FrameEncoder } from '../../src/store/recording/codec/frame-codec.ts'
import { ChangingTexts, itemsOf, listOf } from './text-lists.ts'

/** Encodes and decodes frames of one list, each given as its items. */
function throughTheFile(frames: readonly (readonly { id: bigint; text: string }[])[]) {
  const encoder = new FrameEncoder(1)
  const decoder = new FrameDecoder(1)
  return frames.map((items, i) => {
    const kind = i === 0 ? 'key' : 'delta'
    const content = Buffer.from(encoder.encode([listOf(items)], kind))
    return { size: content.length, items: itemsOf(decoder.decode(content, kind)[0]) }
  })
}

const hosts = (...gbps: readonly string[]) =>
  gbps.map((value, i) => ({ id: BigInt(i), text: `{"gbps":${value}}` }))

test('texts that compress by more than any real ones come back', () => {
  const zeros = { id: 1n, text: `{"zeros":"${'0'.repeat(1 << 20)}"}` }
  const frames = [[zeros], [zeros, { ...zeros, id: 2n }]]
  expect(throughTheFile(frames).map(({ items }) => items)).toEqual(frames)
})

test('texts with random changes come back unchanged', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const lists = [new ChangingTexts(seed), new ChangingTexts(-seed)]
    const encoder = new FrameEncoder(2)
    const decoder = new FrameDecoder(2)
    for (let i = 0; i < 40; i++) {
      if (i > 0) lists[0].change()
      lists[1].change()
      const kind = i % 25 === 0 ? 'key' : 'delta'
      const content = Buffer.from(
        encoder.encode(
          lists.map(({ items }) => listOf(items)),
          kind,
        ),
      )
      const read = decoder.decode(content, kind)
      expect(
        read.map((list) => itemsOf(list)),
        `seed ${seed}, frame ${i}`,
      ).toEqual(lists.map(({ items }) => items))
    }
  }
})

test('a list that is the same object costs a bit', () => {
  const encoder = new FrameEncoder(1)
  const decoder = new FrameDecoder(1)
  const list = listOf(hosts('1', '2', '3'))
  decoder.decode(Buffer.from(encoder.encode([list], 'key')), 'key')
  const content = Buffer.from(encoder.encode([list], 'delta'))
  expect(content.length).toBeLessThan(34)
  expect(itemsOf(decoder.decode(content, 'delta')[0])).toEqual(hosts('1', '2', '3'))
})

test('a number that keeps its step costs less than one that does not', () => {
  const sizes = (valueAt: (turn: number) => number): number =>
    throughTheFile(
      Array.from({ length: 40 }, (_, turn) =>
        hosts(
          ...Array(50)
            .fill(valueAt(turn))
            .map((value, i) => String(value * (i + 3))),
        ),
      ),
    )
      .slice(20)
      .reduce((sum, { size }) => sum + size, 0)
  const steady = sizes((turn) => 1_000_003 * turn)
  const unsteady = sizes((turn) => 1_000_003 * turn + ((turn * 7_919) % 1_009) * 977)
  expect(steady).toBeLessThan(unsteady / 2)
})

test('the cost of a record with new text is that of its new part', () => {
  const text = Array.from({ length: 500 }, (_, i) => `"word ${(i * 7_919) % 1_009}"`).join()
  const [, second] = throughTheFile([
    [{ id: 1n, text: `{"words":[${text}]}` }],
    [{ id: 1n, text: `{"words":[${text},"another"]}` }],
  ])
  expect(second.size).toBeLessThan(130)
})

test.each([
  ['1000000000000000', '99999999999999.5'],
  ['99999999999999.5', '1000000000000000'],
  ['2251799813685247', '-2251799813685248'],
  ['-9223372036854775808', '9223372036854775807'],
  ['0.000000001', '999999'],
  ['0', '0.0000000001'],
  ['1', '-0'],
  ['100', '1e2'],
])('%s becomes %s and changes back', (before, after) => {
  const frames = [hosts(before), hosts(after), hosts(before)]
  expect(throughTheFile(frames).map(({ items }) => items)).toEqual(frames)
})
