import { fileURLToPath } from 'node:url'
import { endWith } from '../fixtures/command-line.ts'
import { optionsOf, usage, type BenchOptions } from './harness/command-line.ts'
import { isMet, MissingProgram, type Finding, type Row, type RowFinding } from './harness/finding.ts'
import { addToHistory, newestWith, readHistory, runOf } from './harness/history.ts'
import { comparisonOf, digits, summaryOf, tableOf } from './harness/table.ts'
import { rowSets } from './row-sets.ts'

const results = fileURLToPath(new URL('results.json', import.meta.url))
const options = chosenOptions()
const progress = (what: string): void => console.error(`  ${what}`)

function chosenOptions(): BenchOptions {
  try {
    return optionsOf(process.argv.slice(2), rowSets, results)
  } catch (error) {
    return endWith(usage, (error as Error).message)
  }
}

function named(name: string, { part, ...finding }: Finding): RowFinding {
  return { row: part === undefined ? name : `${name}-${part}`, ...finding }
}

async function measured({ name, measure }: Row): Promise<RowFinding[]> {
  const found: Finding | readonly Finding[] = await measure(progress)
  return [found].flat().map((finding) => named(name, finding))
}

/** A missed floor is measured once more, as another program may have disturbed it. */
async function measuredTwiceIfMissed(row: Row): Promise<RowFinding[]> {
  const first = await measured(row)
  if (first.every(isMet)) return first
  progress('missed; once more, as another program may have disturbed it')
  return measured(row)
}

const findings: RowFinding[] = []
const failures: string[] = []
const skipped: string[] = []

async function measureAll(): Promise<void> {
  for (const row of options.rows) {
    console.error(`${row.name} …`)
    const beganMs = performance.now()
    const cpu = process.cpuUsage()
    try {
      const found = await measuredTwiceIfMissed(row)
      for (const { row: name, value, unit, medians } of found)
        progress(`${name}: ${digits(value)} ${unit} (${medians})`)
      findings.push(...found)
    } catch (error) {
      const line = `${row.name} was not measured: ${(error as Error).message}`
      ;(error instanceof MissingProgram ? skipped : failures).push(line)
      progress((error as Error).message)
    }
    const { user, system } = process.cpuUsage(cpu)
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0)
    progress(`${seconds} s, ${((user + system) / 1e6).toFixed(1)} s of processor time`)
  }
}

function report(): void {
  if (findings.length > 0) console.log(tableOf(findings))
  const missed = findings.filter((finding) => !isMet(finding))
  console.log(
    missed.length === 0
      ? `${findings.length} floors hold.`
      : `${missed.length} of ${findings.length} floors are missed: ${missed.map(({ row }) => row).join(', ')}.`,
  )
  for (const line of [...failures, ...skipped]) console.log(line)
  if (missed.length + failures.length > 0) process.exitCode = 1
}

if (options.summary > 0) {
  console.log(summaryOf(readHistory(options.history).slice(-options.summary)))
} else {
  // Read first: it may be the file that this run is added to.
  const earlier = options.compare === null ? null : readHistory(options.compare)
  await measureAll()
  report()
  if (earlier !== null) {
    const before = newestWith(earlier, new Set(findings.map(({ row }) => row)))
    console.log(
      before === null ? 'Nothing to compare with: no run has these rows.' : comparisonOf(findings, before),
    )
  }
  if (findings.length > 0) {
    addToHistory(options.history, runOf(findings))
    console.log(`Added to ${options.history}.`)
  }
}
// A row that could not be measured may have left something running.
process.exit()
