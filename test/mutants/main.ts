/**
 * Mutation testing: changes the sources and checks whether a test fails: `npm run node test/mutants/main.ts -- src/tables --sample
 * 50`.
 */
import { availableParallelism } from 'node:os'
import { posix } from 'node:path'
import { commandLine, numberFrom } from '../fixtures/command-line.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { randomSeed } from '../fixtures/program-options.ts'
import { files, isScript } from '../tidy/source-files.ts'
import { isExcused } from './excused.ts'
import { mutationRun } from './mutation-run.ts'
import type { Outcome } from './mutation-run.ts'
import { mutationsOf } from './mutations.ts'
import type { Mutation } from './mutations.ts'

const usage = `npm run node test/mutants/main.ts -- [PATH …] [--sample N] [--seed N] [--floor PCT] [--nearest N] [--mode TIER] [--lanes N]

Changes the sources a little, and looks whether the nearest tests fail.
  PATH …        files or folders; the rules of the world, its records and tables where left out
  --sample N    how many mutants are drawn from each path; 100 where left out, 0 for all
  --seed N      what draws them; drawn, and printed, where left out
  --floor PCT   exits with 1 if fewer of a path are killed
  --nearest N   how many files of tests a mutant meets at most, nearest first; 12 where left out
  --mode TIER   fast or standard; fast where left out
  --lanes N     how many mutants at once; half of the cores where left out`

const usualPaths = [
  'src/world/records src/tables src/world/simulation/tenants src/world/simulation/operator',
  'src/world/simulation/operations src/world/simulation/incidents',
].flatMap((line) => line.split(' '))

const names = ['sample', 'seed', 'floor', 'nearest', 'mode', 'lanes'] as const
const { values, positionals } = commandLine(usage, {
  options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  allowPositionals: true,
  strict: true,
})
const textOf = (name: (typeof names)[number]): string | undefined =>
  (values as Partial<Record<string, string>>)[name]
const numberOf = (name: (typeof names)[number], fallback: number): number => {
  const text = textOf(name)
  return text === undefined ? fallback : numberFrom(usage, `--${name}`, text, 0)
}

const seed = numberOf('seed', randomSeed())
const floor = numberOf('floor', 0)
const paths = positionals.length > 0 ? positionals.map((path) => posix.normalize(path)) : usualPaths

/** A random sample without replacement, in the order of the files. */
function sampled(all: readonly Mutation[], count: number): Mutation[] {
  const random = new SeededRandom(seed)
  const left = [...all]
  const excess = count === 0 ? 0 : Math.max(0, all.length - count)
  for (let removed = 0; removed < excess; removed++) left.splice(random.below(left.length), 1)
  return left
}

const isIn = (path: string, asked: string): boolean =>
  path === asked || path.startsWith(`${asked.replace(/\/$/, '')}/`)
const sources = files.filter(({ path }) => isScript(path) && !path.endsWith('.test.ts'))
const byPath = new Map(
  paths.map((asked) => {
    const all = sources
      .filter(({ path }) => isIn(path, asked))
      .flatMap(mutationsOf)
      .filter((mutation) => !isExcused(mutation))
    return [asked, { all: all.length, drawn: sampled(all, numberOf('sample', 100)) }] as const
  }),
)
const mutations = [...byPath.values()].flatMap(({ drawn }) => drawn)
const mode = textOf('mode') ?? 'fast'
const nearest = numberOf('nearest', 12)
for (const [path, { all, drawn }] of byPath) console.log(`${drawn.length} of ${all} mutants in ${path}`)
console.log(`The ${nearest} nearest files of the ${mode} tests, seed ${seed}`)

const outcomes: Outcome[] = []
const place = ({ mutation: { path, line, change } }: Outcome): string => `${path}:${line}  ${change}`
await mutationRun({
  mutations,
  mode,
  nearest,
  lanes: numberOf('lanes', Math.max(1, Math.floor(availableParallelism() / 2))),
  onProgress: (line) => console.error(line),
  onOutcome(outcome) {
    outcomes.push(outcome)
    const { killedBy, isReached } = outcome
    const verdict =
      killedBy === undefined ? (isReached ? 'SURVIVED' : 'NOT REACHED') : `killed by ${killedBy}`
    console.error(`${outcomes.length}/${mutations.length} ${place(outcome)}  ${verdict}`)
  },
})

const scoreOf = (those: readonly Outcome[]): number =>
  (100 * those.filter(({ killedBy }) => killedBy !== undefined).length) / Math.max(1, those.length)
const share = (those: readonly Outcome[]): string => {
  const killed = those.filter(({ killedBy }) => killedBy !== undefined).length
  return `${String(killed).padStart(5)} of ${String(those.length).padStart(4)} killed  ${scoreOf(those).toFixed(0).padStart(3)} %`
}
const survivors = outcomes.filter(({ killedBy }) => killedBy === undefined)
console.log('\nSurvivors')
for (const outcome of survivors.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)))
  console.log(`  ${place(outcome)}${outcome.isReached ? '' : '  (no test comes here)'}`)
console.log(`\nScore, seed ${seed}`)
const scores = paths.map((asked) => {
  const those = outcomes.filter(({ mutation: { path } }) => isIn(path, asked))
  console.log(`${share(those)}  ${asked}`)
  return scoreOf(those)
})
process.exit(scores.some((score) => score < floor) ? 1 : 0)
