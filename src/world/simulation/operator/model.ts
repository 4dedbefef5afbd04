import type { Skill } from '../work/plans.ts'
import type { Micros } from '../time.ts'
import type { Topology } from '../topology/tables.ts'
import type { Works } from '../topology/works.ts'
import { upgradableRoles } from '../topology/works.ts'
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
export type OperatorState = ReturnType<typeof createOperatorState>

/** Why something that is needed is not ordered. */
export type Refusal = 'money' | 'room' | 'power'

export function createOperatorState(topology: Topology, reserves: number) {
  const { hosts, pools, zones, switches, gateways, appliances } = topology
  return {
    /** Reserves in dollars: what purchases are paid from. */
    reserves,
    /** Dollars earned since the world began that the reserves include. */
    earnings: 0,
    /** Average of revenue less cost over the last week, or the hours that the world has existed. */
    marginPerHour: 0,
    hoursCounted: 0,
    /** Hosts' worth of use of each pool, at the same hour of the last days, oldest first. */
    poolUse: pools.map((): number[] => []),
    /** Peaks of the last weeks as shares of capacity, which fade slowly. */
    linkPeak: new Float64Array(zones.length * upgradableRoles.length),
    switchPeak: new Float64Array(switches.capacity),
    gatewayPeak: new Float64Array(gateways.capacity),
    appliancePeak: new Float64Array(appliances.capacity),
    /** Peaks of the power draw and the heat of each zone, in kW. */
    zonePeakKw: new Float64Array(zones.length),
    zonePeakHeatKw: new Float64Array(zones.length),
    /** Work orders that wait for a technician, by skill: a moving average over days. */
    waiting: new Map<Skill, number>(),
    purchases: [] as Purchase[],
    sales: [] as Sale[],
    /** Hours for which each host has stood empty. */
    emptyHours: new Float64Array(hosts.capacity),
    lastId: 0,
    /** When a refusal of this subject was last announced. */
    refusedAt: new Map<string, Micros>(),
    /** When a slot of the automation was last added, as the hosts that it was for. */
    automatedHosts: hosts.rows.length,
    /** `sold` counts hosts that were sold and not replaced, and `proceeds` is what they brought. */
    totals: { ordered: 0, installed: 0, renewed: 0, hired: 0, refused: 0, spent: 0, sold: 0, proceeds: 0 },
  }
}
