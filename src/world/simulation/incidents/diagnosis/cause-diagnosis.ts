import type { CauseKey } from '../../../../contract/messages/incident-causes.ts'
import { numberText } from '../../../../contract/messages/catalog.ts'
import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { nameOf, rowOf } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { Observation } from '../model.ts'
import type { Suspicion } from './suspicion.ts'

/** A help article of the incident record. */
export interface Article {
  readonly id: string
  readonly title: string
}

/** Readings that monitors derive over time. */
export interface Telemetry {
  /** Ratio of a customer's requests to those usual at this hour of the week; 1 without history. */
  demandRatio(customerId: number): number
  /** Flaps of a port in its current episode; 0 for a steady port. */
  recentFlaps(port: number): number
}

/** A reading that confirms or refutes a suspected cause. */
export interface EvidenceCheck {
  /** Time from the suspicion to the reading. */
  readonly delay: Micros
  /** Whether people take the reading with instruments of their own, which need no power at the target. */
  readonly isOnSite?: boolean
  observe(world: ObservedWorld, target: FaultTarget, telemetry: Telemetry): Observation
}

/** Operational knowledge about a kind of cause: suspicions, checks and description. */
export interface CauseDiagnosis {
  readonly message: CauseKey
  readonly article: Article
  /** Advice on the place to look, as an imperative clause without a period. */
  readonly lookAt: string
  readonly suspicions: readonly Suspicion[]
  readonly checks: readonly EvidenceCheck[]
  /** A shortage follows demand: its evidence counts only while present, and its repair does not end it. */
  readonly isShortage: boolean
}

export type CauseCatalog = Readonly<Record<CauseKind, CauseDiagnosis>>

export const article = (id: string, title: string): Article => ({ id: `cause/${id}`, title })

/** An observation that supports the cause. */
export const abnormal = (label: string, value: string, detail: string, likelihood: number): Observation =>
  normal(label, `**${value}**`, detail, likelihood)

/** An observation that contradicts the cause. */
export const normal = (label: string, value: string, detail: string, likelihood: number): Observation => ({
  label,
  value,
  detail,
  likelihood,
})

interface ReadingCheck extends Pick<EvidenceCheck, 'delay' | 'isOnSite'> {
  readonly label: (name: string) => string
  /** The abnormal value; null for a normal reading. */
  readonly read: (world: ObservedWorld, row: number, telemetry: Telemetry) => string | null
  readonly abnormal: readonly [
    detail: string | ((world: ObservedWorld, row: number) => string),
    likelihood: number | ((world: ObservedWorld, row: number) => number),
  ]
  readonly normal: readonly [
    value: string | ((world: ObservedWorld, row: number) => string),
    detail: string,
    likelihood: number,
  ]
}

/** A check of a single instrument at the target. */
export const readingCheck = (check: ReadingCheck): EvidenceCheck => ({
  delay: check.delay,
  isOnSite: check.isOnSite ?? false,
  observe(world, target, telemetry) {
    const row = rowOf(target)
    const value = check.read(world, row, telemetry)
    const label = check.label(`**${nameOf(world, target)}**`)
    if (value === null) {
      const [usual, detail, likelihood] = check.normal
      return normal(label, typeof usual === 'string' ? usual : usual(world, row), detail, likelihood)
    }
    const [detail, likelihood] = check.abnormal.map((each) =>
      typeof each === 'function' ? each(world, row) : each,
    ) as [string, number]
    return abnormal(label, value, detail, likelihood)
  },
})

/** Small shares keep their digits, so that a nonzero share is not shown as 0 %. */
export const percent = (share: number): string =>
  `${numberText(share < 0.1 ? 100 * share : Math.round(share * 100))} %`
