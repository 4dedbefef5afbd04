import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { ReplaySource } from '../../src/sources/replay/source.ts'
import type { ReplayOptions } from '../../src/sources/replay/source.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import type { RecordedSession } from './recorded.ts'

/** A replay at its first frame. */
export function replayOf({ frames }: Pick<RecordedSession, 'frames'>, given: Partial<ReplayOptions> = {}) {
  const clock = new FakeClock()
  const source = new ReplaySource({
    title: 'a.dcsim',
    frames,
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
