/** The entry of the worker thread: opens a source and runs it. */
import { parentPort, workerData } from 'node:worker_threads'
import { processClock as clock } from './process/clock.ts'
import { heartbeatIntervalMs } from './encoding/frames/worker-protocol.ts'
import type { FromWorld, ToWorld } from './encoding/frames/worker-protocol.ts'
import { createExposition } from './metrics/exposition/exposition.ts'
import { serveHistory } from './sources/world-thread-history.ts'
import { openSource } from './sources/registry.ts'
import { SourceRunner } from './sources/source-runner.ts'
import type { WorldThreadData } from './sources/world-thread-data.ts'
import { printable } from './text/printable.ts'

const port = parentPort
if (port === null) throw new Error('This file runs in a worker thread that the service starts.')

const { spec, cadenceMs, collectors, reachNs, isArchived, historyPort } = workerData as WorldThreadData
const exposition = createExposition({
  collectors,
  clock: clock.nowMs,
  onFailure: (collector, error) =>
    console.error(printable(`The collector ${collector} failed: ${String(error)}`)),
})

const source = await openSource(spec, {
  exposition,
  clock,
  cadenceMs,
  reachNs,
  report: (report) => port.postMessage({ kind: 'state', report } satisfies FromWorld),
})
serveHistory(historyPort, source.history)
const runner = new SourceRunner({
  source,
  clock,
  post: (message: FromWorld, moved) => port.postMessage(message, moved),
  soon: (call) => setImmediate(call),
  isArchived,
})
port.on('message', (message: ToWorld) => runner.receive(message))
setInterval(() => port.postMessage({ kind: 'heartbeat' } satisfies FromWorld), heartbeatIntervalMs)
runner.start()
