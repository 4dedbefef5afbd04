import { parentPort, workerData } from 'node:worker_threads'
import { processClock as clock } from '../../src/process-clock.ts'
import type { FromWorld, ToWorld } from '../../src/encoding/frames/worker-protocol.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { SimulationSource } from '../../src/sources/built-in/simulation-source.ts'
import { SourceRunner } from '../../src/sources/source-runner.ts'
import { TickingWorld } from '../sources/ticking-world.ts'

/** Input of the thread: a world of 10 simulated seconds per step, and the times of its failures. */
export interface TickingThreadData {
  readonly warmUpNs: bigint
  readonly reachNs: bigint
  /** Simulated times at which it throws, once it is past `reachNs`. */
  readonly throwsAtNs: readonly bigint[]
  /** Whether a restarted world neither throws nor hangs. */
  readonly recovers: boolean
  /** The simulated time at which it hangs forever. */
  readonly hangsAtNs?: bigint
}

const { warmUpNs, reachNs, throwsAtNs, recovers, hangsAtNs } = workerData as TickingThreadData
const world = new TickingWorld(({ nowNs }) => {
  const mayThrow = nowNs > reachNs && !(recovers && reachNs > 0n)
  if (mayThrow && throwsAtNs.includes(nowNs)) throw new Error(`no luck at ${nowNs / 1_000_000_000n} s`)
  if (nowNs === hangsAtNs && !(recovers && reachNs > 0n)) for (;;);
})
const host = new SourceRunner({
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
setInterval(() => parentPort!.postMessage({ kind: 'heartbeat' } satisfies FromWorld), 20)
host.start()
