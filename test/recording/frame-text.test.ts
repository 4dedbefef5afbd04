import { expect, test } from 'vitest'
import { decimalText } from '../../src/recording/decimal-slots.ts'
import { FrameReader, FrameWriter } from '../../src/recording/frame-text.ts'
import { ChangingTexts, frameOf, itemsOf, listOf } from './text-lists.ts'

/** Writes frames of one list, each given as its items, and reads them back. */
function throughTheFile(frames: readonly (readonly { id: bigint; text: string }[])[]) {
  const writer = new FrameWriter(1)
  const reader = new FrameReader(1)
  return frames.map((items, i) => {
    const kind = i === 0 ? 'key' : 'delta'
    const content = Buffer.from(writer.write(frameOf([listOf(items)]), kind))
    return { size: content.length, items: itemsOf(reader.read(content, kind).lists[0]) }
  })
}

const hosts = (...gbps: readonly string[]) =>
  gbps.map((value, i) => ({ id: BigInt(i), text: `{"gbps":${value}}` }))

test('numbers come back digit for digit', () => {
  const frames = [
    hosts('1.5', '0', '9223372036854775807', '1.50', '-0', '1e5'),
    hosts('1.25', '-7', '9223372036854775806', '1.5', '0', '1e6'),
    hosts('-0.0001', '9007199254740993', '-9223372036854775808', '2', '-0', '100000'),
  ]
  expect(throughTheFile(frames).map(({ items }) => items)).toEqual(frames)
})

test('records come and go, stand in any order, and share ids', () => {
  const record = (id: bigint, name: string) => ({ id, text: `{"name":"${name}"}` })
  const frames = [
    [],
    [record(3n, 'c'), record(1n, 'a'), record(2n ** 63n - 1n, 'z')],
    [record(1n, 'a'), record(3n, 'c'), record(3n, 'also c'), record(4n, 'Zürich · 🜁')],
    [record(4n, 'Zürich · 東京'), record(3n, 'also c'), record(3n, 'c')],
    [],
  ]
  expect(throughTheFile(frames).map(({ items }) => items)).toEqual(frames)
})

test('whatever changes in texts comes back as it was', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const lists = [new ChangingTexts(seed), new ChangingTexts(-seed)]
    const writer = new FrameWriter(2)
    const reader = new FrameReader(2)
    for (let i = 0; i < 40; i++) {
      if (i > 0) lists[0].change()
      lists[1].change()
      const kind = i % 25 === 0 ? 'key' : 'delta'
      const content = Buffer.from(writer.write(frameOf(lists.map(({ items }) => listOf(items))), kind))
      const read = reader.read(content, kind)
      expect(
        read.lists.map((list) => itemsOf(list)),
        `seed ${seed}, frame ${i}`,
      ).toEqual(lists.map(({ items }) => items))
    }
  }
})

test('a list that is the same object costs a bit', () => {
  const writer = new FrameWriter(1)
  const reader = new FrameReader(1)
  const list = listOf(hosts('1', '2', '3'))
  reader.read(Buffer.from(writer.write(frameOf([list]), 'key')), 'key')
  const content = Buffer.from(writer.write(frameOf([list]), 'delta'))
  expect(content.length).toBeLessThan(70)
  expect(itemsOf(reader.read(content, 'delta').lists[0])).toEqual(hosts('1', '2', '3'))
})

test('traffic that is the same at both ends of a cable is told once', () => {
  const flow = (turn: number): string => String(1_000_000_007 * turn + ((turn * 7_919) % 1_000_003) * 977)
  const sizes = (...flows: readonly ((turn: number) => string)[]) =>
    throughTheFile(Array.from({ length: 40 }, (_, turn) => hosts(...flows.map((of) => of(turn + 1)))))
      .slice(20)
      .reduce((sum, { size }) => sum + size, 0)
  const [one, both] = [sizes(flow), sizes(flow, flow)]
  expect(both - one).toBeLessThan(20)
})

test('the facts of a frame come back', () => {
  const facts = {
    simTimeNs: 2n ** 62n,
    wallMs: 1_800_000_000_123,
    publishSeq: 77,
    newestEvictedNs: 2n ** 61n,
    hasEventGap: true,
    isOtherWorld: true,
  }
  const content = new FrameWriter(0).write(frameOf([], facts), 'key')
  expect(new FrameReader(0).read(content, 'key')).toEqual({ ...facts, lists: [] })
})

test('decimals are written without what adds nothing', () => {
  const texts = [
    [0, 4],
    [15_000, 4],
    [-5, 1],
    [-100, 2],
    [1, 9],
    [42, 0],
  ].map(([value, scale]) => decimalText(value, scale))
  expect(texts).toEqual(['0', '1.5', '-0.5', '-1', '0.000000001', '42'])
})
