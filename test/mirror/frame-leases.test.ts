import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { FrameLeases } from '../../src/mirror/frame-leases.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { busyFleet, loadHost } from '../fixtures/busy-hosts.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { FakeSupply } from './fake-supply.ts'

/** A digest of all bytes that a reader of the frame can see. */
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
  const chance = new SeededRandom(11)
  const hosts = busyFleet(60, chance)
  const clock = new FakeClock()
  const supply = new FakeSupply(snapshotWith({ hosts }), clock)
  const mirror = new Mirror({ supply, clock, cadenceMs: 1000, idleAfterMs: 60_000, log: () => {} })
  mirror.start()
  const publish = (): Frame => {
    for (const host of hosts) loadHost(host, chance)
    supply.exposition = [{ family: 'load', bytes: Buffer.from(`load ${chance.next()}\n`) }]
    clock.advanceTo(clock.nowMs() + 1000)
    return mirror.read()!
  }
  return { mirror, supply, publish }
}

test('a held frame stays as it was while fifty more are published', () => {
  const { mirror, publish } = busyMirror()
  const leases = Array.from({ length: 3 }, () => {
    const frame = publish()
    return { frame, before: digest(frame), release: mirror.hold(frame, () => {}) }
  })
  for (let i = 0; i < 50; i++) publish()
  expect(leases.map(({ frame }) => digest(frame))).toEqual(leases.map(({ before }) => before))
  expect(mirror.supersededFrames).toBe(3)
  for (const { release } of leases) release()
  expect(mirror.supersededFrames).toBe(0)
})

test('unleased buffers are recycled: a hundred publishes need three for each collection', () => {
  const { mirror, supply, publish } = busyMirror()
  const buffers = new Set<ArrayBufferLike>()
  for (let i = 0; i < 100; i++) buffers.add(publish().collections.hosts.bytes.buffer)
  expect(buffers.size).toBeLessThanOrEqual(3)
  const present = mirror.read()!.collections.hosts.bytes.buffer
  expect(supply.pool.idleBytes).toBeLessThan(3 * present.byteLength)
})

test('a frame whose buffers were recycled cannot be held', () => {
  const { mirror, publish } = busyMirror()
  const old = publish()
  publish()
  expect(() => mirror.hold(old, () => {})).toThrow(/already recycled/)
})

test('releasing a lease twice recycles once', () => {
  const recycled: ArrayBufferLike[][] = []
  const leases = new FrameLeases((buffers) => recycled.push(buffers))
  const first = { frame: { publishSeq: 1 } as Frame, buffers: new Set([new ArrayBuffer(8)]) }
  const second = { frame: { publishSeq: 2 } as Frame, buffers: new Set([new ArrayBuffer(8)]) }
  leases.supersede(first, 0)
  const release = leases.lease(first.frame, () => {}, 0)
  leases.supersede(second, 0)
  expect(recycled).toEqual([])
  release()
  release()
  expect(recycled).toEqual([[...first.buffers]])
})

test('a buffer that the current frame shares with a held one is not recycled', () => {
  const recycled: ArrayBufferLike[][] = []
  const shared = new ArrayBuffer(100)
  const own = new ArrayBuffer(10)
  const leases = new FrameLeases((buffers) => recycled.push(buffers))
  const first = { publishSeq: 1 } as Frame
  leases.supersede({ frame: first, buffers: new Set([shared, own]) }, 0)
  const release = leases.lease(first, () => {}, 0)
  leases.supersede({ frame: { publishSeq: 2 } as Frame, buffers: new Set([shared]) }, 0)
  release()
  expect(recycled).toEqual([[own]])
})

test('a buffer that the current frame shares with a held one does not count against its lease', () => {
  let revocations = 0
  const shared = new ArrayBuffer(2 ** 28)
  const leases = new FrameLeases(() => {})
  for (let publishSeq = 1; publishSeq <= 3; publishSeq++) {
    const frame = { publishSeq } as Frame
    leases.supersede({ frame, buffers: new Set([shared, new ArrayBuffer(10)]) }, publishSeq * 60_000)
    leases.lease(frame, () => revocations++, publishSeq * 60_000)
  }
  expect(revocations).toBe(0)
})

test('when superseded frames hold too much memory, leases of the oldest that are not young are revoked', () => {
  const revoked: string[] = []
  const leases = new FrameLeases(() => {})
  const publish = (publishSeq: number, atMs: number): Frame => {
    const frame = { publishSeq } as Frame
    leases.supersede({ frame, buffers: new Set([new ArrayBuffer(100 * 2 ** 20)]) }, atMs)
    return frame
  }
  for (let seq = 1; seq <= 3; seq++) {
    const frame = publish(seq, seq * 1_000)
    leases.lease(frame, () => revoked.push(`a${seq}`), seq * 1_000)
    leases.lease(frame, () => revoked.push(`b${seq}`), seq * 1_000)
  }
  publish(4, 4_000)
  publish(5, 10_999)
  expect(revoked).toEqual([])
  publish(6, 11_000)
  expect(revoked).toEqual(['a1', 'b1'])
  publish(7, 13_000)
  expect(revoked).toEqual(['a1', 'b1'])
})
