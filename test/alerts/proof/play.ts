import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { defaultSettings } from '../../../alerts/settings.ts'
import { collectorNames } from '../../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { families } from '../../../src/metrics/families/all.ts'
import { OpenMetricsText, openMetricsEnd } from '../../../src/metrics/exposition/open-metrics.ts'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { Span } from '../../../src/practice/grading/firing.ts'
import { feedOf } from './feed.ts'
import { allAlerts, recordingsOfAlerts } from './rules.ts'
import type { Run } from './runs.ts'
import { FactNotes } from './inbox/facts.ts'
import type { Facts } from './inbox/facts.ts'
import { scrapeSeconds } from './scrape.ts'
import { witness } from './witness.ts'
import type { Truths } from './witness.ts'

export { scrapeSeconds } from './scrape.ts'
/** Prometheus aligns blocks to multiples of this. */
export const blockSeconds = 7200
/** The wall time at which every run begins: in the past, and aligned to a block. */
export const beginning = 1_767_225_600

/** Scrapes are this long after the evaluation of rules: rules see them four seconds later. */
const scrapeAfter = 1

export interface Played extends Truths {
  readonly run: string
  /** The injected conditions, with their spans. */
  readonly altered: Readonly<Partial<Record<AlertName, readonly Span[]>>>
  /** Whether bands have foreign names. */
  readonly foreign: boolean
  readonly seconds: number
  readonly facts: Facts
}

/** The families that alerts read, directly or through recording rules. */
function readByAlerts(): typeof families {
  const rules = [...allAlerts(), ...recordingsOfAlerts()]
  const annotations = allAlerts().flatMap((alert) => Object.values(alert.annotations))
  const texts = [...rules.map(({ expr }) => expr), ...annotations]
  const read = new Set(texts.flatMap((text) => text.match(/\bdcsim_\w+/g) ?? []))
  return Object.fromEntries(Object.entries(families).filter(([name]) => read.has(name))) as typeof families
}

/** Writes scrapes to a file for each block of Prometheus, which promtool converts. */
class BlockWriter {
  readonly #text: OpenMetricsText
  readonly #folder: string
  readonly #file: string
  #open: number | null = null
  #block = -1

  constructor(instance: string, folder: string) {
    this.#text = new OpenMetricsText({ job: defaultSettings.job, instance })
    this.#folder = folder
    this.#file = join(folder, `${instance}.txt`)
    mkdirSync(folder, { recursive: true })
  }

  write(at: number, chunks: Parameters<OpenMetricsText['textAt']>[0]): void {
    const seconds = beginning + at + scrapeAfter
    const block = Math.floor(seconds / blockSeconds)
    if (block !== this.#block) this.close()
    this.#block = block
    this.#open ??= openSync(this.#file, 'w')
    writeSync(this.#open, this.#text.textAt(chunks, seconds))
  }

  close(): void {
    if (this.#open === null) return
    writeSync(this.#open, openMetricsEnd)
    closeSync(this.#open)
    this.#open = null
    promtool('tsdb', 'create-blocks-from', 'openmetrics', '--quiet', this.#file, this.#folder)
    rmSync(this.#file)
  }
}

export function promtool(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`promtool ${words.slice(0, 3).join(' ')}: ${stderr}${stdout}`)
  return stdout
}

/** Simulates a run and writes blocks with its scrapes to the folder. */
export function play(run: Run, folder: string): Played {
  const exposition = createExposition({ collectors: collectorNames, families: readByAlerts() })
  const feed = feedOf(run)
  const blocks = new BlockWriter(run.name, folder)
  const notes = new FactNotes()
  let seconds = 0
  const truths = witness(
    run,
    ({ at, snapshot, truths: faults }) => {
      seconds = at
      notes.note(at, snapshot, faults)
      if (at % scrapeSeconds === 0) blocks.write(at, feed.scrape(at, exposition.render(snapshot)))
    },
    (at) => feed.standsStill(at),
  )
  blocks.close()
  return {
    ...truths,
    run: run.name,
    altered: feed.troubles,
    foreign: run.altered === 'foreign',
    seconds,
    facts: notes.facts,
  }
}
