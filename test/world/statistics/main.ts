import { writeFileSync } from 'node:fs'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { firstLookAt } from './first-look.ts'
import { measureWorld } from './measure.ts'
import { rankingPage } from './ranking-page.ts'
import { summaryOf } from './summary.ts'
import type { WorldSet } from './summary.ts'
import { commandLine, exitWithUsage } from '../../fixtures/command-line.ts'

const usage = `npm run world -- --seeds LIST | --rank-seeds LIST | --figures [OPTIONS]

Lives through simulated worlds, which takes minutes for many days, and prints what came of them.
  --seeds 1..10 --days 90 [--scale medium]       figures over several worlds: incidents, causes, power and cooling
  --figures                                      writes those of docs/measured/world.md, in about an hour
  --rank-seeds 1..60 [--scale medium]            which seed shows most in the first ten minutes after the warm-up
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

function eachSeed<Result>(seeds: readonly bigint[], of: (seed: bigint) => Result): Result[] {
  return seeds.map((seed, index) => {
    progress(`Seed ${seed}, ${index + 1} of ${seeds.length}`)
    return of(seed)
  })
}

function measuredSet(seedList: string, days: number, scale: string): WorldSet {
  const measured = eachSeed(seedsOf('--seeds', seedList), (one) =>
    measureWorld({ seed: one, scale: scaleOf(scale), days }),
  )
  return { title: `${scale}, seeds ${seedList}, ${days} days`, worlds: measured }
}

function writeFigures(): string {
  const sets = [
    measuredSet('1..5', 360, 'medium'),
    measuredSet('1..10', 360, 'small'),
    measuredSet('1..2', 1_800, 'small'),
  ]
  const head =
    '# Figures of worlds\n\nWritten by `npm run world -- --figures`. [How the world works](../simulation.md).'
  writeFileSync('docs/measured/world.md', `${head}\n\n${summaryOf(sets)}\n`)
  return 'Wrote docs/measured/world.md.'
}

const text = { type: 'string' } as const
const { values } = commandLine(usage, {
  options: {
    seeds: text,
    'rank-seeds': text,
    days: text,
    scale: text,
    figures: { type: 'boolean' },
  },
})
const { seeds, 'rank-seeds': ranked, days, scale = 'medium' } = values
let page: string
if (values.figures === true) page = writeFigures()
else if (ranked !== undefined) {
  page = rankingPage(eachSeed(seedsOf('--rank-seeds', ranked), (one) => firstLookAt(one, scaleOf(scale))))
} else if (seeds !== undefined) {
  const span = wholeNumber('--days', days ?? '90')
  page = summaryOf([measuredSet(seeds, span, scale)])
} else fail('No world is named.')
progress('')
console.log(page)
