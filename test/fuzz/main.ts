/** Fuzzes a part of the program: `npm run fuzz -- tables --minutes 10 --seed 7`. */
import { commandLine, exitWithUsage, numberFrom } from '../fixtures/command-line.ts'
import { Failures } from '../fixtures/failures.ts'
import { randomSeed } from '../fixtures/program-options.ts'
import { fuzz } from './harness.ts'
import { targets } from './targets.ts'

const names = Object.keys(targets)
const usage = `npm run fuzz -- ${names.join('|')}|all [--minutes N | --cases N] [--seed N] [--case N]

Makes hostile input from random numbers, gives it to a part of the program, and checks what comes of it.
  --minutes N  how long for each part; 1 where left out
  --cases N    how many cases for each part instead
  --seed N     what the cases are made from; drawn, and printed, where left out
  --case N     the number of the first case; 0 where left out`

const number = { type: 'string' } as const
const { values, positionals } = commandLine(usage, {
  options: { minutes: number, cases: number, seed: number, case: number },
  allowPositionals: true,
})
const given = (option: 'minutes' | 'cases' | 'seed' | 'case', min: number): number | undefined =>
  values[option] === undefined ? undefined : numberFrom(usage, `--${option}`, values[option], min)

const [chosen = '', ...others] = positionals
const isKnown = chosen === 'all' || Object.hasOwn(targets, chosen)
if (!isKnown || others.length > 0)
  exitWithUsage(
    usage,
    `Expected one of ${names.join(', ')} or all, got ${JSON.stringify(positionals.join(' '))}.`,
  )
if (values.minutes !== undefined && values.cases !== undefined)
  exitWithUsage(usage, '--minutes and --cases end a run: expected one of them at most.')
const seed = given('seed', 0) ?? randomSeed()
const cases = given('cases', 1) ?? Infinity
const minutes = given('minutes', 0) ?? (cases === Infinity ? 1 : Infinity)
const firstCase = given('case', 0) ?? 0

for (const name of chosen === 'all' ? names : [chosen]) {
  console.log(`${name}: seed ${seed}`)
  const failures = new Failures()
  const target = await targets[name](seed, (text) => text)
  const beganMs = performance.now()
  const done = await fuzz(target, { name, seed, firstCase, cases, minutes }, failures)
  const seconds = Math.round((performance.now() - beganMs) / 1000)
  await target.close()
  failures.conclude(`${name}: ${done} cases in ${seconds} s (seed ${seed})`)
}
