import { expect, test } from 'vitest'
import { Host } from '../../src/contract/records/plant.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { DrivenClock } from '../driven-clock.ts'
import { blank, literalSnapshot } from '../literal-world.ts'
import { LiteralSupply } from './literal-supply.ts'

function mirrorOf(snapshot = literalSnapshot({ hosts: [blank(Host, { id: 7 })] })) {
  const clock = new DrivenClock()
  const supply = new LiteralSupply(snapshot, clock)
  const lines: string[] = []
  const log = (line: string): number => lines.push(line)
  const mirror = new Mirror({ supply, clock, cadenceMs: 1000, idleAfterMs: 60_000, log })
  return { clock, supply, mirror, lines }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

test('there is no world before the first frame', () => {
  const { mirror, supply } = mirrorOf()
  supply.prompt = false
  mirror.start()
  expect(mirror.read()).toBeNull()
  expect(mirror.ageMs(null)).toBe(0)
  expect(mirror.status()).toEqual({ status: 'starting', reason: 'The world is being built.' })
})

test('the first frame is publish 1 and holds the records as JSON', () => {
  const { mirror } = mirrorOf()
  mirror.start()
  const frame = mirror.read()!
  expect(frame.publishSeq).toBe(1)
  expect([...frame.collections.hosts.ids]).toEqual([7n])
  expect([...frame.collections.hosts.starts]).toEqual([0, frame.collections.hosts.bytes.length + 1])
  expect(JSON.parse(text(frame.collections.hosts.bytes))).toEqual(blank(Host, { id: 7 }))
})

test('every publish is one more than the last', () => {
  const { clock, mirror } = mirrorOf()
  mirror.start()
  for (let second = 1; second <= 5; second++) {
    clock.goTo(second * 1000)
    expect(mirror.read()!.publishSeq).toBe(second + 1)
  }
})

test('a frame ages from its capture on', () => {
  const { clock, mirror } = mirrorOf()
  mirror.start()
  const frame = mirror.read()!
  clock.goTo(421.7)
  expect(mirror.ageMs(frame)).toBe(421)
})
