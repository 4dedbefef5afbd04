import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Proof } from './prove.ts'
import type { Run } from './runs.ts'

const usage = `npm run node test/alerts/proof/main.ts -- [--seeds N] [--first SEED] [--only RUN,RUN] [--at-once N]
                       [--pace N] [--json FILE] [--write]

Lives through ordinary weeks and scenarios, lets a real Prometheus judge them by the alert rules, and compares
with what was true in these worlds. What fires is sent through an Alertmanager with the shipped configuration, and
every message that arrives is compared, too. Needs prometheus, promtool and Alertmanager 0.32 on the PATH; instead of
the last, the image of the stack will do.
  --seeds N      how many ordinary weeks, 10 where left out
  --first SEED   the seed of the first of them; drawn where left out
  --pace N       how many times faster than in truth alerts are sent, 10 where left out; 0 sends none
  --only RUNS    these runs alone, by name; the demands are then not complete
  --at-once N    how many runs at the same time, as many as there are processors where left out
  --json FILE    writes all that was found there
  --write        writes the table into docs/measured/alerts.md
`

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${option} is ${text}; 1 or more was expected`)
}

/** Like all that is not needed to refuse wrong arguments, the runs are imported when they are used. */
async function chosenRuns(seeds: number, first: number, names: readonly string[] | null): Promise<Run[]> {
  const { allRuns } = await import('./runs.ts')
  const all = allRuns(seeds, first)
  if (names === null) return all
  const unknown = names.filter((name) => !all.some((run) => run.name === name))
  if (unknown.length === 0) return all.filter(({ name }) => names.includes(name))
  throw new Error(
    `there is no run ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`,
  )
}

async function proveAll(runs: readonly Run[], atOnce: number, pace: number | null): Promise<Proof> {
  const { prove } = await import('./prove.ts')
  const folder = mkdtempSync(join(tmpdir(), 'alerts-proof-'))
  try {
    return await prove(runs, { folder, atOnce, pace, tell })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const page = new URL('../../../docs/measured/alerts.md', import.meta.url)

/** Prints the results; returns whether all requirements are met. */
async function report(
  proof: Proof,
  seeds: string,
  file: string | undefined,
  isWritten: boolean,
): Promise<boolean> {
  const { demandsOf } = await import('./demands.ts')
  const { legend, rowsOf, tableText } = await import('./table.ts')
  const rows = rowsOf(proof)
  const demands = demandsOf(proof)
  const table = tableText(rows)
  const found = demands.flatMap(({ says, found: what, isMet, offenders }) => [
    `${isMet ? 'met    ' : 'NOT MET'}  ${says}: ${what}`,
    ...offenders.map((offender) => `         ${offender}`),
  ])
  process.stdout.write(`${table}\n\n${legend}\n\n${found.join('\n')}\n`)
  if (isWritten) {
    const minutes = proof.runs.reduce((sum, { wallSeconds }) => sum + wallSeconds, 0) / 60
    const about = `${seeds}; ${proof.runs.length} runs, ${(minutes / 60).toFixed(0)} hours of wall time at speed 60`
    const head =
      '# Proof of the alerts\n\nWritten by `npm run node test/alerts/proof/main.ts -- --write`. [What it demands](../alerts.md#proof).'
    const text = `${about}, ${proof.inbox?.messages ?? 0} messages\n\n${table}\n\n${found.join('\n')}`
    writeFileSync(page, `${head}\n\n\`\`\`text\n${text}\n\`\`\`\n`)
  }
  if (file !== undefined) {
    writeFileSync(file, `${JSON.stringify({ rows, demands, ...proof }, null, 1)}\n`)
  }
  return demands.every(({ isMet }) => isMet)
}

try {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10' },
      first: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      pace: { type: 'string', default: '10' },
      only: { type: 'string' },
      'at-once': { type: 'string', default: String(availableParallelism()) },
      json: { type: 'string' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) process.stdout.write(usage)
  else {
    const first = wholeNumber('first', values.first)
    const seeds = wholeNumber('seeds', values.seeds)
    // The file is written at the end, after hours.
    if (values.json !== undefined && !existsSync(dirname(values.json)))
      throw new Error(`--json: there is no directory ${dirname(values.json)}; create it first.`)
    tell(`the first seed is ${first}: repeat with --first ${first}`)
    const proof = await proveAll(
      await chosenRuns(seeds, first, values.only?.split(',') ?? null),
      wholeNumber('at-once', values['at-once']),
      values.pace === '0' ? null : wholeNumber('pace', values.pace),
    )
    const title = `Ordinary weeks of the seeds ${first} to ${first + seeds - 1}`
    process.exitCode = (await report(proof, title, values.json, values.write === true)) ? 0 : 1
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  process.exitCode = 2
}
