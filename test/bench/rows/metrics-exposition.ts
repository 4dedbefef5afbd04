import { Gauge, Registry } from 'prom-client'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import type { Finding, Row } from '../harness/finding.ts'
import { takeTurns, type Turns } from '../harness/turns.ts'
import type { HostRecord } from '../../../src/contract/collections.ts'
import type { Family } from '../../../src/metrics/declaration/family.ts'
import { DescribedFleet, hostFamilies } from '../support/metrics-fleet.ts'

const sample = /^(?<name>[a-z_]+)\{host="(?<host>\d+)",az="(?<az>\d+)",pool="(?<pool>\d+)"\} +(?<value>\S+)$/

/** A registry of prom-client that holds what an exposition says. */
class SameInPromClient {
  readonly registry = new Registry()
  readonly #gauges = new Map(
    hostFamilies.map(([name, { help, labels }]) => [
      name,
      new Gauge({ name, help, labelNames: [...labels], registers: [this.registry] }),
    ]),
  )

  take(chunks: readonly ExpositionChunk[]): void {
    for (const { bytes } of chunks) {
      for (const line of Buffer.from(bytes).toString().split('\n')) {
        const groups = sample.exec(line)?.groups
        if (groups === undefined) continue
        const { name, host, az, pool, value } = groups
        this.#gauges.get(name)!.set({ host, az, pool }, Number(value))
      }
    }
  }
}

const samplesOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /^dcsim_host_(?!info)/.test(line))
    .map((line) => line.replace(/ +/, ' '))
    .toSorted()

/** Renders a fleet's text again after each change. */
class RenderedFleet {
  readonly fleet = new DescribedFleet()
  readonly #exposition = createExposition({ collectors: ['hosts'] })
  chunks = this.#exposition.render(this.fleet.snapshot)
  /** How many families the last rendering changed. */
  changed = 0

  render(): void {
    const before = this.chunks
    this.chunks = this.#exposition.render(this.fleet.snapshot)
    this.changed = this.chunks.filter((chunk, index) => chunk !== before[index]).length
  }

  get text(): string {
    return Buffer.concat(this.chunks.map(({ bytes }) => bytes)).toString()
  }
}

/** Throws unless prom-client prints the same samples. */
async function checkSame(prom: SameInPromClient, { chunks, text }: RenderedFleet): Promise<void> {
  prom.take(chunks)
  const ours = samplesOf(text)
  const theirs = samplesOf(await prom.registry.metrics())
  const difference = theirs.findIndex((line, index) => {
    const [label, value] = line.split('} ')
    const [ourLabel, ourValue] = ours[index].split('} ')
    return label !== ourLabel || Number(value) !== Number(ourValue)
  })
  if (ours.length !== theirs.length || difference !== -1)
    throw new Error(`The two differ: ${ours[difference]} and ${theirs[difference]}.`)
}

function checkChanged({ changed }: RenderedFleet, families: number): void {
  if (changed !== families) throw new Error(`${changed} families changed, not ${families}.`)
}

/** What most exporters would do: the text before each value is made once, the rest is concatenation. */
class PlainWriter {
  readonly #starts = new Map<string, string[]>()

  text({ snapshot, hosts }: DescribedFleet): Buffer {
    let text = ''
    for (const [name, { help, type, subject, source }] of plainFamilies) {
      const rows = subject.rows(snapshot)
      const labelsOf = (host: HostRecord): string =>
        subject.labels
          .map((label, at) => `${label}="${subject.readers[at](host as never, undefined as never)}"`)
          .join()
      let starts = this.#starts.get(name)
      if (starts === undefined) {
        starts = hosts.map((host) => `${name}{${labelsOf(host)}} `)
        this.#starts.set(name, starts)
      }
      text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
      for (let row = 0; row < hosts.length; row++)
        text += `${starts[row]}${plainValue(source, rows.items[row])}\n`
    }
    return Buffer.from(text)
  }
}

