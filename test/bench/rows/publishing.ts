import { receiveMessageOnPort, MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { processClock as clock } from '../../../src/process/clock.ts'
import type { FrameMessage } from '../../../src/encoding/frames/frame-message.ts'
import type { FrameSupply, SupplyEvents } from '../../../src/mirror/frame-supply.ts'
import { Mirror } from '../../../src/mirror/mirror.ts'
import type { FleetThreadData } from '../support/fleet-thread.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'

const hostCount = 3_000
const longestWaitMs = 300_000

/** A fleet in another thread, whose messages stay in a port until they are received. */
class FleetThread implements FrameSupply {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #posted = new Int32Array(new SharedArrayBuffer(4))
  #events: SupplyEvents | null = null

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const workerData: FleetThreadData = { hosts: hostCount, posts: this.#posted.buffer, port: port2 }
    this.#worker = new Worker(new URL('../support/fleet-thread.ts', import.meta.url), {
      workerData,
      transferList: [port2],
    })
  }

  start(events: SupplyEvents): void {
    this.#events = events
  }

  request(): void {}

  recycle(buffers: ArrayBufferLike[]): void {
    this.#port.postMessage({ kind: 'recycle', buffers })
  }

  async close(): Promise<void> {
    this.#port.close()
    await this.#worker.terminate()
  }

  /** Makes the fleet change and post, and waits until the message is in the port. */
  post(kind: 'publish' | 'post-tree'): void {
    const before = Atomics.load(this.#posted, 0)
    this.#port.postMessage({ kind })
    if (Atomics.wait(this.#posted, 0, before, longestWaitMs) === 'timed-out')
      throw new Error('The fleet did not post.')
  }

  /** Receives a frame and hands it to the mirror: the whole cost of a publish in this thread. */
  takeFrame(): void {
    this.#events!.frame(this.#take() as FrameMessage)
  }

  /** Receives the object tree from the port. */
  takeTree(): void {
    if ((this.#take() as unknown[]).length !== hostCount) throw new Error('Hosts are missing.')
  }

  #take(): unknown {
    const received = receiveMessageOnPort(this.#port)
    if (received === undefined) throw new Error('Nothing lies in the port.')
    return received.message as unknown
  }
}

export const publishStall: Row = {
  name: 'publish-stall',
  async measure() {
    const fleet = new FleetThread()
    const mirror = new Mirror({
      supply: fleet,
      clock,
      cadenceMs: 3_600_000,
      idleAfterMs: 3_600_000,
      log: () => {},
    })
    mirror.start()
    const turns = await takeTurns(
      {
        tree: { prepare: () => fleet.post('post-tree'), run: () => fleet.takeTree() },
        frame: { prepare: () => fleet.post('publish'), run: () => fleet.takeFrame() },
      },
      { warmUps: 2 },
    )
    await mirror.close()
    const measured = "service thread's stall at a publish, 3,000 hosts, against receiving the object tree"
    const [ratio, sides] = [turns.ratio('frame', 'tree'), turns.sides('frame', 'tree')]
    return [finding('publish-stall', measured, atMost(0.03), ratio, sides)]
  },
}
