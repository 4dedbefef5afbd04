/** An archive of hostile worlds, and hostile searches in it. */
import { ArchiveHere, beganMs, eventAt, incidentOf, orderOf, FeedSource } from '../archive/archived-world.ts'
import type { ArchiveRange } from '../../src/tables/engine/archive-range.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'

const texts = [
  '',
  'chiller',
  '"',
  "'; DROP TABLE record; --",
  'a" OR "b',
  'NEAR(a b, 2)',
  'text : *',
  '^chiller -pump',
  '{text} : chiller',
  '\0',
  '\ud800',
  '%_\\',
  '𝔉𝔞𝔫',
  'x'.repeat(5_000),
  'a '.repeat(2_000),
  '__proto__',
  '?1 :name @name $name',
]
const moments = [null, 0, -1, 1, beganMs, beganMs + 100_000, 8.64e15, Number.MAX_SAFE_INTEGER]

export function hostileArchive(random: SeededRandom): ArchiveHere {
  const archive = new ArchiveHere()
  const source = new FeedSource(random.oneIn(2) ? 'w' : null)
  const text = (): string => random.pick(texts)
  for (let minute = 100; minute <= 400; minute += 100) {
    const events = Array.from({ length: 20 }, (_, index) =>
      eventAt(minute - 100 + index, {
        msg_key: text(),
        msg_args: [{ key: text(), text: text(), number: 0, is_number: false }],
        entity_id: random.oneIn(2) ? null : random.below(5),
      }),
    )
    const resolved = Array.from({ length: 5 }, (_, index) =>
      incidentOf(minute + index, minute - 50, minute - random.below(100), {
        hint: text(),
        affected_customer_ids: [random.below(9), 9_007_199_254_740_993n],
      }),
    )
    archive.tell(
      source.at(minute, { events, resolved, orders: [orderOf(minute, minute, minute - 20, text())] }),
    )
    archive.learn([
      { collection: 'customers', id: BigInt(random.below(9)), json: JSON.stringify({ name: text() }) },
    ])
  }
  return archive
}

export const hostileRange = (random: SeededRandom): ArchiveRange => ({
  world: random.pick([null, null, 0, 1, 999_999_999]),
  fromMs: random.pick(moments),
  toMs: random.pick(moments),
  text: random.oneIn(3) ? '' : random.pick(texts),
  session: null,
})
