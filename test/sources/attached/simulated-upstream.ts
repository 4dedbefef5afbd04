import { processClock as clock } from '../../../src/process-clock.ts'
import { BufferPool } from '../../../src/encoding/frames/buffer-pool.ts'
import { FrameBuilder } from '../../../src/encoding/frames/frame-builder.ts'
import { collectorNames } from '../../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import type { FrameSupply, SupplyEvents } from '../../../src/mirror/frame-supply.ts'
import { ownVersion } from '../../../src/own-version.ts'
import { createService } from '../../../src/service.ts'
import type { Service } from '../../../src/service.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { tablesHere } from '../../tables/tables-here.ts'
import { SimulationSource } from '../../../src/sources/built-in/simulation-source.ts'
const publishEveryMs = 200
const longNs = 400n * 86_400_000_000_000n

type World = Parameters<typeof createSimulation>[0]

/** The service on a simulated world that a test advances and publishes. */
export class SimulatedUpstream implements FrameSupply {
  readonly service: Service
  readonly #world
  readonly #source: SimulationSource
  readonly #builder: FrameBuilder
  readonly #pool = new BufferPool()
  #events: SupplyEvents | null = null
  origin = ''

  constructor(world: World) {
    this.#world = createSimulation(world)
    this.#source = new SimulationSource({
      title: 'A world under test',
      world: this.#world,
      exposition: createExposition({ collectors: collectorNames }),
      clock,
      speed: 0,
      warmUpNs: longNs,
      cadenceMs: 1000,
    })
    this.#builder = new FrameBuilder(this.#pool, clock.nowMs)
    const { history } = this.#source
    this.service = createService({
      supply: this,
      clock,
      version: ownVersion(),
      cadenceMs: 1000,
      idleAfterMs: 3_600_000,
      collectors: collectorNames,
      allowedHosts: [],
      history: () => history,
      tables: tablesHere(),
      log: (line) => console.error(line),
    })
  }

  static async start(world: World): Promise<SimulatedUpstream> {
    const server = new SimulatedUpstream(world)
    const { port } = await server.service.server.listen('127.0.0.1', 0)
    server.origin = `http://127.0.0.1:${port}`
    server.service.mirror.start()
    return server
  }

  get nowNs(): bigint {
    return this.#world.nowNs
  }

  /** Advances the world, and publishes it. */
  advanceTo(simTimeNs: bigint): void {
    while (this.#world.nowNs < simTimeNs) this.#source.warmUp(clock.nowMs() + 1)
    this.#publish()
  }

  start(events: SupplyEvents): void {
    this.#events = events
  }

  /** A world that has not been advanced is not published; an unchanged one is published again. */
  request(): void {
    clock.after(publishEveryMs, () => {
      if (this.#world.nowNs > 0n) this.#publish()
      else this.request()
    })
  }

  recycle(buffers: ArrayBuffer[]): void {
    for (const buffer of buffers) this.#pool.give(buffer)
  }

  #publish(): void {
    this.#events!.frame(this.#builder.build(this.#source.capture(null)))
  }

  async close(): Promise<void> {
    this.#events = { frame() {}, unchanged() {}, missed() {}, warmingUp() {}, failed() {}, state() {} }
  }
}
