import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Failures } from '../fixtures/failures.ts'
import { randomOf } from './target.ts'
import type { Target } from './target.ts'

interface FuzzOptions {
  readonly name: string
  readonly seed: number
  readonly firstCase: number
  /** The run ends after this many cases or this long, whichever comes first. */
  readonly cases: number
  readonly minutes: number
  /** It ends with this many failures, too. */
  readonly failuresMax?: number | undefined
}

const progressEveryMs = 10_000
const defaultFailuresMax = 100
/** How much the memory may grow between the first tenth of a run and its end. */
const growthMaxMb = 200
/** A case keeps the event loop for at most this long before timers have their turn. */
const turnMs = 50
/** How long no case may end. */
const hangMs = 300_000

/** The memory of this process after a collection. The others of a fuzz are asked by their number. */
async function ownMb(): Promise<number> {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

const repeatCommand = ({ name, seed }: FuzzOptions, number: number): string =>
  `npm run fuzz -- ${name} --seed ${seed} --case ${number} --cases 1`

/** Runs cases of a target until the bounds of the run; returns how many. */
export async function fuzz(target: Target, options: FuzzOptions, failures: Failures): Promise<number> {
  const { name, seed, firstCase, cases, minutes, failuresMax = defaultFailuresMax } = options
  const memoryMb = target.residentMb ?? ownMb
  const beganMs = performance.now()
  let next = firstCase
  let done = 0
  let yieldedMs = beganMs
  const base: { mb?: Promise<number> } = {}
  const running = new Set<number>()
  const watch = watchForHang(options)
  const partDone = (): number =>
    Math.max((next - firstCase) / cases, (performance.now() - beganMs) / 60_000 / minutes)
  const runOne = async (number: number, lane: number): Promise<void> => {
    running.add(number)
    watch(done, Math.min(...running))
    try {
      const found = await target.run({ number, random: randomOf(seed, number), lane })
      for (const failure of found) failures.add(failure, repeatCommand(options, number))
    } catch (error) {
      failures.add(error instanceof Error ? error.stack! : String(error), repeatCommand(options, number))
    }
    running.delete(number)
    watch(++done, Math.min(...running))
    if (performance.now() - yieldedMs > turnMs) {
      await setImmediate()
      yieldedMs = performance.now()
    }
  }
  const progress = setInterval(() => {
    const perSecond = Math.round(done / ((performance.now() - beganMs) / 1000))
    console.log(`${name}: ${done} cases, ${perSecond} a second, ${failures.total} failures`)
  }, progressEveryMs)
  const lanes = Array.from({ length: target.lanes }, async (_, lane) => {
    while (partDone() < 1 && failures.total < failuresMax) {
      await runOne(next++, lane)
      if (partDone() >= 0.1) base.mb ??= memoryMb()
    }
  })
  await Promise.all(lanes)
  clearInterval(progress)
  watch.stop()
  const grownMb = (await memoryMb()) - ((await base.mb) ?? Infinity)
  if (grownMb > growthMaxMb) failures.add(`${name}: the memory grew by ${Math.round(grownMb)} MB`)
  return done
}

/** Ends the process where no case ends for long, also while one keeps its thread. */
function watchForHang(options: FuzzOptions) {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const hung = repeatCommand(options, NaN)
  const worker = new Worker(
    `const { workerData: { state, hung, hangMs, pid } } = require('node:worker_threads')
     let [seen, sinceMs] = [-1, Date.now()]
     setInterval(() => {
       if (state[0] !== seen) [seen, sinceMs] = [state[0], Date.now()]
       if (Date.now() - sinceMs < hangMs) return
       require('node:fs').writeSync(2, 'FAILED: no case ended for ' + hangMs + ' ms: ' + hung.replace('NaN', state[1]) + '\\n')
       process.kill(pid, 'SIGKILL')
     }, 1000)`,
    { eval: true, workerData: { state, hung, hangMs, pid: process.pid } },
  )
  worker.unref()
  const watch = (done: number, oldest: number): void => {
    state[0] = done
    state[1] = oldest
  }
  return Object.assign(watch, { stop: () => void worker.terminate() })
}
