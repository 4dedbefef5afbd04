/** An archive of hostile worlds, hostile searches, and damaged files: what is kept is found, and it never fails. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArchiveQuery } from '../../../src/contract/archive.ts'
import {
  ArchiveHere,
  beganMs,
  eventAt,
  incidentOf,
  orderOf,
  FeedSource,
} from '../../archive/archived-world.ts'
import { ForeignFileError } from '../../../src/store/session-file.ts'
import type { PastRange } from '../../../src/tables/engine/past-range.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { damages } from '../damaged-bytes.ts'
import { randomOf } from '../target.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** Consecutive cases that share a world. */
const casesPerWorld = 256
/** The interval of cases that damage a file. */
const fileEvery = 20

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

export const hostileRange = (random: SeededRandom): PastRange => ({
  world: random.pick([null, null, 0, 1, 999_999_999]),
  fromMs: random.pick(moments),
  toMs: random.pick(moments),
  text: random.oneIn(3) ? '' : random.pick(texts),
  session: null,
})

const kinds = ['event', 'incident', 'order'] as const

const hostileQuery = (random: SeededRandom): Partial<ArchiveQuery> => ({
  ...hostileRange(random),
  world: null,
  kind: random.pick(kinds),
  incidents: random.oneIn(2) ? null : [BigInt(random.below(500)), 2n ** 63n - 1n],
  limit: random.pick([0, 1, 5, 100_000]),
})

function faultsOf(archive: ArchiveHere, query: Partial<ArchiveQuery>, observe: Observe): string[] {
  const { found, entities } = archive.ask(query)
  const faults: string[] = []
  if (found.length > query.limit!) faults.push(`${query.kind}: more records than asked for`)
  for (const { record } of [...found, ...entities])
    observe(
      JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    )
  return faults
}

const isSentence = /^The (?:archive|file|index) .+\.$/s

class ArchiveFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dcsim-fuzz-archive-'))
  readonly #path = join(this.#folder, 'archive.db')
  readonly #sound: Buffer

  constructor() {
    const archive = new ArchiveHere(this.#path)
    const events = Array.from({ length: 100 }, (_, index) => eventAt(index))
    archive.tell(new FeedSource().at(100, { events, resolved: [incidentOf(1, 5, 50)] }))
    archive.close()
    this.#sound = readFileSync(this.#path)
  }

  faultsOf(random: SeededRandom, observe: Observe): string[] {
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name))
    const damage = random.pick(damages)
    writeFileSync(this.#path, damage.apply(random, Buffer.from(this.#sound)))
    let archive: ArchiveHere
    try {
      archive = new ArchiveHere(this.#path)
    } catch (error) {
      // Without the bytes by which it is known, it is not touched.
      return error instanceof ForeignFileError ? [] : [`${damage.name}: ${String(error)}`]
    }
    archive.tell(new FeedSource().at(1_000, { events: [eventAt(999)] }))
    const faults = archive.minutes().includes(999) ? [] : [`${damage.name}: what happens next is not kept`]
    // SQLite does not notice all damage to the index of words: a search may lack records, but it is answered.
    archive.minutes({ text: 'minute' })
    for (const note of archive.notes())
      if (!isSentence.test(observe(note)))
        faults.push(`${damage.name}: no sentence of what became of the file`)
    archive.close()
    return faults
  }

  close(): void {
    rmSync(this.#folder, { recursive: true })
  }
}

export const openArchive: OpenTarget = async (seed, observe) => {
  const files = new ArchiveFiles()
  let current: { world: number; archive: ArchiveHere } | null = null
  return {
    lanes: 1,
    run({ number, random }) {
      if (number % fileEvery === 0) return files.faultsOf(random, observe)
      const world = Math.floor(number / casesPerWorld)
      if (current?.world !== world) {
        current?.archive.close()
        current = { world, archive: hostileArchive(randomOf(seed ^ 0xa4c41e, world)) }
      }
      return faultsOf(current.archive, hostileQuery(random), observe)
    },
    async close() {
      current?.archive.close()
      files.close()
    },
  }
}
