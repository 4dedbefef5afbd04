import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { historyMetrics } from '../../../src/contract/history.ts'
import { RandomStreams } from '../../../src/world/simulation/random.ts'
import type { RandomStream } from '../../../src/world/simulation/random.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { isNight } from '../../fixtures/seeds.ts'
import { begin, fingerprint, fingerprintAfter } from './fingerprint.ts'
import type { WorldToHash } from './fingerprint.ts'
import { countedWhenRead, divergence } from './lives.ts'
import type { Life } from './lives.ts'

const span = isNight ? 3 * day : 12 * hour
const small: WorldToHash = { seed: 11n, scale: 'small', span }

describe('the same seed gives the same world, step by step, to the last digit of every record', () => {
  const looking = (sim: Simulation): void => void sim.snapshot()
  const seldom = (sim: Simulation): void => void (sim.state.tick % 37 === 0 && looking(sim))

  test.each<readonly [string, WorldToHash, (sim: Simulation) => void]>([
    ['looked at every 37 steps', small, seldom],
    ['looked at after every step', { seed: 13n, scale: 8, span }, looking],
    ['with its history sampled', small, sampler()],
  ])('%s', (_, world, each) => {
    const lives = (): Life[] => [{ sim: begin(world) }, { sim: begin(world), each }]
    expect(divergence(lives, span, countedWhenRead)).toBe(null)
  })

  test('in a second run', () => {
    expect(divergence(() => [{ sim: begin(small) }, { sim: begin(small) }], span)).toBe(null)
  })

  test('in a thread of its own, but not of another seed', async () => {
    const thread = new Worker(new URL('hashing-thread.ts', import.meta.url), { workerData: small })
    const [hash] = (await once(thread, 'message')) as [string]
    expect(hash).toBe(fingerprintAfter(small))
    expect(fingerprintAfter({ ...small, seed: 12n })).not.toBe(hash)
  })

  test('where two lives part, the step and the part of the world are named', () => {
    const each = ({ state, parts }: Simulation): void => {
      if (state.tick === 100) parts.operator.state.reserves += 1
    }
    expect(divergence(() => [{ sim: begin(small) }, { sim: begin(small), each }], hour)).toEqual({
      tick: 100,
      parts: ['operator'],
    })
  })
})

/** Samples the history after every step, as a source does. */
function sampler(): (sim: Simulation) => void {
  let values = new Float64Array(0)
  let version = -1
  return ({ history }) => {
    if (version !== history.version) {
      version = history.version
      const count = history.entities.reduce(
        (sum, { subject }) => sum + Object.keys(historyMetrics[subject]).length,
        0,
      )
      values = new Float64Array(count)
    }
    history.sample(values)
  }
}

describe('a change in one part does not reshuffle another', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const streamsOf: readonly string[] = ['work.', 'faults.', 'incidents.', 'security.', 'scenario.']

  test.each(streamsOf)('one more draw from each stream %s…', (prefix) => {
    const world: WorldToHash = { seed: 14n, scale: 'small', span: 0 }
    const plain = noiseAfter(begin(world), 6 * hour)
    drawOnceMore(prefix)
    const shifted = noiseAfter(begin(world), 6 * hour)
    expect(shifted.topology).toBe(plain.topology)
    expect(shifted.population).toEqual(plain.population)
    expect(shifted.demand).toEqual(plain.demand)
  })

  test('one more draw from each stream of the customers changes neither the topology nor its failures', () => {
    const world: WorldToHash = { seed: 15n, scale: 'small', span: 0 }
    const plain = breakdownsAfter(begin(world), day)
    const topology = topologyTextOf(begin(world))
    drawOnceMore('customers.')
    expect(topologyTextOf(begin(world))).toBe(topology)
    expect(breakdownsAfter(begin(world), day)).toEqual(plain)
  })

  test('whether a draw more is taken does show where it is taken', () => {
    const world: WorldToHash = { seed: 16n, scale: 'small', span: 0 }
    const plain = begin(world).snapshot()
    const hash = fingerprint(plain)
    drawOnceMore('customers.')
    expect(fingerprint(begin(world).snapshot())).not.toBe(hash)
  })
})

/** Advances every stream with this name prefix by one draw. */
function drawOnceMore(prefix: string): void {
  const ahead = new WeakSet<object>()
  const original = Object.getOwnPropertyDescriptor(RandomStreams.prototype, 'stream')!
  const stream = original.value as (this: RandomStreams, name: string) => RandomStream
  vi.spyOn(RandomStreams.prototype, 'stream').mockImplementation(function (this: RandomStreams, name) {
    const found = stream.call(this, name)
    if (name.startsWith(prefix) && !ahead.has(found)) {
      ahead.add(found)
      found.next()
    }
    return found
  })
}

const topologyTextOf = ({ state }: Simulation): string =>
  JSON.stringify(state.topology, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  )

/** The topology, the initial population, and the noise in its demand after a span of time. */
function noiseAfter(sim: Simulation, span: Micros) {
  const topology = topologyTextOf(sim)
  const there = sim.customers.state.accounts.map(({ id }) => id)
  const population = sim.customers.state.accounts.map(({ id, name, tier, hosts, hostUnits }) => ({
    id,
    name,
    tier,
    hosts: Array.from(hosts),
    units: Array.from(hostUnits),
  }))
  while (sim.state.now < span) sim.step()
  const { byId } = sim.customers.state
  const demand = there
    .map((id) => byId.get(id))
    .map((account) => [account?.demandDrift, account?.launchLevel])
  return { topology, population, demand }
}

/** The failures of parts with their times. Attacks and demand surges target customers, and vary with them. */
function breakdownsAfter(sim: Simulation, span: Micros) {
  while (sim.state.now < span) sim.step()
  const { active, ended } = sim.state.faults
  return [...ended, ...active]
    .filter(({ kind }) => kind === 'PortFlap' || kind === 'TransceiverFailure' || kind === 'CableCut')
    .map(({ kind, target, began }) => ({ kind, target, began }))
    .toSorted((a, b) => a.began - b.began)
}
