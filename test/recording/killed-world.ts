import type { Snapshot } from '../../src/contract/collections.ts'
import { Quest } from '../../src/contract/records/operations.ts'
import { blank, literalSnapshot } from '../literal-world.ts'

const questCount = 200

/** The world at a frame: every record of it tells which frame it is. */
export const worldOfFrame = (frame: number): Snapshot =>
  literalSnapshot(
    {
      quests: Array.from({ length: questCount }, (_, id) =>
        blank(Quest, {
          id,
          unlock_step: frame * 7_919 + ((id * frame) % 1_000),
          reward_label: `frame ${frame}`,
        }),
      ),
    },
    { simTimeNs: BigInt(frame) * 1_000_000_000n },
  )
