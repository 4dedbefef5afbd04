import { expect, test } from 'vitest'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'
import { FrameAssembler } from '../../src/encoding/frames/frame-assembly.ts'
import { FrameBuilder } from '../../src/encoding/frames/frame-builder.ts'
import type { EncodedContent } from '../../src/encoding/frames/frame-builder.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { RecordingIndex } from '../../src/recording/recording-index.ts'
import { ReplaySource } from '../../src/sources/replay/source.ts'
import { tables } from '../../src/tables/catalog.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { MemoryBytes, MemorySession } from '../recording/recorded.ts'
import { crisisSnapshot, frameOf, rowsOf, worldOf } from './framed-worlds.ts'

/** The content that a replay of a recording begins with. */
async function replayedContent(bytes: Uint8Array): Promise<EncodedContent> {
  const clock = new FakeClock()
  const source = new ReplaySource({
    title: 'a.rec',
    index: new RecordingIndex(new MemoryBytes(bytes)),
    exposition: createExposition({ collectors: [] }),
    clock,
    speed: null,
    span: { fromNs: 0n, untilNs: null },
    loop: false,
    reachNs: 0n,
  })
  while (source.warmUp(clock.nowMs() + 8).done < 1) clock.advanceTo(clock.nowMs() + 1)
  source.advance(clock.nowMs() + 8)
  return source.capture()
}

test('a replayed world has the tables of the world that was recorded', async () => {
  const snapshot = crisisSnapshot()
  const content = await replayedContent(new MemorySession().record(snapshot).bytes)
  const message = new FrameBuilder(new BufferPool(), () => 0).build(content)
  const replayed = worldOf(new FrameAssembler().assemble(message, 1).frame)
  const recorded = worldOf(frameOf(snapshot))
  for (const table of tables.values())
    expect([table.name, await rowsOf(table, replayed)]).toEqual([table.name, await rowsOf(table, recorded)])
})
