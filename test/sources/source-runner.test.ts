import { allParts } from '../../src/encoding/frames/frame-parts.ts'
import { expect, test } from 'vitest'
import type { FeedSnapshot } from '../../src/contract/collections.ts'
import { noHistory } from '../../src/metrics/history/history-reader.ts'
import type { FrameMessage } from '../../src/encoding/frames/frame-message.ts'
import type { FromWorld } from '../../src/encoding/frames/worker-protocol.ts'
import { SourceError } from '../../src/sources/source.ts'
import type { Source } from '../../src/sources/source.ts'
import { SourceRunner } from '../../src/sources/source-runner.ts'
import { worldChangeFeed } from '../../src/sources/built-in/world-change-feed.ts'
import { FeedSource, minuteNs } from '../archive/archived-world.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { tickingSource } from './ticking-world.ts'
import type { TickingOptions } from './ticking-world.ts'

/** A runner of a world whose steps take time, driven turn by turn. */
function hostOf(given: TickingOptions) {
  const { clock, world, source } = tickingSource(given)
  const told: FromWorld[] = []
  const turns: (() => void)[] = []
  const host = new SourceRunner({
    source,
    clock,
    post: (message) => told.push(message),
    soon: (call) => turns.push(call),
  })
  const turn = (): void => turns.shift()!()
  return { clock, world, host, told, turns, turn }
}

const frames = (told: readonly FromWorld[]): FrameMessage[] =>
  told.flatMap((message) => (message.kind === 'frame' ? [message.message] : []))

const figures = { seed: '7', scale: 'small', scenario: '', speed: 60 }
const feedAt = (simTimeNs: bigint): FeedSnapshot => ({
  simTimeNs,
  newestEvictedNs: -1n,
  events: [],
  collections: { incidents: [], resolvedIncidents: [], workOrders: [] },
})

/** Lets callbacks of settled promises run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('answers a publish that was asked for during the warm-up once that is over', async () => {
  const { host, told, turn } = hostOf({ warmUpNs: 40_000_000_000n, stepTakesMs: 4 })
  host.start()
  host.receive({ kind: 'publish', parts: allParts })
  await settle()
  expect(told.at(-1)).toEqual({ kind: 'warming-up', done: 0.5, simTimeNs: 20_000_000_000n })
  turn()
  await settle()
  expect(frames(told).map(({ simTimeNs }) => simTimeNs)).toEqual([40_000_000_000n])
})

test('answers each publish once, in between the steps of a world that never catches up', async () => {
  const { clock, host, told, turn, turns } = hostOf({ speed: 100_000, stepTakesMs: 20 })
  host.start()
  turn()
  clock.advanceTo(1)
  for (let publish = 1; publish <= 3; publish++) {
    host.receive({ kind: 'publish', parts: allParts })
    await settle()
    expect(frames(told)).toHaveLength(publish)
    expect(turns).toHaveLength(1)
    turn()
  }
})

test('leaves out parts that have not changed since the previous message', async () => {
  const { clock, host, told, turn } = hostOf({})
  host.start()
  turn()
  host.receive({ kind: 'publish', parts: allParts })
  await settle()
  host.receive({ kind: 'publish', parts: allParts })
  await settle()
  clock.advanceTo(170)
  host.receive({ kind: 'publish', parts: allParts })
  await settle()
  const [first, second, third] = frames(told)
  expect(Object.keys(first.collections)).toHaveLength(16)
  expect(second.collections).toEqual({})
  expect(second.events).toBeNull()
  expect(Object.keys(third.collections)).toEqual(['hosts'])
})

test('the world advances without requests', () => {
  const { clock, host, world, turn } = hostOf({ speed: 10 })
  host.start()
  turn()
  clock.advanceTo(60_000)
  expect(world.nowNs).toBe(600_000_000_000n)
})

/** A runner of a source with the test's captures. */
function troubledHost(capture: () => ReturnType<Source['capture']>) {
  const told: FromWorld[] = []
  const source: Source = {
    history: noHistory,
    warmUp: () => ({ done: 1, simTimeNs: 0n }),
    advance: () => Infinity,
    capture,
    retryMs: () => 250,
  }
  const post = (message: FromWorld): number => told.push(message)
  const host = new SourceRunner({ source, clock: new FakeClock(), post, soon: (call) => call() })
  host.start()
  return { host, told }
}

test('an error of the source is posted with a time to retry, and does not end the thread', async () => {
  let captures = 0
  const { host, told } = troubledHost(async () => {
    captures++
    if (captures === 1) throw new SourceError('cut_off', 'The line went dead.')
    return null
  })
  host.receive({ kind: 'publish', parts: allParts })
  await settle()
  host.receive({ kind: 'publish', parts: allParts })
  await settle()
  expect(told).toEqual([
    { kind: 'warming-up', done: 1, simTimeNs: 0n },
    { kind: 'missed', miss: { fault: 'cut_off', reason: 'The line went dead.', retryMs: 250 } },
    { kind: 'unchanged' },
  ])
})

test('an archive has all of a warm-up, and the wall time at its end, before that is over', () => {
  const told: FromWorld[] = []
  const world = { nowNs: 0n, eventsEmitted: 0, feedSnapshot: () => feedAt(world.nowNs) }
  const source: Source = {
    history: noHistory,
    changeFeed: worldChangeFeed(world, { worldId: 'w1', figures, warmUpChanges: [] }),
    warmUp() {
      world.nowNs += 60_000_000_000n
      return { done: world.nowNs < 180_000_000_000n ? 0.5 : 1, simTimeNs: world.nowNs }
    },
    advance: () => Infinity,
    capture: async () => null,
  }
  const turns: (() => void)[] = []
  const runner = new SourceRunner({
    source,
    clock: new FakeClock(),
    post: (message) => told.push(message),
    soon: (call) => turns.push(call),
    isArchived: true,
  })
  runner.start()
  for (let turn = 0; turn < 3; turn++) turns.shift()!()
  const seen = told.map((message) =>
    message.kind === 'changes'
      ? [Number(message.changes.simTimeNs) / 1e9, message.changes.wallMs === null ? 'no wall time' : 'placed']
      : message.kind,
  )
  expect(seen).toEqual([[60, 'no wall time'], 'warming-up', [180, 'placed'], 'warming-up'])
})

test('the changes of a warm-up that is not repeated are sent ahead of those of the present', () => {
  const clock = new FakeClock()
  const told: FromWorld[] = []
  const past = [1, 2, 3].map((minute) => new FeedSource().at(minute))
  const collections = { incidents: [], resolvedIncidents: [], workOrders: [] }
  const present = [{ simTimeNs: 4n * minuteNs, newestEvictedNs: -1n, events: [], collections }]
  const { figures } = past[0]
  const source: Source = {
    history: noHistory,
    changeFeed: {
      worldId: 'w1',
      figures,
      warmUpChanges: past,
      next: () => present.pop() ?? null,
    },
    warmUp: () => ({ done: 1, simTimeNs: 0n }),
    advance: () => Infinity,
    capture: () => null,
  }
  const post = (message: FromWorld): number => told.push(message)
  new SourceRunner({ source, clock, post, soon: (call) => call(), isArchived: true }).start()
  clock.advanceTo(1_000)
  const sent = told.flatMap((message) => (message.kind === 'changes' ? [message.changes] : []))
  expect(sent.map(({ simTimeNs, wallMs }) => [Number(simTimeNs / minuteNs), wallMs === null])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, false],
  ])
})
