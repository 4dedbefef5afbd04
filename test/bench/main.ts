/** Measures the rows on which decisions rest, each as a ratio against a yardstick in the same run. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { commandLine, exitWithUsage } from '../fixtures/command-line.ts'
import { digits, isMet, markdownOf, tableOf } from './harness/finding.ts'
import type { Finding, Row } from './harness/finding.ts'

const usage = `Usage: npm run bench -- [--short | --long | --only NAME] [--write FILE]
  --short       The rows that guard CI.
  --long        The rows that take minutes each: a year of an archive, whole services.
  --only NAME   The row of this name or, if there is none, the rows whose names contain it.
  --write FILE  Writes the values there, as a table of the docs.`

const { values } = commandLine(usage, {
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    only: { type: 'string' },
    write: { type: 'string' },
  },
})

/** The rows are imported only now: wrong arguments are refused at once. */
async function chosenRows(): Promise<readonly Row[]> {
  const { only } = values
  if ([values.short, values.long, only].filter((value) => value !== undefined).length > 1)
    exitWithUsage(usage, '--short, --long and --only choose rows: expected one of them at most.')
  const { long, short, standard } = await import('./rows.ts')
  if (values.short === true) return short
  if (values.long === true) return long
  if (only === undefined) return standard
  const all = [...standard, ...long]
  const exact = all.filter(({ name }) => name === only)
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.includes(only))
  const known = all.map(({ name }) => name).join(', ')
  if (found.length === 0)
    exitWithUsage(usage, `No row is called ${JSON.stringify(only)}; there are ${known}.`)
  return found
}

const progress = (activity: string): void => console.error(`  ${activity}`)

/** A missed floor is measured once more, as another program may have caused it. */
async function measured({ measure }: Row): Promise<readonly Finding[]> {
  const first = await measure()
  if (first.every(isMet)) return first
  progress('missed; once more, as another program may have disturbed it')
  return measure()
}

async function run(rows: readonly Row[]): Promise<{ findings: Finding[]; failures: number }> {
  const findings: Finding[] = []
  let failures = 0
  for (const row of rows) {
    console.error(`${row.name} …`)
    const beganMs = performance.now()
    try {
      const found = await measured(row)
      for (const { row: name, value, unit, sides } of found)
        progress(`${name}: ${digits(value)} ${unit} (${sides})`)
      findings.push(...found)
    } catch (error) {
      failures++
      console.log(`${row.name} was not measured: ${(error as Error).message}`)
    }
    progress(`${((performance.now() - beganMs) / 1_000).toFixed(0)} s`)
  }
  return { findings, failures: failures + findings.filter((finding) => !isMet(finding)).length }
}

function written(findings: readonly Finding[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const model = cpus()[0]?.model ?? 'unknown'
  const command = ['npm run bench', ...process.argv.slice(2)].join(' ').replace('bench ', 'bench -- ')
  return `# Measured rows

Written by \`${command}\` of commit ${commit} on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node},
${cpus().length} × ${model.trim()}, load ${loadavg()[0].toFixed(1)} at the end. [Performance](../performance.md) says what the rows protect.

${markdownOf(findings)}`
}

const { findings, failures } = await run(await chosenRows())
if (findings.length > 0) console.log(tableOf(findings))
const missed = findings.filter((finding) => !isMet(finding)).map(({ row }) => row)
const of = `${missed.length} of ${findings.length} floors are missed: ${missed.join(', ')}.`
console.log(missed.length === 0 ? `${findings.length} floors hold.` : of)
if (values.write !== undefined) writeFileSync(values.write, written(findings))
// A failed row may have left a process running.
process.exit(failures > 0 ? 1 : 0)
