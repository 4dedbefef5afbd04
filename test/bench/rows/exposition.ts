import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Gauge, Registry } from 'prom-client'
import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import { SegmentCache } from '../../../src/http/content-coding/segment-cache.ts'
import { wholeSlice } from '../../../src/http/responses/representation.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { atLeast, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { DescribedFleet, hostFamilies } from '../support/metrics-fleet.ts'

/** The exposition of a fleet, rendered after each change. */
class RenderedFleet {
  readonly fleet = new DescribedFleet(50_000)
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
  name: 'exposition-quarter',
  async measure() {
    const rendered = new RenderedFleet()
    const text = rendered.bytes
    const prom = sameInPromClient(text.toString())
    const turns = await takeTurns(
      {
        // Its values stay constant: it prints all of them each time.
        prom: { run: async () => void (await prom.metrics()) },
        quarter: { prepare: () => rendered.fleet.change('quarter'), run: () => rendered.render() },
      },
      { warmUps: 2 },
    )
    if (rendered.changed !== quarterFamilies) throw new Error(`${rendered.changed} families changed.`)
    const measured =
      '/metrics text of 50k series, a quarter of the families changed, against prom-client rendering the same'
    const [ratio, sides] = [turns.ratio('prom', 'quarter'), turns.sides('quarter', 'prom')]
    return [finding('exposition-quarter', measured, atLeast(28, 170), ratio, sides)]
  },
}

const copyOf = ({ family, bytes }: ExpositionChunk): ExpositionChunk => ({ family, bytes: bytes.slice() })
const gzipAsync = promisify(gzip)
/** Other threads collect the garbage of a publish, and their time counts too. */
const settleMs = 30

const gzippedScrape: Row = {
  name: 'scrape-gzip',
  async measure() {
    const rendered = new RenderedFleet()
    // Hosts that differ by their ids alone would compress better than real ones.
    rendered.fleet.change('all')
    rendered.render()
    let chunks = rendered.chunks.map(copyOf)
    const compressed = new SegmentCache()
    const piecewise = (): Promise<unknown> =>
      compressed.segmentOf(
        'gzip',
        chunks.map(({ bytes }) => wholeSlice(bytes)),
      )
    await piecewise()
    let whole: Buffer = Buffer.alloc(0)
    const turns = await takeTurns(
      {
        ours: {
          /** As in the mirror: a changed family arrives in a buffer of its own, all others are unchanged. */
          async prepare() {
            const before = new Map(rendered.chunks.map((chunk, index) => [chunk, chunks[index]]))
            rendered.fleet.change('quarter')
            rendered.render()
            chunks = rendered.chunks.map((chunk) => before.get(chunk) ?? copyOf(chunk))
            whole = rendered.bytes
            await pause(settleMs)
          },
          run: async () => void (await piecewise()),
        },
        whole: { run: async () => void (await gzipAsync(whole, { level: 1 })) },
      },
      { warmUps: 2, clock: 'process' },
    )
    const measured = 'gzip of a scrape, a quarter changed, against compressing it whole at level 1'
    const [ratio, sides] = [turns.ratio('whole', 'ours'), turns.sides('ours', 'whole')]
    return [finding('scrape-gzip', measured, atLeast(1.5, 2.98), ratio, sides)]
  },
}

export const exposition: readonly Row[] = [expositionText, gzippedScrape]
