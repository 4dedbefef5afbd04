import { expect, test } from 'vitest'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'
import { FrameAssembler } from '../../src/encoding/frames/frame-assembly.ts'
import { FrameBuilder } from '../../src/encoding/frames/frame-builder.ts'
import { tables } from '../../src/tables/catalog.ts'
import { RecordedSession } from '../recording/recorded.ts'
import { replayOf } from '../recording/replayed.ts'
import { crisisSnapshot, frameOf, rowsOf, worldOf } from './framed-worlds.ts'

test('a replayed world has the tables of the world that was recorded', () => {
  const snapshot = crisisSnapshot()
  const content = replayOf(new RecordedSession().record(snapshot)).source.capture()
  const message = new FrameBuilder(new BufferPool(), () => 0).build(content)
  const replayed = worldOf(new FrameAssembler().assemble(message, 1).frame)
  const recorded = worldOf(frameOf(snapshot))
  for (const table of tables.values())
    expect([table.name, rowsOf(table, replayed)]).toEqual([table.name, rowsOf(table, recorded)])
})
