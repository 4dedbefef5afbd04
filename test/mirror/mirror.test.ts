import { describe, expect, test } from 'vitest'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import type { PublishReport } from '../../src/mirror/mirror.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { FakeSupply } from './fake-supply.ts'

function mirrorOf({ cadenceMs = 1000, idleAfterMs = 60_000 } = {}) {
  const clock = new FakeClock()
  const host = emptyRecord(HostSchema, { id: 7 })
  const supply = new FakeSupply(snapshotWith({ hosts: [host] }), clock)
  const lines: string[] = []
  const log = (line: string): number => lines.push(line)
  const mirror = new Mirror({ supply, clock, cadenceMs, idleAfterMs, log })
  return { clock, supply, mirror, lines, host }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

describe('before the first frame', () => {
  const miss = { fault: 'unreachable', reason: 'Connection refused.', retryMs: 300 } as const
  const progress = { done: 0.437, simTimeNs: 7_300_000_000_000n }
  test.each<[string, (events: FakeSupply['events']) => void]>([
    ['Waiting for the first snapshot.', () => {}],
    ['The world is warming up: 43 %, at simulated hour 2.', (events) => events.warmingUp(progress)],
    ['The world stopped.', (events) => events.failed('The world stopped.')],
    ['Connection refused.', (events) => events.missed(miss)],
  ])('there is no world. %s', (reason, happens) => {
    const { mirror, supply } = mirrorOf()
    supply.prompt = false
    mirror.start()
    happens(supply.events)
    expect(mirror.read()).toBeNull()
    expect(mirror.ageMs(null)).toBe(0)
    expect(mirror.status()).toEqual({ status: 'starting', reason })
  })
})

describe('a publish', () => {
  test('is number 1 at first and holds the records as JSON', () => {
    const { mirror } = mirrorOf()
    mirror.start()
    const frame = mirror.read()!
    expect(frame.publishSeq).toBe(1)
    expect([...frame.collections.hosts.ids]).toEqual([7n])
    expect([...frame.collections.hosts.starts]).toEqual([0, frame.collections.hosts.bytes.length + 1])
    expect(JSON.parse(text(frame.collections.hosts.bytes))).toEqual(emptyRecord(HostSchema, { id: 7 }))
    expect(mirror.status()).toEqual({ status: 'ok', reason: '' })
  })

  test('is one more than the last', () => {
    const { clock, mirror } = mirrorOf()
    mirror.start()
    for (let second = 1; second <= 5; second++) {
      clock.advanceTo(second * 1000)
      expect(mirror.read()!.publishSeq).toBe(second + 1)
    }
  })

  test('shares unchanged parts with the previous frame', () => {
    const { clock, mirror, host } = mirrorOf()
    mirror.start()
    const first = mirror.read()!
    host.unit_count = 3
    clock.advanceTo(1000)
    const second = mirror.read()!
    expect(second.collections.switches).toBe(first.collections.switches)
    expect(second.diagnostics).toBe(first.diagnostics)
    expect(second.collections.hosts).not.toBe(first.collections.hosts)
  })

  test('is reported with its cost', () => {
    const { clock, mirror, supply, host } = mirrorOf()
    const reports: PublishReport[] = []
    mirror.onPublish((report) => reports.push(report))
    mirror.start()
    host.unit_count = 3
    supply.delayMs = 40
    clock.advanceTo(1015)
    expect(
      reports.map(({ publishSeq, recordsEncoded, recordsTotal }) => [
        publishSeq,
        recordsEncoded,
        recordsTotal,
      ]),
    ).toEqual([
      [1, 1, 1],
      [2, 1, 1],
    ])
  })
})

describe('age', () => {
  test('counts in whole milliseconds from the capture on', () => {
    const { clock, mirror } = mirrorOf()
    mirror.start()
    const frame = mirror.read()!
    clock.advanceTo(421.7)
    expect(mirror.ageMs(frame)).toBe(421)
  })

  test('is at most one cadence while clients read, however long the world takes up to half of it', () => {
    const { clock, mirror, supply } = mirrorOf()
    mirror.start()
    supply.delayMs = 400
    let oldestMs = 0
    for (let ms = 1; ms <= 20_000; ms++) {
      clock.advanceTo(ms)
      const age = mirror.ageMs(mirror.read())
      // The mirror learns the delay of the world from the first answers.
      if (ms > 3000) oldestMs = Math.max(oldestMs, age)
    }
    expect(oldestMs).toBeLessThanOrEqual(1000)
    const { publishSeq } = mirror.read()!
    expect(publishSeq).toBeLessThan(36)
    // It forgets it, too.
    supply.delayMs = 0
    for (let ms = 20_001; ms <= 60_000; ms++) {
      clock.advanceTo(ms)
      mirror.read()
    }
    expect(mirror.read()!.publishSeq - publishSeq).toBeLessThan(50)
  })

  test('a world that takes longer than a cadence gets one request at a time', () => {
    const { clock, mirror, supply } = mirrorOf()
    mirror.start()
    supply.delayMs = 5000
    for (let ms = 1; ms <= 60_000; ms += 10) {
      clock.advanceTo(ms)
      mirror.read()
    }
    expect(supply.requests).toBe(12)
  })
})

describe('without reads', () => {
  test('publishing pauses after the idle time', () => {
    const { clock, mirror, supply } = mirrorOf()
    mirror.start()
    clock.advanceTo(59_000)
    expect(mirror.status().status).toBe('ok')
    clock.advanceTo(600_000)
    expect(mirror.status()).toEqual({ status: 'idle', reason: 'Publishing is paused: no request for 60 s.' })
    expect(supply.requests).toBeLessThan(64)
  })

  test('the read that ends the pause gets the old frame at its true age and starts a publish', () => {
    const { clock, mirror, supply } = mirrorOf()
    mirror.start()
    clock.advanceTo(600_000)
    supply.prompt = false
    const requests = supply.requests
    const old = mirror.read()!
    expect(mirror.ageMs(old)).toBeGreaterThan(530_000)
    expect(supply.requests).toBe(requests + 1)
    mirror.read()
    expect(supply.requests).toBe(requests + 1)
    supply.answer()
    expect(mirror.read()!.publishSeq).toBe(old.publishSeq + 1)
    expect(mirror.ageMs(mirror.read())).toBe(0)
    expect(mirror.status().status).toBe('ok')
  })

  test('every read puts the pause off', () => {
    const { clock, mirror } = mirrorOf({ idleAfterMs: 5000 })
    mirror.start()
    for (let ms = 4000; ms <= 60_000; ms += 4000) {
      clock.advanceTo(ms)
      expect(mirror.status().status).toBe('ok')
      mirror.read()
    }
  })
})

describe('when the world fails', () => {
  test('the last frame stays, its age grows, and the status is stale until it is back', () => {
    const { clock, mirror, supply, lines } = mirrorOf()
    mirror.start()
    supply.prompt = false
    supply.events.failed('The world stopped: out of luck.')
    clock.advanceTo(7000)
    expect(mirror.status()).toEqual({ status: 'stale', reason: 'The world stopped: out of luck.' })
    expect(mirror.read()!.publishSeq).toBe(1)
    expect(mirror.ageMs(mirror.read())).toBe(7000)
    expect(lines).toEqual(['The world stopped: out of luck.'])
    supply.answer()
    expect(mirror.status().status).toBe('ok')
    expect(mirror.read()!.publishSeq).toBe(2)
  })

  test('a world that does not answer is stale', () => {
    const { clock, mirror, supply } = mirrorOf()
    mirror.start()
    supply.prompt = false
    clock.advanceTo(5900)
    expect(mirror.status().status).toBe('ok')
    clock.advanceTo(10_975)
    expect(mirror.status()).toEqual({ status: 'stale', reason: 'The world has not answered for 10 s.' })
  })
})

describe('when the source has no frame to give', () => {
  const miss = { fault: 'unreachable', reason: 'Connection refused.', retryMs: 300 } as const

  test('the last frame stays and ages, the status says why, and it is asked again when the source says', () => {
    const { clock, mirror, supply, lines } = mirrorOf()
    const faults: string[] = []
    mirror.onFault((fault) => faults.push(fault))
    mirror.start()
    supply.prompt = false
    clock.advanceTo(1000)
    supply.events.missed(miss)
    clock.advanceTo(1250)
    expect(supply.requests).toBe(2)
    const frame = mirror.read()!
    expect([frame.publishSeq, mirror.ageMs(frame)]).toEqual([1, 1250])
    expect(mirror.status()).toEqual({ status: 'stale', reason: 'Connection refused.' })
    clock.advanceTo(1300)
    expect(supply.requests).toBe(3)
    supply.events.missed(miss)
    clock.advanceTo(1600)
    supply.answer()
    expect(mirror.status()).toEqual({ status: 'ok', reason: '' })
    expect(mirror.read()!.publishSeq).toBe(2)
    expect(faults).toEqual(['unreachable', 'unreachable'])
    expect(lines).toEqual(['Connection refused.', 'The world is back.'])
  })

  test('requests stop without reads, and resume with the next read', () => {
    const { clock, mirror, supply } = mirrorOf({ idleAfterMs: 1000 })
    supply.prompt = false
    mirror.start()
    for (let tries = 0; tries < 10; tries++) {
      supply.events.missed(miss)
      clock.advanceTo(clock.nowMs() + 300)
    }
    expect(supply.requests).toBe(4)
    clock.advanceTo(60_000)
    mirror.read()
    expect(supply.requests).toBe(5)
  })

  test('a world that has not changed makes no publish, ends a failure, and is asked again', () => {
    const { clock, mirror, supply } = mirrorOf()
    mirror.start()
    supply.prompt = false
    clock.advanceTo(1000)
    supply.events.missed(miss)
    clock.advanceTo(1300)
    supply.events.unchanged()
    expect(mirror.status()).toEqual({ status: 'ok', reason: '' })
    expect(mirror.read()!.publishSeq).toBe(1)
    clock.advanceTo(1300)
    expect(supply.requests).toBe(4)
  })
})

test('a listener that throws is logged, and the others are called', () => {
  const { clock, mirror, supply, lines } = mirrorOf()
  const published: number[] = []
  const faults: string[] = []
  mirror.onPublish(() => {
    throw new RangeError('NaN cannot be observed')
  })
  mirror.onPublish(({ publishSeq }) => published.push(publishSeq))
  mirror.onFault(() => {
    throw new RangeError('no such fault')
  })
  mirror.onFault((fault) => faults.push(fault))
  mirror.start()
  supply.events.failed('The world stopped.')
  clock.advanceTo(1000)
  expect(published.slice(0, 2)).toEqual([1, 2])
  expect(faults).toEqual(['crashed'])
  expect(lines).toContain('A listener of the mirror failed: NaN cannot be observed')
  expect(lines).toContain('A listener of the mirror failed: no such fault')
})

test('closing ends the world and leaves the last frame', async () => {
  const { clock, mirror, supply } = mirrorOf()
  mirror.start()
  await mirror.close()
  expect(supply.closed).toBe(true)
  const { requests } = supply
  clock.advanceTo(10_000)
  expect(supply.requests).toBe(requests)
  expect(mirror.read()!.publishSeq).toBe(1)
})

describe('parts of a frame', () => {
  function sparing() {
    const made = mirrorOf()
    made.supply.isSparing = true
    made.mirror.start()
    return made
  }
  const partsOf = (mirror: Mirror): string[] => [...mirror.frame!.parts]

  test('are made for the first reader at once, then until no client has read them for the idle pause', async () => {
    const { clock, mirror } = sparing()
    expect(partsOf(mirror)).toEqual([])
    clock.advanceTo(300)
    const frame = (await mirror.readParts(['hosts']))!
    expect(frame.publishSeq).toBe(2)
    expect([...frame.collections.hosts.ids]).toEqual([7n])
    expect(mirror.ageMs(frame)).toBe(0)
    expect(mirror.readParts(['hosts'])).toBe(frame)
    for (let second = 1; second < 60; second++) {
      clock.advanceTo(300 + second * 1000)
      mirror.read()
      expect(partsOf(mirror)).toEqual(['hosts'])
    }
    clock.advanceTo(62_000)
    expect(partsOf(mirror)).toEqual([])
    expect([...(await mirror.readParts(['hosts']))!.collections.hosts.ids]).toEqual([7n])
  })

  test('samples are of one frame for all who wait, and stay with the publish that they are of', async () => {
    const { clock, supply, mirror } = sparing()
    supply.exposition = [{ family: 'up', bytes: Buffer.from('up 1\n') }]
    supply.prompt = false
    clock.advanceTo(100)
    const scrapes = [mirror.readParts(['samples']), mirror.readParts(['samples'])]
    expect(supply.requests).toBe(2)
    supply.answer()
    const [one, other] = [await scrapes[0], await scrapes[1]]
    expect(one).toBe(other)
    expect(one!.sampled).toEqual({ publishSeq: 2, simTimeNs: 0n, capturedAtMs: 100 })
    supply.prompt = true
    clock.advanceTo(1100)
    expect(partsOf(mirror)).toEqual([])
    expect(mirror.frame!.publishSeq).toBe(3)
    expect(mirror.frame!.sampled!.publishSeq).toBe(2)
    expect(text(mirror.frame!.exposition[0].bytes)).toBe('up 1\n')
  })

  test('asked for while a frame without them is on its way come with the one after it', async () => {
    const { clock, supply, mirror } = sparing()
    supply.prompt = false
    clock.advanceTo(1000)
    const asked = mirror.readParts(['azs'])
    supply.answer()
    expect(partsOf(mirror)).toEqual([])
    expect(supply.requests).toBe(3)
    supply.answer()
    expect((await asked)!.publishSeq).toBe(3)
  })

  test('of one frame alone are not made again', async () => {
    const { clock, mirror } = sparing()
    expect((await mirror.partsOnce(['azs']))!.parts).toEqual(new Set(['azs']))
    clock.advanceTo(2000)
    mirror.read()
    expect(partsOf(mirror)).toEqual([])
  })

  test('are given up when the world does not answer: samples after 5 s, at once if it has failed, others after 30 s', async () => {
    const { clock, supply, mirror } = sparing()
    supply.prompt = false
    const answers: string[] = []
    const ask = (part: 'samples' | 'azs'): void =>
      void Promise.resolve(mirror.readParts([part])).then((frame) =>
        answers.push(`${part} ${frame?.publishSeq} ${clock.nowMs()}`),
      )
    ask('samples')
    ask('azs')
    for (const atMs of [4999, 5000, 5001]) {
      clock.advanceTo(atMs)
      await Promise.resolve()
    }
    supply.events.failed('It crashed.')
    ask('samples')
    for (const atMs of [5002, 30_001]) {
      clock.advanceTo(atMs)
      await Promise.resolve()
    }
    expect(answers).toEqual(['samples undefined 5000', 'samples undefined 5002', 'azs undefined 30001'])
  })
})
