import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demandsOf } from './demands.ts'
import { prove } from './prove.ts'
import { allRuns } from './runs.ts'
import { legend, rowsOf, tableText } from './table.ts'

const usage = `npm run alerts:proof -- [--seeds N] [--only RUN,RUN] [--json FILE]

Lives through ordinary weeks and scenarios, lets a real Prometheus judge them by the alert rules, and compares
with what was true in these worlds. Needs prometheus and promtool on the PATH.
  --seeds N      how many ordinary weeks, 10 where left out
  --only RUNS    these runs alone, by name; the demands are then not complete
  --json FILE    writes all that was found there
`

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

try {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10' },
      only: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) process.stdout.write(usage)
  else {
    const seeds = Number(values.seeds)
    if (!Number.isInteger(seeds) || seeds < 1)
      throw new Error(`--seeds is ${values.seeds}; 1 or more was expected`)
    const names = values.only?.split(',')
    const all = allRuns(seeds)
    const unknown = names?.filter((name) => !all.some((run) => run.name === name)) ?? []
    if (unknown.length > 0) {
      throw new Error(
        `there is no run ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`,
      )
    }
    const folder = mkdtempSync(join(tmpdir(), 'alerts-proof-'))
    try {
      const runs = all.filter(({ name }) => names?.includes(name) ?? true)
      const proof = await prove(runs, folder, tell)
      const rows = rowsOf(proof)
      const demands = demandsOf(proof)
      process.stdout.write(`${tableText(rows)}\n\n${legend}\n\n`)
      for (const { says, found, isMet, offenders } of demands) {
        process.stdout.write(`${isMet ? 'met    ' : 'NOT MET'}  ${says}: ${found}\n`)
        for (const offender of offenders) process.stdout.write(`         ${offender}\n`)
      }
      if (values.json !== undefined) {
        writeFileSync(values.json, `${JSON.stringify({ rows, demands, ...proof }, null, 1)}\n`)
      }
      if (!demands.every(({ isMet }) => isMet)) process.exitCode = 1
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  process.exitCode = 2
}
