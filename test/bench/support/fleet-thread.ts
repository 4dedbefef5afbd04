import { workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { BufferPool } from '../../../src/encoding/frames/buffer-pool.ts'
import { FrameBuilder } from '../../../src/encoding/frames/frame-builder.ts'
import type { ToWorld } from '../../../src/encoding/frames/worker-protocol.ts'
import { busyFleet, loadHost } from '../../fixtures/busy-hosts.ts'
import { snapshotWith } from '../../fixtures/handmade-snapshot.ts'
import { SeededRandom } from '../../fixtures/seeded-random.ts'

/** A fleet that changes before each post, which sends a frame or the records. */
export interface FleetThreadData {
  readonly hosts: number
  /** Counts the posts, so that the other thread can wait for one without receiving it. */
  readonly posts: SharedArrayBuffer
  readonly port: MessagePort
}

const { hosts: count, posts, port } = workerData as FleetThreadData
const posted = new Int32Array(posts)
const chance = new SeededRandom(3)
const hosts = busyFleet(count, chance)
const snapshot = snapshotWith({ hosts })
const pool = new BufferPool()
const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6
const builder = new FrameBuilder(pool, nowMs)

port.on('message', (asked: ToWorld | { readonly kind: 'post-tree' }) => {
  if (asked.kind === 'recycle') {
    for (const buffer of asked.buffers) pool.give(buffer)
    return
  }
  for (const host of hosts) loadHost(host, chance)
  if (asked.kind === 'post-tree') port.postMessage(hosts)
  else {
    const message = builder.build({ snapshot, exposition: [], capturedAtMs: nowMs(), projectMs: 0 })
    port.postMessage(message)
  }
  Atomics.add(posted, 0, 1)
  Atomics.notify(posted, 0)
})
