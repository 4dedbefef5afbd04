import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorld, ToWorld } from '../../src/encoding/frames/worker-protocol.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { processClock as clock } from '../../src/process-clock.ts'
import { SimulationSource } from '../../src/sources/built-in/simulation-source.ts'
import { SourceRunner } from '../../src/sources/source-runner.ts'
import { TickingWorld } from '../sources/ticking-world.ts'

/** The simulated time at which it hangs forever, unless it has been restarted. */
export const hangsAtNs = 3_600_000_000_000n

/** A world of 10 simulated seconds a step. */
function start(reachNs: bigint): void {
  const world = new TickingWorld(({ nowNs }) => {
    if (nowNs === hangsAtNs && reachNs === 0n) for (;;);
  })
  const host = new SourceRunner({
    source: new SimulationSource({
      title: 'A ticking world',
      world,
      exposition: createExposition({ collectors: [] }),
      clock,
      speed: 10_000,
      warmUpNs: reachNs,
      cadenceMs: 20,
    }),
    clock,
    post: (message, moved) => parentPort!.postMessage(message, moved),
    soon: setImmediate,
  })
  parentPort!.on('message', (message: ToWorld) => host.receive(message))
  setInterval(() => parentPort!.postMessage({ kind: 'heartbeat' } satisfies FromWorld), 20)
  host.start()
}

// The test imports the time alone.
if (typeof workerData === 'bigint') start(workerData)
