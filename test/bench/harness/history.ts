import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { execFileSync } from 'node:child_process'
import type { RowFinding } from './finding.ts'

/** One run of the bench. */
export interface Run {
  readonly takenAt: string
  readonly commit: string
  readonly machine: {
    readonly node: string
    readonly processor: string
    readonly processors: number
    /** Processes that ran or waited, over the last minute of the run. */
    readonly load: number
  }
  readonly findings: readonly RowFinding[]
}

/** Older runs are dropped. */
export const runsMax = 60

interface History {
  readonly runs: readonly Run[]
}

export function readHistory(file: string): readonly Run[] {
  if (!existsSync(file)) return []
  const { runs } = JSON.parse(readFileSync(file, 'utf8')) as Partial<History>
  if (!Array.isArray(runs)) throw new Error(`${file} is not a history of bench runs: it has no list "runs".`)
  return runs
}

/** Adds a run behind the others. */
export function addToHistory(file: string, run: Run): void {
  const runs = [...readHistory(file), run].slice(-runsMax)
  writeFileSync(file, `${JSON.stringify({ runs } satisfies History, null, 1)}\n`)
}

/** The newest run of a history that measured one of these rows. */
export function newestWith(runs: readonly Run[], rows: ReadonlySet<string>): Run | null {
  return runs.findLast(({ findings }) => findings.some(({ row }) => rows.has(row))) ?? null
}

function commitHere(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

export const runOf = (findings: readonly RowFinding[]): Run => ({
  takenAt: new Date().toISOString(),
  commit: commitHere(),
  machine: {
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    processors: cpus().length,
    load: loadavg()[0],
  },
  findings,
})
