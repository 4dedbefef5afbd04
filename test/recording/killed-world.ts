import type { Snapshot } from '../../src/contract/collections.ts'
import { QuestSchema } from '../../src/contract/records/operations.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'

const questCount = 200

/** A world whose records all depend on the frame number. */
export const worldOfFrame = (frame: number): Snapshot =>
  snapshotWith(
    {
      quests: Array.from({ length: questCount }, (_, id) =>
        emptyRecord(QuestSchema, {
          id,
          unlock_step: frame * 7_919 + ((id * frame) % 1_000),
          reward_label: `frame ${frame}`,
        }),
      ),
    },
    { simTimeNs: BigInt(frame) * 1_000_000_000n },
  )
