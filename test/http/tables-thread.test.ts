/** The thread of tables as the service starts it, and what it costs the service thread. Its deaths are the simulator's. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'
import { FrameAssembler } from '../../src/encoding/frames/frame-assembly.ts'
import { FrameBuilder } from '../../src/encoding/frames/frame-builder.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { processClock as clock } from '../../src/process/clock.ts'
import { ownThread } from '../../src/process/thread.ts'
import { tables } from '../../src/tables/catalog.ts'
import { pictureNames } from '../../src/tables/drawings/pictures.ts'
import type { TableRequest } from '../../src/tables/thread/table-maker.ts'
import { TablesClient } from '../../src/tables/thread/tables-client.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'

const page: Omit<TableRequest, 'table'> = {
  format: 'json',
  filters: new Map(),
  sort: null,
  offset: 0,
  limit: 100_000,
}

/** The processor time of this thread, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Processor time of this thread in the busiest millisecond during the work, at least that of its longest turn. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const state = { longest: 0, isDone: false }
  const done = work().finally(() => (state.isDone = true))
  while (!state.isDone) {
    const before = threadMs()
    await pause(1)
    state.longest = Math.max(state.longest, threadMs() - before)
  }
  await done
  return state.longest
}

const turnMaxMs = 20

/** A frame in shared memory, as the world thread makes it. */
function sharedFrame(): Frame {
  const world = createSimulation({ seed: 2n, scale: 10_000, speed: 60, scenario: null, warmUp: 0 })
  for (let step = 0; step < 3; step++) world.step()
  const content = { snapshot: world.snapshot(), exposition: [], capturedAtMs: 0, projectMs: 0 }
  return new FrameAssembler().assemble(new FrameBuilder(new BufferPool(), () => 0).build(content), 1).frame
}

test('no table of a world of 10,000 hosts keeps other requests waiting, nor does the frame on its way', {
  timeout: 300_000,
}, async () => {
  const frame = sharedFrame()
  const client = new TablesClient({
    spawn: () => ownThread('tables-thread', { workerData: { archive: null } }),
    clock,
    archive: null,
    note: () => {},
  })
  const turns: { request: string; ms: number }[] = []
  const measure = async (request: TableRequest, name: string): Promise<void> => {
    let ms = Infinity
    // A garbage collection may occur in any turn, but hardly in the same one repeatedly.
    for (let tries = 0; tries < 4 && ms >= turnMaxMs; tries++)
      ms = Math.min(
        ms,
        await longestTurnMs(() => client.ask(frame, { ...request, limit: request.limit - tries })),
      )
    turns.push({ request: name, ms })
  }
  for (const table of tables.keys()) await measure({ ...page, table }, table)
  for (const picture of pictureNames) {
    const filters = new Map(Object.entries({ zone: ['1'], picture: [picture] }))
    await measure({ ...page, table: 'pictures', filters }, `${picture} of a zone`)
  }
  const [longest] = turns.toSorted((one, other) => other.ms - one.ms)
  expect(longest).toMatchObject({ ms: expect.toSatisfy((ms: number) => ms < turnMaxMs) as number })
  await client.close()
})
