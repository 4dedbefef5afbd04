import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import { belongs } from './belonging.ts'
import type { Episode } from './belonging.ts'

/** Delays of alerts in wall seconds; null where there is none. */
interface Delays {
  readonly median: number | null
  readonly p90: number | null
  readonly worst: number | null
}

/** The score of one set of alerts. */
export interface Score {
  readonly name: string
  /** Firing episodes, and those of them that belong to a fault. */
  readonly fired: number
  readonly rightly: number
  readonly precision: number | null
  /** Faults that affected a customer, and those of them with an alert. */
  readonly due: number
  readonly alerted: number
  readonly recall: number | null
  readonly secondsToAlert: Delays
  /** Mean number of notifications for a fault with an alert. */
  readonly messagesPerFault: number | null
}

interface RuleScore extends Score {
  readonly severity: string
}

export interface Grades {
  readonly faults: number
  /** Cumulative by severity: alerts of a severity and graver ones; the last set has all. */
  readonly sets: readonly Score[]
  readonly rules: readonly RuleScore[]
  /** By kind of fault; alerts of the lowest severity are left out. */
  readonly kinds: readonly Score[]
}

/** Alerts of one name that begin within this many seconds form one notification. */
const messageSeconds = 30

const isDue = ({ customers }: TruthLine): boolean => customers.length > 0

/** An episode with the faults that it belongs to. */
interface Matched {
  readonly episode: Episode
  readonly faults: readonly TruthLine[]
}

/** Grades alerts that fired against the truth. Alerts may rightly be about faults that began earlier, too. */
export function grade(
  faults: readonly TruthLine[],
  episodes: readonly Episode[],
  severities: readonly string[],
  grace: number,
  earlier: readonly TruthLine[] = [],
): Grades {
  const known = [...faults, ...earlier]
  const matched = episodes.map((episode) => ({
    episode,
    faults: known.filter((fault) => belongs(episode, fault, grace)),
  }))
  const present = severities.filter((severity) => episodes.some((episode) => episode.severity === severity))
  const upTo = (index: number): Matched[] =>
    matched.filter(({ episode }) => present.slice(0, index + 1).includes(episode.severity))
  const sets = present.map((severity, index) =>
    scoreOf(index === 0 ? severity : `${severity} and graver`, upTo(index), faults),
  )
  const names = [...new Set(episodes.map(({ alert }) => alert))]
  const rules = names.map((name): RuleScore => {
    const own = matched.filter(({ episode }) => episode.alert === name)
    return Object.assign(scoreOf(name, own, faults), { severity: own[0].episode.severity })
  })
  const people = upTo(Math.max(0, present.length - 2))
  const kinds = [...new Set(faults.map(({ kind }) => kind))].map((kind) => {
    const ofKind = faults.filter((fault) => fault.kind === kind)
    const about = people.filter((each) => each.faults.some((fault) => fault.kind === kind))
    return scoreOf(kind, about, ofKind)
  })
  return {
    faults: faults.length,
    sets,
    rules: rules.toSorted(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.fired - a.fired,
    ),
    kinds: kinds.toSorted((a, b) => b.due - a.due),
  }
}

function scoreOf(name: string, matched: readonly Matched[], faults: readonly TruthLine[]): Score {
  const due = faults.filter(isDue)
  const about = new Map<TruthLine, Episode[]>()
  for (const { episode, faults: own } of matched)
    for (const fault of own) {
      const known = about.get(fault)
      if (known === undefined) about.set(fault, [episode])
      else known.push(episode)
    }
  const alerted = due.filter((fault) => about.has(fault))
  const delays = alerted.map((fault) => Math.max(0, firstOf(about.get(fault)!) - fault.begin.wall_s))
  const messages = alerted.reduce((sum, fault) => sum + messagesOf(about.get(fault)!), 0)
  const rightly = matched.filter(({ faults: own }) => own.length > 0).length
  return {
    name,
    fired: matched.length,
    rightly,
    precision: ratio(rightly, matched.length),
    due: due.length,
    alerted: alerted.length,
    recall: ratio(alerted.length, due.length),
    secondsToAlert: delaysOf(delays),
    messagesPerFault: ratio(messages, alerted.length),
  }
}

const firstOf = (episodes: readonly Episode[]): number =>
  episodes.reduce((first, { span }) => Math.min(first, span[0]), Infinity)

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

function messagesOf(episodes: readonly Episode[]): number {
  const lastAt = new Map<string, number>()
  let messages = 0
  for (const { alert, span } of episodes.toSorted((a, b) => a.span[0] - b.span[0])) {
    const last = lastAt.get(alert)
    if (last !== undefined && span[0] - last < messageSeconds) continue
    lastAt.set(alert, span[0])
    messages++
  }
  return messages
}

function delaysOf(delays: readonly number[]): Delays {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number): number | null =>
    sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
  return { median: at(0.5), p90: at(0.9), worst: at(1) }
}
