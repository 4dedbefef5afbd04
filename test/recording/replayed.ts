import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { RecordingIndex } from '../../src/recording/recording-index.ts'
import { ReplaySource } from '../../src/sources/replay/source.ts'
import type { ReplayOptions } from '../../src/sources/replay/source.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { MemoryBytes } from './recorded.ts'

/** A replay at its first frame. */
export function replayOf(bytes: Uint8Array, given: Partial<ReplayOptions> = {}) {
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
    ...given,
  })
  while (source.warmUp(clock.nowMs() + 8).done < 1) clock.advanceTo(clock.nowMs() + 1)
  source.advance(clock.nowMs() + 8)
  return { clock, source }
}
