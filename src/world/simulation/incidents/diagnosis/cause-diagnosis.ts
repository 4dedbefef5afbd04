import type { causeMessages } from '../../../../contract/messages/incident-causes.ts'
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

/** Readings that monitors keep over time. */
export interface Telemetry {
  /** A customer's requests over what is usual for it at this hour of the week; 1 while nothing is known. */
  demandRatio(customerId: number): number
  /** Flaps of a port since it began to flap; 0 once it is steady. */
  recentFlaps(port: number): number
}

/** A reading that is taken to confirm or refute a suspected cause. */
export interface EvidenceCheck {
  /** Time from the suspicion to the reading. */
  readonly delay: Micros
  observe(world: ObservedWorld, target: FaultTarget, telemetry: Telemetry): Observation
}

/** What operators know about a kind of cause: how to suspect it, check for it and describe it. */
export interface CauseDiagnosis {
  readonly message: keyof typeof causeMessages
  readonly article: Article
  /** Where to look for it: an imperative clause, without a period. */
  readonly lookAt: string
  readonly suspicions: readonly Suspicion[]
  readonly checks: readonly EvidenceCheck[]
  /** A shortage comes and goes with demand: its evidence counts only while it shows, and repairing it ends nothing. */
  readonly isShortage: boolean
}

export type CauseCatalog = Readonly<Record<CauseKind, CauseDiagnosis>>

export const article = (id: string, title: string): Article => ({ id: `cause/${id}`, title })

/** An observation that speaks for the cause. */
export const abnormal = (label: string, value: string, detail: string, likelihood: number): Observation => ({
  label,
  value: `**${value}**`,
  detail,
  likelihood,
})

/** An observation that speaks against the cause. */
export const normal = (label: string, value: string, detail: string, likelihood: number): Observation => ({
  label,
  value,
  detail,
  likelihood,
})

interface ReadingCheck {
  readonly delay: Micros
  readonly label: (name: string) => string
  /** The abnormal value; null while the reading is normal. */
  readonly read: (world: ObservedWorld, row: number, telemetry: Telemetry) => string | null
  readonly abnormal: readonly [
    detail: string | ((world: ObservedWorld, row: number) => string),
    likelihood: number,
  ]
  readonly normal: readonly [value: string, detail: string, likelihood: number]
}

/** A check that reads one instrument at the target. */
export const readingCheck = (check: ReadingCheck): EvidenceCheck => ({
  delay: check.delay,
  observe(world, target, telemetry) {
    const row = rowOf(target)
    const value = check.read(world, row, telemetry)
    const label = check.label(`**${nameOf(world, target)}**`)
    if (value === null) return normal(label, ...check.normal)
    const [detail, likelihood] = check.abnormal
    return abnormal(label, value, typeof detail === 'string' ? detail : detail(world, row), likelihood)
  },
})

/** Small shares keep their digits, so that what is not nothing does not read as 0 %. */
export const percent = (share: number): string =>
  `${numberText(share < 0.1 ? 100 * share : Math.round(share * 100))} %`