const plainFamilies = hostFamilies.filter(([name]) => !name.endsWith('_info'))

function plainValue(source: Family['source'], row: object): number {
  if (source.kind === 'derived') return Number(source.value(row as never, undefined as never))
  const values = row as Readonly<Record<string, unknown>>
  if (source.kind !== 'sum') return Number(values[source.field]) * source.factor
  let sum = 0
  for (const part of values[source.list] as Readonly<Record<string, unknown>>[])
    sum += Number(part[source.field])
  return sum * source.factor
}

const quarterFamilies = 7

type Contenders = 'prom' | 'plain' | 'copy' | 'all' | 'quarter'

function findingsOf(turns: Turns<Contenders>): Finding[] {
  const measured = {
    all: '/metrics text, 100k series, all changed',
    quarter: '/metrics text, 100k series, a quarter of the families changed',
  }
  const against = {
    prom: 'prom-client rendering the same',
    plain: 'a ten-line writer with cached labels',
  }
  const medians = (one: 'all' | 'quarter', other: 'prom' | 'plain' | 'copy'): string =>
    `${turns.median(one).toFixed(2)} ms : ${turns.median(other).toFixed(other === 'copy' ? 2 : 0)} ms`
  const times = (
    one: 'all' | 'quarter',
    other: 'prom' | 'plain',
    floor: number,
    aim: number | null,
  ): Finding => ({
    part: other === 'prom' ? one : `${one}-plain`,
    measured: measured[one],
    against: against[other],
    ...turns.ratio(other, one),
    unit: '×',
    better: 'higher',
    floor,
    aim,
    medians: medians(one, other),
  })
  return [
    times('all', 'prom', 30, 40),
    times('quarter', 'prom', 58, 200),
    times('all', 'plain', 4.7, null),
    times('quarter', 'plain', 9.6, null),
    {
      part: 'quarter-share',
      measured: measured.quarter,
      against: 'all families changed',
      ...turns.ratio('quarter', 'all'),
      unit: 'of it',
      better: 'lower',
      floor: 0.75,
      aim: null,
      medians: `${turns.median('quarter').toFixed(2)} ms : ${turns.median('all').toFixed(2)} ms`,
    },
    {
      part: 'copying',
      measured: measured.all,
      against: 'copying the bytes',
      ...turns.ratio('all', 'copy'),
      unit: '× slower',
      better: 'lower',
      floor: 13.5,
      aim: 9,
      medians: medians('all', 'copy'),
    },
  ]
}

const expositionText: Row = {
  name: 'exposition',
  async measure(progress) {
    const all = new RenderedFleet()
    const quarter = new RenderedFleet()
    const bytes = Buffer.byteLength(all.text)
    progress(`${all.fleet.series} series of ${all.fleet.hosts.length} hosts, ${(bytes / 1e6).toFixed(1)} MB`)
    const prom = new SameInPromClient()
    prom.take(all.chunks)
    const plain = new PlainWriter()
    const source = Buffer.alloc(bytes, 65)
    const target = Buffer.alloc(bytes)
    let text: Buffer = Buffer.alloc(0)
    const turns = await takeTurns(
      {
        // Its values stay the same: it prints all of them each time.
        prom: { run: async () => void (await prom.registry.metrics()) },
        plain: { run: () => void (text = plain.text(all.fleet)) },
        copy: { run: () => target.set(source) },
        all: { prepare: () => all.fleet.changeAll(), run: () => all.render() },
        quarter: { prepare: () => quarter.fleet.changeQuarter(), run: () => quarter.render() },
      },
      { rounds: 11, warmUps: 2 },
    )
    checkChanged(all, hostFamilies.length - 1)
    checkChanged(quarter, quarterFamilies)
    await checkSame(prom, all)
    if (plain.text(all.fleet).length === 0 || text.length === 0) throw new Error('Nothing was written.')
    return findingsOf(turns)
  },
}

export const metricsExposition: readonly Row[] = [expositionText]
