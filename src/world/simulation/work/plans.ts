import type { WorkOrderKind, WorkStepKind } from '../../../contract/vocabularies.ts'
import type { PartKind } from './parts.ts'
import { partWithArticle } from './parts.ts'

export const skills = ['hardware', 'network', 'power', 'security', 'platform'] as const
export type Skill = (typeof skills)[number]

/** A precondition of a step. */
export type Need =
  | { readonly kind: 'Spare'; readonly part: PartKind }
  | { readonly kind: 'Vendor'; readonly wait: string; readonly minutes: readonly [number, number] }
  | { readonly kind: 'Access' }

export interface PlannedStep {
  readonly kind: WorkStepKind
  readonly detail: string
  /** Estimated duration. */
  readonly minutes: number
  readonly needs?: Need
}

export interface WorkPlan {
  readonly kind: WorkOrderKind
  readonly label: string
  /** Null for work of the automation. */
  readonly skill: Skill | null
  /** Any technician may do it, at a slower pace, while no specialist is on shift. */
  readonly skillOptional?: boolean
  /** A technician must be at the equipment. */
  readonly onSite: boolean
  readonly steps: readonly PlannedStep[]
}

export const step = (kind: WorkStepKind, detail: string, minutes: number, needs?: Need): PlannedStep => ({
  kind,
  detail,
  minutes,
  ...(needs !== undefined && { needs }),
})

export const access: Need = { kind: 'Access' }
export const readTicket = (minutes: number): PlannedStep => step('Assign', 'Read the ticket', minutes)
/** The estimate is replaced at the assignment, which determines the travel time. */
export const travelTo = (name: string): PlannedStep => step('Travel', `Go to ${name}`, 6)
export const fetchSpare = (part: PartKind): PlannedStep =>
  step('FetchSpare', `Fetch ${partWithArticle(part)} from the stock there`, 6, { kind: 'Spare', part })
