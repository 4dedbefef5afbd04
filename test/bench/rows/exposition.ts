import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Gauge, Registry } from 'prom-client'
import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import { SegmentCache } from '../../../src/http/content-coding/segment-cache.ts'
import { wholeSlice } from '../../../src/http/responses/representation.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { DescribedFleet, hostFamilies } from '../support/metrics-fleet.ts'

/** The exposition of a fleet, rendered after each change. */
class RenderedFleet {
  readonly fleet = new DescribedFleet()
  readonly #exposition = createExposition({ collectors: ['hosts'] })
  chunks = this.#exposition.render(this.fleet.snapshot)
  /** The number of families that changed in the last rendering. */
  changed = 0

  render(): void {
    const before = this.chunks
    this.chunks = this.#exposition.render(this.fleet.snapshot)
    this.changed = this.chunks.filter((chunk, index) => chunk !== before[index]).length
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks.map(({ bytes }) => bytes))
  }
}

const sample = /^(?<name>[a-z_]+)\{host="(?<host>\d+)",az="(?<az>\d+)",pool="(?<pool>\d+)"\} +(?<value>\S+)$/

/** A registry of prom-client with the samples of an exposition. */
function sameInPromClient(text: string): Registry {
  const registry = new Registry()
  const gauges = new Map(
    hostFamilies.map(([name, { help, labels }]) => [
      name,
      new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
    ]),
  )
  for (const line of text.split('\n')) {
    const groups = sample.exec(line)?.groups
    if (groups === undefined) continue
    const { name, host, az, pool, value } = groups
    gauges.get(name)!.set({ host, az, pool }, Number(value))
  }
  return registry
}

const quarterFamilies = 7

const expositionText: Row = {
  name: 'exposition',
  async measure(progress) {
    const all = new RenderedFleet()
    const quarter = new RenderedFleet()
    const text = all.bytes
    progress(
      `${all.fleet.series} series of ${all.fleet.hosts.length} hosts, ${(text.length / 1e6).toFixed(1)} MB`,
    )
    const prom = sameInPromClient(text.toString())
    const turns = await takeTurns(
      {
        // Its values stay constant: it prints all of them each time.
        prom: { run: async () => void (await prom.metrics()) },
        all: { prepare: () => all.fleet.changeAll(), run: () => all.render() },
        quarter: { prepare: () => quarter.fleet.changeQuarter(), run: () => quarter.render() },
      },
      { rounds: 11, warmUps: 2 },
    )
    if (all.changed !== hostFamilies.length - 1 || quarter.changed !== quarterFamilies)
      throw new Error(`${all.changed} and ${quarter.changed} families changed.`)
    const [allMs, quarterMs] = [turns.median('all'), turns.median('quarter')].map((ms) => ms.toFixed(2))
    const measured = '/metrics text of 100k series, a quarter of the families changed'
    return [
      {
        row: 'exposition-quarter',
        measured,
        against: 'prom-client rendering the same',
        ...turns.ratio('prom', 'quarter'),
        unit: '×',
        better: 'higher',
        floor: 58,
        aim: 200,
        medians: `${quarterMs} ms : ${turns.median('prom').toFixed(0)} ms`,
      },
      {
        row: 'exposition-quarter-share',
        measured,
        against: 'all families changed',
        ...turns.ratio('quarter', 'all'),
        unit: 'of it',
        better: 'lower',
        floor: 0.75,
        medians: `${quarterMs} ms : ${allMs} ms`,
      },
    ]
  },
}

const copyOf = ({ family, bytes }: ExpositionChunk): ExpositionChunk => ({ family, bytes: bytes.slice() })
const gzipAsync = promisify(gzip)
/** Other threads collect the garbage of a publish, and their time counts too. */
const settleMs = 30

const gzippedScrape: Row = {
  name: 'scrape-gzip',
  async measure(progress) {
    const rendered = new RenderedFleet()
    // Hosts that differ by their ids alone would compress better than real ones.
    rendered.fleet.changeAll()
    rendered.render()
    let chunks = rendered.chunks.map(copyOf)
    /** As in the mirror: a changed family arrives in a buffer of its own, all others are unchanged. */
    const publish = (): void => {
      const before = new Map(rendered.chunks.map((chunk, index) => [chunk, chunks[index]]))
      rendered.fleet.changeQuarter()
      rendered.render()
      chunks = rendered.chunks.map((chunk) => before.get(chunk) ?? copyOf(chunk))
    }
    const compressed = new SegmentCache()
    const piecewise = (): Promise<unknown> =>
      compressed.segmentOf(
        'gzip',
        chunks.map(({ bytes }) => wholeSlice(bytes)),
      )
    await piecewise()
    progress(`${rendered.fleet.series} series, a quarter of the families changed between scrapes`)
    let whole: Buffer = Buffer.alloc(0)
    const turns = await takeTurns(
      {
        ours: {
          prepare: async () => {
            publish()
            whole = rendered.bytes
            await pause(settleMs)
          },
          run: async () => void (await piecewise()),
        },
        whole: { run: async () => void (await gzipAsync(whole, { level: 1 })) },
      },
      { rounds: 11, warmUps: 2, clock: 'process' },
    )
    return [
      {
        row: 'scrape-gzip',
        measured: 'gzip of a scrape, a quarter changed',
        against: 'compressing it whole at level 1',
        ...turns.ratio('whole', 'ours'),
        unit: '×',
        better: 'higher',
        floor: 1.5,
        aim: 4,
        medians: `${turns.median('ours').toFixed(1)} ms : ${turns.median('whole').toFixed(1)} ms`,
      },
    ]
  },
}

export const exposition: readonly Row[] = [expositionText, gzippedScrape]
