import type { Skill } from '../work/plans.ts'
import type { Micros } from '../time.ts'
import type { Works } from '../topology/works.ts'
import type { EntityKind } from '../../../contract/vocabularies.ts'
import type { LeadKind } from './prices.ts'

/** What the operator would order, and why. */
export interface Requirement {
  readonly what: string
  /** Why it is needed, as a clause. */
  readonly because: string
  readonly entity: { readonly kind: EntityKind; readonly id: number | null }
  readonly zone: number
  readonly works: readonly Works[]
  readonly hires?: Skill
  readonly dollars: number
  readonly lead: LeadKind
  readonly resaleDollars?: number
}

/** Something that was ordered and is not in service yet. */
export interface Purchase {
  readonly id: number
  /** What it is, as in "Ordered {what}". */
  readonly what: string
  readonly zone: number
  /** Carried out in order when the installation is done. */
  readonly works: Works[]
  /** A new colleague instead of equipment. */
  readonly hires: Skill | null
  readonly dollars: number
  /** Dollars per month, for years. */
  readonly instalment: number
  readonly ordered: Micros
  readonly due: Micros
  /** Resale value of what it replaces. */
  readonly resaleDollars: number
  /** Id of the work order that installs it; null until it is delivered. */
  workOrder: number | null
}

/** Hosts that are to be sold. */
export interface Sale {
  readonly pool: number
  readonly zone: number
  /** Rows, ascending. */
  hosts: number[]
  /** Why they are sold, without a subject. */
  readonly because: string
  /** When the buyer comes for them. */
  readonly due: Micros
  /** Id of the work order that takes them out; null until they are due. */
  workOrder: number | null
}

/** What the operator knows and has under way, as plain data. */
export interface OperatorState {
  /** Reserves in dollars: what purchases are paid from. */
  reserves: number
  /** Dollars earned since the world began that the reserves include. */
  earnings: number
  /** Average of revenue less cost over the last week, or the hours that the world has existed. */
  marginPerHour: number
  hoursCounted: number
  /** Hosts' worth of use of each pool, at the same hour of the last days, oldest first. */
  readonly poolUse: number[][]
  /** Peaks of the last weeks as shares of capacity, which fade slowly. */
  readonly linkPeak: Float64Array
  readonly switchPeak: Float64Array
  readonly gatewayPeak: Float64Array
  readonly appliancePeak: Float64Array
  /** Peaks of the power draw and the heat of each zone, in kW. */
  readonly zonePeakKw: Float64Array
  readonly zonePeakHeatKw: Float64Array
  /** Work orders that wait for a technician, by skill: a moving average over days. */
  readonly waiting: Map<Skill, number>
  readonly purchases: Purchase[]
  readonly sales: Sale[]
  /** Hours for which each host has stood empty. */
  readonly emptyHours: Float64Array
  lastId: number
  /** When a refusal of this subject was last announced. */
  readonly refusedAt: Map<string, Micros>
  /** When a slot of the automation was last added, as the hosts that it was for. */
  automatedHosts: number
  readonly totals: {
    ordered: number
    installed: number
    renewed: number
    hired: number
    refused: number
    spent: number
    /** Hosts that were sold and not replaced, and what they brought. */
    sold: number
    proceeds: number
  }
}

/** Why something that is needed is not ordered. */
export type Refusal = 'money' | 'room' | 'power'
