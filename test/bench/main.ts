import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { attached } from './attached.ts'
import { encoding } from './encoding.ts'
import { isMet, tableOf, type Finding, type Subject } from './harness.ts'
import { http } from './http.ts'
import { metricsExposition } from './metrics-exposition.ts'
import { metricsRings } from './metrics-rings.ts'
import { metricsScrape } from './metrics-scrape.ts'
import { publishing } from './publishing.ts'
import { simulation } from './simulation.ts'

/** Every subject; each file brings its own. */
const subjects: readonly Subject[] = [
  ...encoding,
  ...publishing,
  ...http,
  ...metricsExposition,
  ...metricsScrape,
  ...metricsRings,
  ...simulation,
  ...attached,
]

/** Ratios that take seconds each and no other program: what `--short` measures, in CI too. */
const shortSubjects: ReadonlySet<string> = new Set([
  'changed-record',
  'assembled-page',
  'http-record',
  'http-not-modified',
  'http-page',
])

/** All subjects, those of `--short`, or those whose names contain what follows `--only`. */
function chosen(words: readonly string[]): readonly Subject[] {
  const [flag, name, ...others] = words
  if (flag === undefined) return subjects
  if (flag === '--short' && name === undefined) {
    return subjects.filter((subject) => shortSubjects.has(subject.name))
  }
  if (flag !== '--only' || name === undefined || others.length > 0)
    throw new Error('Usage: npm run bench -- [--short | --only NAME]')
  const found = subjects.filter((subject) => subject.name.includes(name))
  const known = subjects.map((subject) => subject.name).join(', ')
  if (found.length === 0) throw new Error(`No subject is called ${JSON.stringify(name)}; there are ${known}.`)
  return found
}

const findings: (Finding & { readonly subject: string })[] = []
const unmeasured: string[] = []
for (const { name, measure } of chosen(process.argv.slice(2))) {
  console.error(`${name} …`)
  try {
    const progress = (what: string): void => console.error(`  ${what}`)
    const first = await measure(progress)
    if (!isMet(first)) console.error('  missed; once more, as another program may have disturbed it')
    const finding = isMet(first) ? first : await measure(progress)
    findings.push({ subject: name, ...finding })
  } catch (error) {
    unmeasured.push(`${name} was not measured: ${(error as Error).message}`)
    console.error(`  ${(error as Error).message}`)
  }
}
if (findings.length > 0) console.log(tableOf(findings))

const missed = findings.filter((finding) => !isMet(finding))
console.log(
  missed.length === 0
    ? `${findings.length} of ${findings.length + unmeasured.length} floors hold.`
    : `${missed.length} of ${findings.length} floors are missed: ${missed.map(({ subject }) => subject).join(', ')}.`,
)
for (const line of unmeasured) console.log(line)
if (missed.length + unmeasured.length > 0) process.exitCode = 1

// A part of the rows does not take the place of all of them.
if (findings.length === subjects.length) {
  const machine = {
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    processors: cpus().length,
  }
  const takenAt = new Date().toISOString()
  const file = new URL('results.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify({ takenAt, machine, findings }, null, 2)}\n`)
  console.log(`Written to ${fileURLToPath(file)}.`)
}
// A row that could not be measured may have left something running.
process.exit()
