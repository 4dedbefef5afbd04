import { Gauge, Registry } from 'prom-client'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import type { ExpositionChunk } from '../../src/contract/exposition-chunk.ts'
import { takeTurns, type Subject } from './harness.ts'
import { DescribedFleet, hostFamilies } from './metrics-fleet.ts'

const turns = { rounds: 11, warmUps: 5 }
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

function fleetExposition(change: (fleet: DescribedFleet) => void) {
  const fleet = new DescribedFleet()
  const exposition = createExposition({ collectors: ['hosts'] })
  let chunks = exposition.render(fleet.snapshot)
  let changed = 0
  return {
    fleet,
    chunks: () => chunks,
    contender: {
      prepare: () => change(fleet),
      run: () => {
        const before = chunks
        chunks = exposition.render(fleet.snapshot)
        changed = chunks.filter((chunk, index) => chunk !== before[index]).length
      },
    },
    changed: () => changed,
  }
}

const againstPromClient = (
  name: string,
  measured: string,
  limits: { floor: number; aim: number; families: number },
  change: (fleet: DescribedFleet) => void,
): Subject => ({
  name,
  async measure(progress) {
    const { fleet, chunks, contender, changed } = fleetExposition(change)
    progress(`${fleet.series} series of ${fleet.hosts.length} hosts`)
    const prom = new SameInPromClient()
    let text = ''
    const ms = await takeTurns(
      {
        ours: contender,
        promClient: {
          prepare: () => prom.take(chunks()),
          run: async () => {
            text = await prom.registry.metrics()
          },
        },
      },
      turns,
    )
    if (changed() !== limits.families)
      throw new Error(`${changed()} families changed, not ${limits.families}.`)
    const ours = samplesOf(Buffer.concat(chunks().map(({ bytes }) => bytes)).toString())
    const theirs = samplesOf(text)
    const difference = theirs.findIndex((line, index) => {
      const [label, value] = line.split('} ')
      const [ourLabel, ourValue] = ours[index].split('} ')
      return label !== ourLabel || Number(value) !== Number(ourValue)
    })
    if (ours.length !== theirs.length || difference !== -1) {
      throw new Error(`The two differ: ${ours[difference]} and ${theirs[difference]}.`)
    }
    return {
      measured,
      against: 'prom-client rendering the same',
      value: ms.promClient / ms.ours,
      unit: '×',
      better: 'higher',
      floor: limits.floor,
      aim: limits.aim,
      medians: `${ms.ours.toFixed(2)} ms : ${ms.promClient.toFixed(0)} ms`,
    }
  },
})

const againstCopying: Subject = {
  name: 'exposition-copying',
  async measure(progress) {
    const { fleet, chunks, contender } = fleetExposition((all) => all.changeAll())
    const length = chunks().reduce((sum, { bytes }) => sum + bytes.length, 0)
    progress(`${fleet.series} series, ${(length / 1e6).toFixed(1)} MB`)
    const source = Buffer.alloc(length * 2, 65)
    const target = Buffer.alloc(length * 2)
    const ms = await takeTurns(
      {
        ours: contender,
        copy: {
          run: () => {
            target.set(source.subarray(0, length))
          },
        },
      },
      { rounds: 31, warmUps: 10 },
    )
    return {
      measured: '/metrics text, 100k series, all changed',
      against: 'copying the bytes',
      value: ms.ours / ms.copy,
      unit: '× slower',
      better: 'lower',
      floor: 15,
      aim: 9,
      medians: `${ms.ours.toFixed(2)} ms : ${ms.copy.toFixed(2)} ms`,
    }
  },
}

export const metricsExposition: readonly Subject[] = [
  againstPromClient(
    'exposition-all',
    '/metrics text, 100k series, all changed',
    // All but the family of names.
    { floor: 25, aim: 40, families: hostFamilies.length - 1 },
    (fleet) => fleet.changeAll(),
  ),
  againstPromClient(
    'exposition-quarter',
    '/metrics text, 100k series, a quarter of the families changed',
    { floor: 100, aim: 200, families: 7 },
    (fleet) => fleet.changeQuarter(),
  ),
  againstCopying,
]
