/** Scores answers against the truth of cases. */
import { markdownTable, textTable } from '../../text/text-table.ts'
import type { Answer } from './answers.ts'
import type { CaseTruth } from './make.ts'

/** The content of `truth.json`. */
export type NamedTruth = CaseTruth & { readonly case: string; readonly split: string }

const cutoffs = [1, 3, 5] as const
const timeSecondsMax = 60

interface CaseScore {
  readonly tier: string
  readonly cases: number
  /** Share of faults whose entity is among the first 1, 3 and 5 of the answer. */
  readonly entity_at: readonly (number | null)[]
  /** Share of cases in which the kind of a fault is named. Null, as below, where no answer has one. */
  readonly kind: number | null
  /** Share of cases in which the beginning of a fault is named to the minute. */
  readonly time: number | null
  /** Share of the steps to a hurt customer that are named. */
  readonly path: number | null
  /** Share of healthy cases in which something is blamed. */
  readonly false_alarms: number | null
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

export function scoreAnswers(
  tier: string,
  truths: readonly NamedTruth[],
  answers: ReadonlyMap<string, Answer>,
): CaseScore {
  const answered = truths.map(
    (truth) => [truth, answers.get(truth.case) ?? { case: truth.case, entities: [] }] as const,
  )
  const faulty = answered.filter(([{ faults }]) => faults.length > 0)
  const healthy = answered.filter(([{ faults }]) => faults.length === 0)
  const shareOf = (
    key: 'kind' | 'at_seconds' | 'path',
    isRight: (truth: NamedTruth, answer: Answer) => number | boolean,
  ): number | null =>
    faulty.some(([, answer]) => answer[key] !== undefined)
      ? mean(faulty.map(([truth, answer]) => Number(isRight(truth, answer))))
      : null
  return {
    tier,
    cases: truths.length,
    entity_at: cutoffs.map((cutoff) =>
      mean(
        faulty.flatMap(([{ faults }, { entities }]) => {
          const named = new Set(entities.slice(0, cutoff))
          return faults.map(({ entity }) => Number(named.has(entity)))
        }),
      ),
    ),
    kind: shareOf('kind', ({ faults }, { kind }) => faults.some((fault) => fault.kind === kind)),
    time: shareOf('at_seconds', ({ faults }, { at_seconds: at = Infinity }) =>
      faults.some((fault) => Math.abs(fault.at_seconds - at) <= timeSecondsMax),
    ),
    path: shareOf('path', pathShare),
    false_alarms: mean(healthy.map(([, { entities }]) => Number(entities.length > 0))),
  }
}

/** Of the way to the hurt customer that is matched best. */
function pathShare({ customers }: NamedTruth, { path = [] }: Answer): number {
  const steps = (entities: readonly string[]): string[] =>
    entities.slice(1).map((entity, index) => `${entities[index]} ${entity}`)
  const named = new Set(steps(path))
  // A fault of a customer's own is all of its way.
  const shareOf = (way: readonly string[]): number =>
    way.length === 1
      ? Number(path.length === 1 && path[0] === way[0])
      : (mean(steps(way).map((step) => Number(named.has(step)))) ?? 0)
  return Math.max(0, ...customers.map((customer) => shareOf(customer.path)))
}

const percent = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 100)} %`)

export function scoreTable(
  scores: readonly (CaseScore & { readonly by: string })[],
  isMarkdown: boolean,
): string {
  const heads = ['by', 'tier', 'cases', 'entity@1', '@3', '@5', 'kind', 'time', 'path', 'false alarms']
  const rows = scores.map(
    ({ by, tier, cases, entity_at: entityAt, kind, time, path, false_alarms: falseAlarms }) => [
      by,
      tier,
      String(cases),
      ...[...entityAt, kind, time, path, falseAlarms].map(percent),
    ],
  )
  return isMarkdown ? markdownTable([heads, ...rows], 2) : textTable([heads, ...rows])
}
