import type { Skill } from '../work/plans.ts'
import type { Micros } from '../time.ts'
import type { Topology } from '../topology/tables.ts'
import type { OrderedWorks } from '../topology/works.ts'
import { upgradableRoles } from '../topology/works.ts'
import type { EntityKind } from '../../../contract/vocabularies.ts'
import { createCompanyState } from './chapters/company.ts'
import type { LeadKind } from './prices.ts'

/** A needed order, with its justification. */
export interface Requirement {
  readonly what: string
  /** The reason for the order, as a clause. */
  readonly because: string
  readonly entity: { readonly kind: EntityKind; readonly id: number | null }
  readonly zone: number
  readonly works: readonly OrderedWorks[]
  readonly hires?: Skill
  /** Region of the new technician; any without it. */
  readonly region?: number
  readonly dollars: number
  readonly lead: LeadKind
  readonly resaleDollars?: number
}

/** An order that is not in service yet. */
export interface Purchase {
  readonly id: number
  /** The object of the order, as in "Ordered {what}". */
  readonly what: string
  readonly zone: number
  /** Carried out in order after the installation. */
  readonly works: OrderedWorks[]
  /** The skill of a new technician, for an order without equipment. */
  readonly hires: Skill | null
  readonly region: number | null
  readonly dollars: number
  /** Monthly installment in dollars, over years. */
  readonly instalment: number
  readonly ordered: Micros
  due: Micros
  /** Whether the first delivery was wrong. */
  isExchanged: boolean
  /** Resale value of the replaced equipment. */
  readonly resaleDollars: number
  /** Id of the installation's work order; null before the delivery. */
  workOrder: number | null
}

/** The place of a technician who left. */
interface Vacancy {
  readonly name: string
  readonly skill: Skill
  readonly region: number
}

/** Hosts selected for sale. */
export interface Sale {
  readonly pool: number
  readonly zone: number
  /** Rows, ascending. */
  hosts: number[]
  /** The reason for the sale, as a clause without a subject. */
  readonly because: string
  /** Time of collection by the buyer. */
  readonly due: Micros
  /** Id of the removal's work order; null before `due`. */
  workOrder: number | null
}

/** The knowledge and pending orders of the operator, as plain data. */
export type OperatorState = ReturnType<typeof createOperatorState>

/** Reason for not ordering a requirement. */
export type Refusal = 'money' | 'room' | 'power' | 'power on order' | 'racks on order'

export function createOperatorState(topology: Topology, reserves: number) {
  const { hosts, pools, zoneCapacity, switches, gateways, appliances } = topology
  return {
    /** Reserves for purchases, in dollars. */
    reserves,
    /** Dollars earned since the world began, as included in the reserves. */
    earnings: 0,
    /** Average of revenue less cost over the last week, or over the age of a younger world. */
    marginPerHour: 0,
    /** Average of the cost, likewise. */
    costPerHour: 0,
    hoursCounted: 0,
    /** Daily samples of each pool's use in hosts, at a fixed hour, oldest first. */
    poolUse: pools.map((): number[] => []),
    /** Slowly decaying peaks of the last weeks, as shares of capacity. */
    linkPeak: new Float64Array(zoneCapacity * upgradableRoles.length),
    switchPeak: new Float64Array(switches.capacity),
    gatewayPeak: new Float64Array(gateways.capacity),
    appliancePeak: new Float64Array(appliances.capacity),
    /** Peaks of the power draw and the heat of each zone, in kW. */
    zonePeakKw: new Float64Array(zoneCapacity),
    zonePeakHeatKw: new Float64Array(zoneCapacity),
    /** Moving average over days of the work orders that wait for a technician, by skill. */
    waiting: new Map<Skill, number>(),
    purchases: [] as Purchase[],
    sales: [] as Sale[],
    /** Hours without units, by host. */
    emptyHours: new Float64Array(hosts.capacity),
    lastId: 0,
    company: createCompanyState(),
    /** Technicians who left and have no successor yet, oldest first. */
    vacancies: [] as Vacancy[],
    /** Time of the last refusal, by reason and subject. */
    refusedAt: new Map<string, Micros>(),
    /** Size of the fleet at the last addition of an automation slot. */
    automatedHosts: hosts.rows.length,
    /** `sold` counts hosts sold without replacement, and `proceeds` is their revenue. */
    totals: {
      ordered: 0,
      installed: 0,
      renewed: 0,
      hired: 0,
      left: 0,
      refused: 0,
      spent: 0,
      sold: 0,
      proceeds: 0,
    },
  }
}
