import type { Finding, Row } from '../harness/finding.ts'
import { estimateOf, growthExponent, median } from '../harness/statistics.ts'
import { threadCpuMs } from '../harness/turns.ts'
import { builtInWorld, publisherOf } from '../support/built-in-world.ts'
import { get, processorMs, residentMib, startService } from '../support/service.ts'

interface Costs {
  readonly step: number
  readonly publish: number
  readonly scrape: number
  readonly memory: number
}

const aspects = {
  step: { what: 'a step', unit: 'ms' },
  publish: { what: 'a publish: snapshot, JSON, metrics', unit: 'ms' },
  scrape: { what: 'processor time of a scrape', unit: 'ms' },
  memory: { what: 'resident memory', unit: 'MiB' },
} as const

const stepsPerPublish = 6
const repeats = 5

/** Minimum processor time of a round. */
const roundMsMin = 20

function perTime(run: () => void): number {
  const began = threadCpuMs()
  let times = 0
  while (times < 3 || threadCpuMs() - began < roundMsMin) {
    run()
    times++
  }
  return (threadCpuMs() - began) / times
}

/** Processor time of alternating steps and publishes, round by round. */
function stepAndPublish(hosts: number): { readonly step: number[]; readonly publish: number[] } {
  const built = builtInWorld(hosts, 0)
  const publish = publisherOf(built.source)
  const steps = (): void => {
    for (let step = 0; step < stepsPerPublish; step++) built.world.step()
  }
  const both = (): void => {
    steps()
    publish()
  }
  for (let warmUp = 0; warmUp < 20; warmUp++) both()
  const rounds = Array.from({ length: repeats }, () => {
    const stepMs = perTime(steps)
    return { step: stepMs / stepsPerPublish, publish: Math.max(perTime(both) - stepMs, 0.01) }
  })
  return { step: rounds.map(({ step }) => step), publish: rounds.map((round) => round.publish) }
}

async function scrapeAndMemory(
  hosts: number,
): Promise<{ readonly scrape: number[]; readonly memory: number[] }> {
  // The world pauses after one publish, so that all processor time goes into scrapes.
  const flags = ['--scale', String(hosts), '--warmup', '10s', '--cadence-ms', '60000', '--speed', '0']
  const { origin, process: service } = await startService(flags)
  try {
    const scrapes = Math.max(3, Math.ceil(30_000 / hosts))
    const scrape: number[] = []
    const memory: number[] = []
    for (let round = 0; round <= repeats; round++) {
      const before = processorMs(service.pid!)
      for (let time = 0; time < scrapes; time++) await get(`${origin}/metrics`)
      if (round === 0) continue
      scrape.push((processorMs(service.pid!) - before) / scrapes)
      memory.push(residentMib(service.pid!))
    }
    return { scrape, memory }
  } finally {
    service.kill()
  }
}

interface Sized {
  readonly size: number
  readonly rounds: Readonly<Record<keyof Costs, readonly number[]>>
}

function growthOf(aspect: keyof Costs, measured: readonly Sized[], floor: number): Finding {
  const exponents = Array.from({ length: repeats }, (_, round) =>
    growthExponent(measured.map(({ size, rounds }) => ({ size, cost: rounds[aspect][round] }))),
  )
  const { what, unit } = aspects[aspect]
  const medians = measured.map(({ size, rounds }) => {
    const cost = median(rounds[aspect])
    return `${size}: ${cost < 10 ? cost.toFixed(2) : cost.toFixed(0)}`
  })
  return {
    row: `growth-${aspect}`,
    measured: `growth of ${what}, ${measured[0].size} to ${measured.at(-1)!.size} hosts`,
    against: 'the number of hosts',
    ...estimateOf(exponents),
    unit: 'exponent',
    better: 'lower',
    floor,
    medians: `${medians.join(', ')} ${unit}`,
  }
}

const sizes = [120, 1_000, 10_000, 50_000] as const
const floors: Costs = { step: 1.1, publish: 1, scrape: 0.85, memory: 0.46 }

export const growth: Row = {
  name: 'growth',
  async measure(progress) {
    const measured: Sized[] = []
    for (const size of sizes) {
      progress(`${size} hosts`)
      measured.push({ size, rounds: { ...stepAndPublish(size), ...(await scrapeAndMemory(size)) } })
      globalThis.gc?.()
    }
    return (Object.keys(aspects) as (keyof Costs)[]).map((aspect) =>
      growthOf(aspect, measured, floors[aspect]),
    )
  },
}
