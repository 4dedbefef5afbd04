import type { ArgumentsOf, MessageKey } from '../../../../contract/messages/catalog.ts'
import type { EntityKind, Severity } from '../../../../contract/vocabularies.ts'
import { hoursPerMonth } from '../../../../contract/fields.ts'
import type { WorldView } from '../../state.ts'
import type { Micros } from '../../time.ts'

/** The course of the company, which its ledger decides. */
export type Stance = 'Investing' | 'Hoarding' | 'Careful' | 'InTrouble'

export interface Loan {
  readonly lender: string
  /** Payment each month, and the number of those to come. */
  readonly monthlyDollars: number
  monthsLeft: number
  nextPayment: Micros
}

/** A zone that is being built. */
export interface Project {
  readonly region: number
  readonly zone: string
  readonly dollars: number
  readonly announced: Micros
  /** Index in `stages` of projects.ts. */
  stage: number
  stageEnds: Micros
  isDelayed: boolean
  isPaused: boolean
}

/** An initiative of the management that has not ended. */
export interface Initiative {
  readonly kind: 'Advertising' | 'Course' | 'Audit'
  readonly ends: Micros
  /** Id of the newest customer at its beginning. */
  readonly newestCustomer: number
  /** Ids of those who take part. */
  readonly technicians: readonly number[]
}

export const createCompanyState = () => ({
  owner: 'The founders',
  stance: 'Investing' as Stance,
  stanceSince: 0,
  /** Number of measures against the current trouble, and the time of the last. */
  measures: 0,
  measuredAt: 0,
  loan: null as Loan | null,
  /** Dollars that may be spent at any margin. */
  programDollars: 0,
  /** Since when no order could be paid; null if none was refused for money. */
  blockedSince: null as Micros | null,
  capitalAdded: 0,
  project: null as Project | null,
  /** A zone that opened in the last weeks, and the id of the newest customer then. */
  opened: null as {
    readonly name: string
    readonly row: number
    readonly at: Micros
    readonly newestCustomer: number
  } | null,
  initiative: null as Initiative | null,
  /** Index in `kinds` of initiatives.ts. */
  nextInitiative: 0,
  nextGeneration: 0,
  /** Time of the invitation to a conference that was not held yet; null without one. */
  conferenceAt: null as Micros | null,
  /** Revenue and earnings at the end of the last business year. */
  yearBegan: { revenue: 0, earnings: 0 },
})

interface Teller {
  readonly world: Pick<WorldView, 'events' | 'now'>
}
type Entity = { readonly kind: EntityKind; readonly id: number | null }
const theWorld: Entity = { kind: 'World', id: null }

/** Announces that a chapter begins. */
export function beginChapter<K extends MessageKey>(
  { world }: Teller,
  key: K,
  args: ArgumentsOf<K>,
  { severity = 'Info', entity = theWorld }: { severity?: Severity; entity?: Entity } = {},
): void {
  world.events.emit(world.now, 'ChapterBegan', severity, entity, key, args)
}

/** Announces how a chapter continues or ends. */
export function continueChapter<K extends MessageKey>(
  { world }: Teller,
  key: K,
  args: ArgumentsOf<K>,
  severity: Severity = 'Info',
): void {
  world.events.emit(world.now, 'ChapterContinued', severity, theWorld, key, args)
}

/** Dollars in reserve, and the average cost. */
interface Ledger {
  readonly reserves: number
  readonly costPerHour: number
}

/** The average cost of a month. */
export const monthlyCost = ({ costPerHour }: Pick<Ledger, 'costPerHour'>): number =>
  Math.max(1, costPerHour * hoursPerMonth)

/** Months of cost that the reserves cover. */
export const monthsCovered = (state: Ledger): number => state.reserves / monthlyCost(state)

const daysPerMonth = hoursPerMonth / 24
export const daysCovered = (state: Ledger): number =>
  Math.max(0, Math.round(monthsCovered(state) * daysPerMonth))
