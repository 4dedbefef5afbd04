import { SeededRandom } from '../fixtures/seeded-random.ts'
import { networkFaults } from './upstream.ts'
import type { NetworkFault } from './upstream.ts'

const threadFaults = ['world-dies', 'world-hangs', 'no-threads', 'tables-die', 'tables-hang'] as const
const clientFaults = ['pipeline', 'flood-tables', 'crawl', 'leave', 'idle'] as const
const worldFaults = ['restart', 'burst', 'heavy', 'wall-jump'] as const
const diskFaults = ['disk-full', 'disk-slow', 'power-loss'] as const
const sessionFaults = ['session-dies', 'session-hangs', 'no-processes'] as const

type ActionKind =
  | NetworkFault
  | (typeof threadFaults)[number]
  | (typeof clientFaults)[number]
  | (typeof worldFaults)[number]
  | (typeof diskFaults)[number]
  | (typeof sessionFaults)[number]

/** Something that happens to the simulated machines. */
export interface Action {
  readonly kind: ActionKind
  readonly atMs: number
  readonly lastsMs: number
  /** From 0 to 1: how bad. */
  readonly size: number
}

/** Everything that a run follows from. */
export interface Plan {
  readonly seed: number
  readonly source: 'attached' | 'built-in'
  readonly isArchived: boolean
  /** Whether the archive is in a file, which outlives its thread. */
  readonly isKept: boolean
  readonly cadenceMs: number
  readonly idleMs: number
  readonly upstreamCadenceMs: number
  readonly latencyMs: number
  /** Whether hours pass in an upstream from publish to publish. */
  readonly hasHours: boolean
  /** The longest delay of a message between threads. */
  readonly portMs: number
  /** Simulated seconds in a wall second, and steps of the warm-up, of a built-in world. */
  readonly speed: number
  readonly warmUpSteps: number
  /** Stories of a warm-up that another process simulated. */
  readonly warmUpStories: number
  readonly stepMs: number
  /** Events of an upstream from before the mirror: its window may be full. */
  readonly earlierEvents: number
  /** Faults end then. */
  readonly faultsMs: number
  readonly actions: readonly Action[]
}

/** Each seed has some of the faults, at a rate of its own. */
export function drawPlan(seed: number): Plan {
  const random = new SeededRandom(seed)
  const source = random.oneIn(2) ? 'attached' : 'built-in'
  const kinds: readonly ActionKind[] = [
    ...threadFaults,
    ...clientFaults,
    ...worldFaults,
    ...diskFaults,
    ...sessionFaults,
    ...(source === 'attached' ? networkFaults : []),
  ]
  const on = kinds.filter(() => random.oneIn(3))
  const faultsMs = 10_000 + random.below(20_000)
  const count = on.length === 0 || random.oneIn(6) ? 0 : random.below(16)
  const durations = [300, 2_000, 8_000, 25_000]
  const actions = Array.from({ length: count }, () => ({
    kind: random.pick(on),
    atMs: random.below(faultsMs),
    lastsMs: 1 + random.below(random.pick(durations)),
    size: random.next(),
  }))
  return {
    seed,
    source,
    isArchived: random.oneIn(2),
    isKept: random.oneIn(2),
    cadenceMs: random.pick([500, 1_000, 2_000, 4_000]),
    idleMs: random.pick([6_000, 60_000]),
    upstreamCadenceMs: random.pick([700, 1_000, 3_000]),
    latencyMs: random.pick([1, 5, 60]),
    hasHours: random.oneIn(3),
    portMs: random.pick([0, 1, 20]),
    speed: random.pick([10, 60, 300]),
    warmUpSteps: random.pick([0, 5, 100]),
    warmUpStories: random.pick([0, 0, 20, 80]),
    stepMs: random.pick([0, 0, 1, 12]),
    faultsMs,
    actions: actions.toSorted((one, other) => one.atMs - other.atMs),
    earlierEvents: random.pick([0, 200]),
  }
}

/** The longest way to an upstream on which the mirror finds the newest evicted event in time. */
const shortLatencyMs = 5

/** Whether an attached mirror may have to assume a gap: after a failure, or a search that took too long. */
export const mayMissEvents = ({ source, latencyMs, actions }: Plan): boolean =>
  source === 'attached' &&
  (latencyMs > shortLatencyMs ||
    actions.some(({ kind }) =>
      ([...networkFaults, ...threadFaults, 'restart'] as readonly string[]).includes(kind),
    ))
