import { parentPort, workerData } from 'node:worker_threads'
import { clockOf } from '../../src/contract/clock.ts'
import type { ToWorld } from '../../src/encoding/thread-messages.ts'
import { createExposition } from '../../src/metrics/exposition.ts'
import { SimulationSource } from '../../src/sources/simulation.ts'
import { WorldHost } from '../../src/sources/world-host.ts'
import { TickingWorld } from '../sources/ticking-world.ts'

/** What the thread is told: a world of 10 simulated seconds a step, and when it is to break. */
export interface TickingThreadData {
  readonly warmUpNs: bigint
  readonly reachNs: bigint
  /** Simulated times at which it throws once it is past what it has to reach. */
  readonly throwsAtNs: readonly bigint[]
  /** Whether a world that is started again throws no more. */
  readonly recovers: boolean
  /** The simulated time at which it hangs for good. */
  readonly hangsAtNs?: bigint
}

const { warmUpNs, reachNs, throwsAtNs, recovers, hangsAtNs } = workerData as TickingThreadData

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)
const world = new TickingWorld(({ nowNs }) => {
  const mayThrow = nowNs > reachNs && !(recovers && reachNs > 0n)
  if (mayThrow && throwsAtNs.includes(nowNs)) throw new Error(`no luck at ${nowNs / 1_000_000_000n} s`)
  if (nowNs === hangsAtNs) for (;;);
})
const host = new WorldHost({
  source: new SimulationSource({
    title: 'A ticking world',
    world,
    exposition: createExposition({ collectors: [] }),
    clock,
    speed: 10_000,
    warmUpNs: warmUpNs > reachNs ? warmUpNs : reachNs,
    cadenceMs: 20,
  }),
  clock,
  post: (message, moved) => parentPort!.postMessage(message, moved),
  soon: setImmediate,
})
parentPort!.on('message', (message: ToWorld) => host.receive(message))
host.start()
