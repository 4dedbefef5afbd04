import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { firstLookAt, isPresentable } from './first-look.ts'
import type { MeasuredRun, MeasuredWorld } from './measure.ts'
import { summaryOf } from './summary.ts'
import type { WorldSet } from './summary.ts'
import { commandLine, exitWithUsage } from '../../fixtures/command-line.ts'

const usage = `npm run node test/world/statistics/main.ts -- --seeds LIST | --rank-seeds LIST | --figures [OPTIONS]

Lives through simulated worlds, as many at a time as there are cores, and prints what came of them.
  --seeds 1..10 --days 90 [--scale medium]       figures over several worlds: incidents, causes, power and cooling
  --figures [--days 360]                         writes those of docs/measured/world.md, in an hour and a half
  --rank-seeds 1..60 [--scale medium]            the seeds that show enough in the first ten minutes after the warm-up
A list of seeds is a range such as 1..60 or numbers such as 3,5,8. The scale is small, medium, large or a number of hosts.`

function fail(problem: string): never {
  return exitWithUsage(usage, problem)
}

function wholeNumber(option: string, text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : fail(`${option}: got "${text}", expected a whole number.`)
}

function seedsOf(option: string, text: string): bigint[] {
  const [, from, to] = /^([0-9]+)\.\.([0-9]+)$/.exec(text) ?? []
  if (from === undefined) return text.split(',').map((seed) => BigInt(wholeNumber(option, seed)))
  const count = Number(to) - Number(from) + 1
  if (!(count >= 1)) fail(`${option}: got "${text}", expected a range from a lower to a higher seed.`)
  return Array.from({ length: count }, (_, index) => BigInt(from) + BigInt(index))
}

function scaleOf(text: string): ScaleName | number {
  return text === 'small' || text === 'medium' || text === 'large' ? text : wholeNumber('--scale', text)
}

/** Shows progress on a single line of a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

interface Plan {
  readonly seeds: string
  readonly days: number
  readonly scale: string
}

function measured(run: MeasuredRun): Promise<MeasuredWorld> {
  const thread = new Worker(new URL('./measuring-thread.ts', import.meta.url), { workerData: run })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}

/** Lives through the worlds of all plans, the longest first. */
async function measuredSets(plans: readonly Plan[]): Promise<WorldSet[]> {
  const runs = plans.flatMap((plan) =>
    seedsOf('--seeds', plan.seeds).map((seed) => ({
      plan,
      seed,
      scale: scaleOf(plan.scale),
      days: plan.days,
    })),
  )
  const left = runs.toSorted((one, other) => other.days - one.days)
  const worlds = new Map<(typeof runs)[number], MeasuredWorld>()
  const work = async (): Promise<void> => {
    for (let run = left.shift(); run !== undefined; run = left.shift()) {
      worlds.set(run, await measured({ seed: run.seed, scale: run.scale, days: run.days }))
      progress(`${worlds.size} of ${runs.length} worlds`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return plans.map((plan) => ({
    title: `${plan.scale}, seeds ${plan.seeds}, ${plan.days} days`,
    worlds: runs.filter((run) => run.plan === plan).map((run) => worlds.get(run)!),
  }))
}

async function writeFigures(days: number): Promise<string> {
  const sets = await measuredSets([
    { seeds: '1..5', days, scale: 'medium' },
    { seeds: '1..10', days, scale: 'small' },
    { seeds: '1..2', days: 5 * days, scale: 'small' },
  ])
  const head = `# Figures of worlds\n\nWritten by \`npm run node test/world/statistics/main.ts -- --figures --days ${days}\`. [How the world works](../simulation.md). These worlds began without a warm-up, so they have no plots.`
  writeFileSync('docs/measured/world.md', `${head}\n\n${summaryOf(sets)}\n`)
  return 'Wrote docs/measured/world.md.'
}

const text = { type: 'string' } as const
const { values } = commandLine(usage, {
  options: { seeds: text, 'rank-seeds': text, days: text, scale: text, figures: { type: 'boolean' } },
})
const { seeds, 'rank-seeds': ranked, days, scale = 'medium' } = values
let page: string
if (values.figures === true) page = await writeFigures(wholeNumber('--days', days ?? '360'))
else if (ranked !== undefined) {
  const looks = seedsOf('--rank-seeds', ranked).map((seed) => {
    progress(`Seed ${seed}`)
    return firstLookAt(seed, scaleOf(scale))
  })
  page = looks
    .filter(isPresentable)
    .map(({ seed, opened, livedThroughSeconds }) => `${seed}: ${opened.join(', ')}; ${livedThroughSeconds} s`)
    .join('\n')
} else if (seeds !== undefined) {
  const span = wholeNumber('--days', days ?? '90')
  page = summaryOf(await measuredSets([{ seeds, days: span, scale }]))
} else fail('No world is named.')
progress('')
console.log(page)
