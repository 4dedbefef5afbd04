import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { Fired } from '../../../src/practice/grading/evaluate.ts'
import { evaluate } from './evaluate.ts'
import { scrapeSeconds } from './play.ts'
import type { Played } from './play.ts'
import { PastPrometheus } from './prometheus.ts'
import { record } from './recordings.ts'
import type { Run } from './runs.ts'
import { graveIncidents, judge } from './verdict.ts'
import type { BandAlerted, Verdict } from './verdict.ts'
import { proveInbox } from './inbox/prove-inbox.ts'
import type { InboxProof } from './inbox/prove-inbox.ts'
import { allAlerts } from './rules.ts'

export interface Proof {
  readonly runs: readonly { readonly run: string; readonly wallSeconds: number }[]
  readonly verdicts: readonly Verdict[]
  readonly grave: readonly BandAlerted[]
  /** Alerts that fired in runs without faults. */
  readonly quiet: readonly { readonly run: string; readonly alert: AlertName; readonly times: number }[]
  /** The proof of notifications; null if none were sent. */
  readonly inbox: InboxProof | null
}

async function inTurn<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

const run = promisify(execFile)
const player = fileURLToPath(new URL('player.ts', import.meta.url))

async function played(one: Run, folder: string): Promise<Played> {
  const words = ['--disable-warning=ExperimentalWarning', player, JSON.stringify(one), folder]
  const { stdout } = await run(process.execPath, words, { maxBuffer: 1 << 28 })
  return JSON.parse(stdout) as Played
}

/** After the last scrape, so that the absence of a target is noticed. */
const after = 180

/** Conditions of all runs: the watchdog fires, and no target exists once all runs are over. */
const ofAllRuns = (seconds: number): Played => ({
  run: 'all of them',
  altered: { DcsimWatchdog: [[0, seconds]], DcsimMirrorAbsent: [[seconds - after + scrapeSeconds, seconds]] },
  foreign: false,
  seconds,
  surely: {},
  nearly: {},
  caused: {},
  amounts: {},
  facts: { names: [], incidents: {}, incidentsSince: {}, incidentsUntil: {}, faults: [] },
})

type FiredByAlert = ReadonlyMap<AlertName, readonly Fired[]>

interface ProofOptions {
  readonly folder: string
  /** The number of runs and of evaluations that run concurrently. */
  readonly atOnce: number
  /** The factor by which alerts are posted to Alertmanager faster than in real time; null to skip Alertmanager. */
  readonly pace: number | null
  readonly tell: (line: string) => void
}

async function evaluateAll(
  prometheus: PastPrometheus,
  seconds: number,
  { atOnce, tell }: ProofOptions,
): Promise<FiredByAlert> {
  const fired = await inTurn(allAlerts(), atOnce, async (alert) => {
    const startedAt = performance.now()
    const spans = await evaluate(prometheus, alert, seconds)
    const took = ((performance.now() - startedAt) / 1000).toFixed(1)
    tell(`evaluated ${alert.alert} in ${took} s`)
    return [alert.alert, spans] as const
  })
  return new Map(fired)
}

/** Simulates the runs, lets Prometheus evaluate the rules, and compares. */
export async function prove(runs: readonly Run[], options: ProofOptions): Promise<Proof> {
  const { folder, atOnce, tell } = options
  const runsPlayed = await inTurn(runs, atOnce, async (one) => {
    const startedAt = performance.now()
    const done = await played(one, folder)
    const took = ((performance.now() - startedAt) / 1000).toFixed(1)
    tell(`simulated ${one.name}: ${(done.seconds / 60).toFixed(0)} wall minutes at speed 60, in ${took} s`)
    return done
  })
  const seconds = Math.max(...runsPlayed.map((one) => one.seconds)) + after
  await record(folder, seconds)
  tell('recorded what recording rules record')
  const prometheus = await PastPrometheus.start(folder)
  try {
    return await judgeAll(prometheus, runsPlayed, seconds, options)
  } finally {
    await prometheus.stop()
  }
}

async function judgeAll(
  prometheus: PastPrometheus,
  runsPlayed: readonly Played[],
  seconds: number,
  options: ProofOptions,
): Promise<Proof> {
  const { pace } = options
  const fired = await evaluateAll(prometheus, seconds, options)
  const firedIn = ({ run: instance, seconds: until }: Played, alert: AlertName): Fired[] =>
    (fired.get(alert) ?? [])
      .filter(({ labels }) => labels['instance'] === instance)
      .map(({ labels, spans, values }) => ({
        labels,
        spans: spans.filter(([from]) => from <= until),
        values,
      }))
  const ofAll = ofAllRuns(seconds)
  const verdicts = runsPlayed.flatMap((one) =>
    allAlerts()
      .filter(({ alert }) => ofAll.altered[alert] === undefined)
      .map((rule) => judge(rule, firedIn(one, rule.alert), one)),
  )
  for (const rule of allAlerts()) {
    if (ofAll.altered[rule.alert] !== undefined)
      verdicts.push(judge(rule, fired.get(rule.alert) ?? [], ofAll))
  }
  const grave = runsPlayed.flatMap((one) => graveIncidents(one, (alert) => firedIn(one, alert)))
  const firedBy = allAlerts().map((rule) => [rule, fired.get(rule.alert) ?? []] as const)
  return {
    inbox:
      pace === null ? null : await proveInbox(prometheus, firedBy, runsPlayed, grave, { ...options, pace }),
    runs: runsPlayed.map(({ run: name, seconds: until }) => ({ run: name, wallSeconds: until })),
    verdicts,
    grave,
    quiet: verdicts
      .filter(({ run: name, fired: times }) => name.startsWith('quiet') && times > 0)
      .map(({ run: name, alert, fired: times }) => ({ run: name, alert, times })),
  }
}
