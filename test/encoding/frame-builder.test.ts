import { expect, test } from 'vitest'
import { Host } from '../../src/contract/records/plant.ts'
import { EngineEvent } from '../../src/contract/records/operations.ts'
import { BufferPool } from '../../src/encoding/buffer-pool.ts'
import { FrameAssembler } from '../../src/encoding/frame-assembly.ts'
import { FrameBuilder } from '../../src/encoding/frame-builder.ts'
import type { ExpositionChunk, Frame } from '../../src/encoding/frame.ts'
import type { Snapshot } from '../../src/contract/collections.ts'
import { blank, literalSnapshot } from '../literal-world.ts'

function line() {
  const builder = new FrameBuilder(new BufferPool(), () => 0)
  const assembler = new FrameAssembler()
  let publishSeq = 0
  return (snapshot: Snapshot, exposition: readonly ExpositionChunk[] = []): Frame => {
    const message = builder.build({ snapshot, exposition, capturedAtMs: 5, projectMs: 0 })
    return assembler.assemble(message, ++publishSeq).frame
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
const chunk = (family: string, value: number): ExpositionChunk => ({
  family,
  bytes: Buffer.from(`${family} ${value}\n`),
})

test('every item of a collection can be cut out of its bytes', () => {
  const hosts = [blank(Host, { id: 3, label: 'ä' }), blank(Host, { id: 8 })]
  const { bytes, starts, ids } = line()(literalSnapshot({ hosts })).collections.hosts
  expect(text(bytes.subarray(starts[0], starts[1] - 1))).toBe(JSON.stringify(hosts[0]))
  expect(text(bytes.subarray(starts[1], starts[2] - 1))).toBe(JSON.stringify(hosts[1]))
  expect(text(bytes)).toBe(hosts.map((host) => JSON.stringify(host)).join(','))
  expect([...ids]).toEqual([3n, 8n])
})

test('events are listed by their moments, with what has left the window', () => {
  const events = [
    blank(EngineEvent, { at_ns: 2n ** 53n + 1n }),
    blank(EngineEvent, { at_ns: 2n ** 53n + 3n }),
  ]
  const frame = line()(literalSnapshot({}, { events, newestEvictedNs: 7n }))
  expect([...frame.events.atNs]).toEqual([9007199254740993n, 9007199254740995n])
  expect(frame.events.newestEvictedNs).toBe(7n)
  expect(text(frame.events.bytes)).toMatch(/^\{"at_ns":9007199254740993,.*\},\{"at_ns":9007199254740995,/)
})

test('families come in the order given; one that is the same chunk as before shares its bytes', () => {
  const publish = line()
  const [kept, changing] = [chunk('dcsim_a', 1), chunk('dcsim_b', 1)]
  const first = publish(literalSnapshot({}), [kept, changing])
  const second = publish(literalSnapshot({}), [kept, chunk('dcsim_b', 2)])
  expect(second.exposition.map(({ bytes }) => text(bytes))).toEqual(['dcsim_a 1\n', 'dcsim_b 2\n'])
  expect(second.exposition[0]).toBe(first.exposition[0])
})

test('a chunk is copied: its maker may write it again', () => {
  const made = chunk('dcsim_a', 1)
  const frame = line()(literalSnapshot({}), [made])
  made.bytes.fill(0)
  expect(text(frame.exposition[0].bytes)).toBe('dcsim_a 1\n')
})

test('a family that is gone is gone, and comes anew when it returns', () => {
  const publish = line()
  const family = chunk('dcsim_a', 1)
  publish(literalSnapshot({}), [family])
  expect(publish(literalSnapshot({}), []).exposition).toEqual([])
  expect(publish(literalSnapshot({}), [family]).exposition.map(({ bytes }) => text(bytes))).toEqual([
    'dcsim_a 1\n',
  ])
})
