/** The result of a row: the median of its rounds, and the interquartile range. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** A quantile of values, with linear interpolation. */
function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('There is no quantile of no values.')
  const sorted = values.toSorted((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below)
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const estimateOf = (values: readonly number[]): Estimate => ({
  value: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
})

/** The minimum number of rounds for an estimate. */
const roundsMin = 11

export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

const nap = new Int32Array(new SharedArrayBuffer(4))
const napMs = 0.01

/** The kernel updates a thread's processor time when it sleeps, and otherwise every few milliseconds only. */
const settledMs = (usage: () => NodeJS.CpuUsage) => (): number => {
  Atomics.wait(nap, 0, 0, napMs)
  const { user, system } = usage()
  return (user + system) / 1_000
}

/** Processor time of the calling thread, which other programs hardly increase. */
export const threadCpuMs = settledMs(() => process.threadCpuUsage())

/** The clock of a round: of all threads, for work that other threads share. */
const clocks = { thread: threadCpuMs, process: settledMs(() => process.cpuUsage()) }

/** The overhead of reading a clock. */
function emptyMs(clock: () => number): number {
  return median(
    Array.from({ length: 51 }, () => {
      const beganMs = clock()
      return clock() - beganMs
    }),
  )
}

interface Contender {
  /** Sets up the state to measure; not timed. */
  readonly prepare?: (round: number) => void | Promise<void>
  /** One round. Returns its milliseconds if it measures them more exactly than the clock around it. */
  readonly run: (round: number) => unknown
}

interface TurnOptions {
  readonly rounds?: number
  /** Rounds that do not count, before the others. */
  readonly warmUps?: number
  /** By default the processor time of this thread. */
  readonly clock?: keyof typeof clocks
}

/** The milliseconds of each contender, round by round. */
class Turns<K extends string> {
  readonly #ms: Readonly<Record<K, readonly number[]>>

  constructor(ms: Readonly<Record<K, readonly number[]>>) {
    this.#ms = ms
  }

  median(name: K): number {
    return median(this.#ms[name])
  }

  /** The ratio of two durations within the same round, for which the machine's load was the same. */
  ratio(one: K, other: K): Estimate {
    const others = this.#ms[other]
    return estimateOf(this.#ms[one].map((ms, round) => ms / others[round]))
  }

  /** Both medians, for display. */
  sides(one: K, other: K, unit: 'ms' | 'µs' = 'ms', of = 1): string {
    const shown = (name: K): string => ((this.median(name) * (unit === 'ms' ? 1 : 1_000)) / of).toPrecision(3)
    return `${shown(one)} : ${shown(other)} ${unit}`
  }
}

async function runOnce({ prepare, run }: Contender, round: number, clock: () => number): Promise<number> {
  await prepare?.(round)
  const beganMs = clock()
  const measured = await run(round)
  return typeof measured === 'number' ? measured : clock() - beganMs
}

/** Keeps a ratio finite. */
const shortestMs = 1e-4

/** Runs contenders alternately, round after round, so that other load on the machine affects them alike. */
export async function takeTurns<K extends string>(
  contenders: Readonly<Record<K, Contender>>,
  { rounds = roundsMin, warmUps = 5, clock = 'thread' }: TurnOptions = {},
): Promise<Turns<K>> {
  if (rounds < roundsMin)
    throw new RangeError(`${rounds} rounds are too few: expected at least ${roundsMin}.`)
  const entries = Object.entries<Contender>(contenders)
  const now = clocks[clock]
  const overheadMs = emptyMs(now)
  const ms = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = 0; round < warmUps + rounds; round++) {
    // Only once: a garbage collection before every round would leave the processor's caches cold.
    if (round === warmUps) globalThis.gc?.()
    for (const [name, contender] of entries) {
      const took = await runOnce(contender, round, now)
      if (round >= warmUps) ms[name as K].push(Math.max(took - overheadMs, shortestMs))
    }
  }
  return new Turns(ms)
}
