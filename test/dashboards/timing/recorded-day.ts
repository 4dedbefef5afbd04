import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { resolveCollectors } from '../../../src/commands/select-source.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { generateBackfill } from '../../../src/sources/backfill.ts'
import { BackfillWriter } from '../../../src/sources/backfill-openmetrics-writer.ts'
import { createBackfillSink } from '../../../src/sources/backfill-sinks.ts'
import { writeEarlier } from './earlier-block.ts'
import { shownRules } from '../shown-rules.ts'
import type { Needed, Span } from './questions.ts'
import { StoredPrometheus } from './stored-prometheus.ts'

/** Slower than worlds usually are, so that two hours of wall time are lived through in some minutes. */
const speed = 30
const nsASecond = 1_000_000_000n

/** Prometheus keeps two hours in a block. */
const blockSeconds = 7200

/** Prometheus looks back this far for the last value of a series. */
const lookBackSeconds = 300

/** Samples kept of a family of which only one thing at a time is looked at. */
const thingsKept = 20

export interface RecordedDay {
  readonly folder: string
  readonly span: Span
  /** When it ends, on the clock: the end of a block. */
  readonly endSeconds: number
  readonly needed: ReadonlyMap<string, Needed>
  /** What the mirror says of itself, scraped once. */
  readonly ownText: string
  readonly tell: (line: string) => void
}

const newline = 10
const headLines = 2

/** The family with its first samples alone. */
function shortened({ family, bytes }: ExpositionChunk): ExpositionChunk {
  let end = 0
  for (let line = 0; line < headLines + thingsKept && end < bytes.length; line++)
    end = bytes.indexOf(newline, end) + 1
  return { family, bytes: bytes.slice(0, end) }
}

/** Keeps what is needed. An unchanged family stays the very same chunk. */
class Keeper {
  readonly #needed: ReadonlyMap<string, Needed>
  readonly #shortened = new WeakMap<ExpositionChunk, ExpositionChunk>()

  constructor(needed: ReadonlyMap<string, Needed>) {
    this.#needed = needed
  }

  kept(chunks: readonly ExpositionChunk[], isNearTheEnd: boolean): ExpositionChunk[] {
    return chunks.flatMap((chunk) => {
      const need = this.#needed.get(chunk.family)
      if (need === undefined) return []
      if (need === 'everything') return [chunk]
      if (isNearTheEnd) return need === 'some things' ? [this.#short(chunk)] : [chunk]
      return need === 'some things' ? [this.#short(chunk)] : []
    })
  }

  #short(chunk: ExpositionChunk): ExpositionChunk {
    const short = this.#shortened.get(chunk) ?? shortened(chunk)
    this.#shortened.set(chunk, short)
    return short
  }
}

const encoder = new TextEncoder()

const ofMirror = 'dcsim_mirror_'

/** What the mirror says of itself in a text that was scraped. */
const ownChunks = (text: string): ExpositionChunk[] =>
  text
    .split(/^(?=# HELP )/m)
    .map((part) => ({ family: /^# HELP (\S+)/.exec(part)?.[1] ?? '', bytes: encoder.encode(part) }))
    .filter(({ family }) => family.startsWith(ofMirror))

/** What Prometheus itself says of a target. */
const up = '# HELP up Scraped.\n# TYPE up gauge\nup 1\n'

const blockName = /^[0-9A-Z]{26}$/

async function promtool(...words: readonly string[]): Promise<void> {
  await promisify(execFile)('promtool', words, { maxBuffer: 1 << 26 })
}

/** What the rules would have recorded of the block. */
async function addRecordings(folder: string, endSeconds: number): Promise<void> {
  const rules = join(folder, 'rules')
  mkdirSync(rules, { recursive: true })
  const paths = [...shownRules].map(([name, text]) => {
    writeFileSync(join(rules, name), text)
    return join(rules, name)
  })
  const prometheus = await StoredPrometheus.start(folder)
  const when = [`--start=${endSeconds - blockSeconds}`, `--end=${endSeconds}`, '--eval-interval=5s']
  try {
    const into = `--output-dir=${join(folder, 'recorded')}`
    await promtool('tsdb', 'create-blocks-from', 'rules', ...when, into, `--url=${prometheus.url}`, ...paths)
  } finally {
    await prometheus.stop()
  }
  for (const block of readdirSync(join(folder, 'recorded')))
    renameSync(join(folder, 'recorded', block), join(folder, 'blocks', block))
}

/**
 * Lets a fleet of a thousand hosts live for two hours of wall time, stores what a Prometheus would have scraped, and
 * puts the same two hours before it until the span is full: what counts is how many samples there are to look at.
 */
export async function recordDay(day: RecordedDay): Promise<void> {
  const { folder, span, endSeconds, tell } = day
  const path = join(folder, 'day.om')
  writeBlock(path, day)
  tell('Making a block of it')
  const blocks = join(folder, 'blocks')
  await promtool('tsdb', 'create-blocks-from', 'openmetrics', path, blocks)
  rmSync(path)
  tell('Evaluating the recording rules')
  await addRecordings(folder, endSeconds)
  for (const block of readdirSync(blocks).filter((name) => blockName.test(name)))
    for (let earlier = 1; earlier < span.seconds / blockSeconds; earlier++)
      writeEarlier(blocks, block, earlier * blockSeconds * 1000, earlier)
  tell(`Recorded up to ${new Date(endSeconds * 1000).toISOString()}`)
}

function writeBlock(path: string, { span, endSeconds, needed, ownText }: RecordedDay): void {
  const world = createSimulation({ seed: 1n, scale: 'large', speed, scenario: null, warmUp: 0 })
  const exposition = createExposition({ collectors: resolveCollectors('+host_hardware') })
  const texts = new BackfillWriter(createBackfillSink(path), { job: 'dcsim', instance: 'mirror:9740' })
  const keeper = new Keeper(needed)
  const own = [{ family: 'up', bytes: encoder.encode(up) }, ...ownChunks(ownText)]
  let at = endSeconds - blockSeconds
  for (const { chunks } of generateBackfill({
    world,
    exposition,
    fromNs: 0n,
    untilNs: BigInt((blockSeconds - span.everySeconds) * speed) * nsASecond,
    everyNs: BigInt(span.everySeconds * speed) * nsASecond,
  })) {
    const all = [...chunks.filter(({ family }) => !family.startsWith(ofMirror)), ...own]
    texts.add(keeper.kept(all, at > endSeconds - 2 * lookBackSeconds), at)
    at += span.everySeconds
  }
  texts.end()
}
