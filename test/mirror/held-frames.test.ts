import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Frame } from '../../src/encoding/frame.ts'
import { LiveFrames } from '../../src/mirror/live-frames.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { DrivenClock } from '../driven-clock.ts'
import { busyFleet, loadHost } from '../host-records.ts'
import { literalSnapshot } from '../literal-world.ts'
import { Seeded } from '../seeded.ts'
import { LiteralSupply } from './literal-supply.ts'

/** A digest of every byte that a reader of the frame could see. */
function digest(frame: Frame): string {
  const hash = createHash('sha256')
  const lists = [...Object.values(frame.collections), frame.events]
  for (const { bytes, starts } of lists)
    hash.update(bytes).update(new Uint8Array(starts.buffer, starts.byteOffset, starts.byteLength))
  for (const { bytes } of frame.exposition) hash.update(bytes)
  return hash.update(frame.diagnostics).digest('hex')
}

/** A mirror of a fleet that changes with every publish. */
function busyMirror() {
  const chance = new Seeded(11)
  const hosts = busyFleet(60, chance)
  const clock = new DrivenClock()
  const supply = new LiteralSupply(literalSnapshot({ hosts }), clock)
  const mirror = new Mirror({ supply, clock, cadenceMs: 1000, idleAfterMs: 60_000, log: () => {} })
  mirror.start()
  const publish = (): Frame => {
    for (const host of hosts) loadHost(host, chance)
    supply.exposition = [{ family: 'load', bytes: Buffer.from(`load ${chance.next()}\n`) }]
    clock.goTo(clock.nowMs() + 1000)
    return mirror.read()!
  }
  return { mirror, supply, publish }
}

test('a held frame stays as it was while fifty more are published', () => {
  const { mirror, publish } = busyMirror()
  const held = Array.from({ length: 3 }, () => {
    const frame = publish()
    return { frame, before: digest(frame), release: mirror.hold(frame, () => {}) }
  })
  for (let i = 0; i < 50; i++) publish()
  expect(held.map(({ frame }) => digest(frame))).toEqual(held.map(({ before }) => before))
  expect(mirror.figures()).toMatchObject({ supersededFrames: 3 })
  for (const { release } of held) release()
  expect(mirror.figures()).toMatchObject({ supersededFrames: 0, supersededBytes: 0 })
})

test('buffers that nobody reads are written again: a hundred publishes need three for each collection', () => {
  const { mirror, supply, publish } = busyMirror()
  const buffers = new Set<ArrayBufferLike>()
  for (let i = 0; i < 100; i++) buffers.add(publish().collections.hosts.bytes.buffer)
  expect(buffers.size).toBeLessThanOrEqual(3)
  const present = mirror.read()!.collections.hosts.bytes.buffer
  expect(supply.pool.idleBytes).toBeLessThan(3 * present.byteLength)
})

test('a frame that was given back can no longer be held', () => {
  const { mirror, publish } = busyMirror()
  const old = publish()
  publish()
  expect(() => mirror.hold(old, () => {})).toThrow(/already given back/)
})

test('releasing twice gives back once', () => {
  const given: ArrayBuffer[][] = []
  const live = new LiveFrames((buffers) => given.push(buffers))
  const first = { frame: { publishSeq: 1 } as Frame, buffers: new Set([new ArrayBuffer(8)]) }
  const second = { frame: { publishSeq: 2 } as Frame, buffers: new Set([new ArrayBuffer(8)]) }
  live.supersede(first, 0)
  const release = live.hold(first.frame, () => {}, 0)
  live.supersede(second, 0)
  expect(given).toEqual([])
  release()
  release()
  expect(given).toEqual([[...first.buffers]])
})

test('a buffer that the current frame shares with a held one is not counted against the reader, nor given back', () => {
  const given: ArrayBuffer[][] = []
  const shared = new ArrayBuffer(100)
  const own = new ArrayBuffer(10)
  const live = new LiveFrames((buffers) => given.push(buffers))
  const first = { publishSeq: 1 } as Frame
  live.supersede({ frame: first, buffers: new Set([shared, own]) }, 0)
  const release = live.hold(first, () => {}, 0)
  live.supersede({ frame: { publishSeq: 2 } as Frame, buffers: new Set([shared]) }, 0)
  expect(live.supersededBytes).toBe(10)
  release()
  expect(given).toEqual([[own]])
})

test('when superseded frames hold too much, readers of the oldest that were given time are told to end', () => {
  const ended: string[] = []
  const live = new LiveFrames(() => {}, 250)
  const publish = (publishSeq: number, atMs: number): Frame => {
    const frame = { publishSeq } as Frame
    live.supersede({ frame, buffers: new Set([new ArrayBuffer(100)]) }, atMs)
    return frame
  }
  for (let seq = 1; seq <= 3; seq++) {
    const frame = publish(seq, seq * 1_000)
    live.hold(frame, () => ended.push(`a${seq}`), seq * 1_000)
    live.hold(frame, () => ended.push(`b${seq}`), seq * 1_000)
  }
  publish(4, 4_000)
  publish(5, 10_999)
  expect(ended).toEqual([])
  publish(6, 11_000)
  expect(ended).toEqual(['a1', 'b1'])
  expect(live.readersEnded).toBe(2)
  publish(7, 13_000)
  expect(ended).toEqual(['a1', 'b1'])
})
