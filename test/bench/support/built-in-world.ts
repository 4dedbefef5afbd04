import { processClock as clock } from '../../../src/process/clock.ts'
import { BufferPool } from '../../../src/encoding/frames/buffer-pool.ts'
import { FrameBuilder } from '../../../src/encoding/frames/frame-builder.ts'
import type { FramePart } from '../../../src/encoding/frames/frame-parts.ts'
import { buffersOf } from '../../../src/encoding/frames/frame-message.ts'
import { defaultCollectors } from '../../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { SimulationSource } from '../../../src/sources/built-in/simulation-source.ts'

interface BuiltInWorld {
  readonly world: ReturnType<typeof createSimulation>
  /** Records the world's history, as in the service. */
  readonly source: SimulationSource
}

/** The built-in world as the service runs it. */
export function builtInWorld(scale: number | 'medium', warmUpUs: number): BuiltInWorld {
  const world = createSimulation({ seed: 1n, scale, warmUp: warmUpUs, scenario: null, speed: 60 })
  const source = new SimulationSource({
    world,
    exposition: createExposition({ collectors: defaultCollectors }),
    clock,
    speed: 60,
    warmUpNs: BigInt(warmUpUs) * 1_000n,
    cadenceMs: 1_000,
  })
  return { world, source }
}

let large: BuiltInWorld | null = null

/** A running world of 10,000 hosts, which rows share: it takes seconds to build. */
export function largeWorld(): BuiltInWorld {
  if (large === null) {
    large = builtInWorld(10_000, 0)
    // Ten minutes, until its parts have been compiled.
    for (let step = 0; step < 60; step++) large.world.step()
  }
  return large
}

/** Publishes as the world thread does, with buffers that return at once. Returns the bytes of a frame. */
export function publisherOf(source: SimulationSource): (parts?: readonly FramePart[]) => number {
  const pool = new BufferPool()
  const builder = new FrameBuilder(pool, () => clock.nowMs())
  return (parts) => {
    const message = builder.build(source.capture(null, parts))
    const buffers = buffersOf(message)
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0)
    for (const buffer of buffers) pool.give(buffer)
    return bytes
  }
}

/** The length of all hosts as JSON: the yardstick for costs that grow with them. */
export const stringifiedHosts = ({ world }: BuiltInWorld): number =>
  JSON.stringify(world.snapshot().collections.hosts).length
