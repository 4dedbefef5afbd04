import type { Snapshot } from '../../../../src/contract/collections.ts'
import type { Truth } from '../../../../src/world/simulation/truth/truth.ts'

/** The state of an incident from a second of the run on, as far as messages contain it. */
export type IncidentState = readonly [at: number, band: string, customers: number, dollarsAnHour: number]

/** Facts against which messages are checked, besides the claims of alerts. */
export interface Facts {
  /** Names of all entities in the world. */
  readonly names: readonly string[]
  readonly incidents: Readonly<Record<string, readonly IncidentState[]>>
  /** The second at which each incident opened; negative before the run. */
  readonly incidentsSince: Readonly<Record<string, number>>
  /** The last second at which it was open. */
  readonly incidentsUntil: Readonly<Record<string, number>>
  readonly faults: readonly FaultSpan[]
}

/** The span of a fault in wall seconds of the run, and the incident that it caused. */
interface FaultSpan {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly incident: string | null
}

const nameFields = ['name', 'display_name', 'display_name_plain'] as const

/** Customers join and leave, so names are collected again at this interval. */
const namesEvery = 60

/** Records facts during a run. */
export class FactNotes {
  readonly #names = new Set<string>()
  readonly #incidents = new Map<string, IncidentState[]>()
  readonly #since = new Map<string, number>()
  readonly #until = new Map<string, number>()
  readonly #faults = new Map<number, FaultSpan>()

  note(at: number, { collections, simTimeNs }: Snapshot, faults: readonly Truth[]): void {
    if (at % namesEvery === 0) {
      for (const records of Object.values(collections) as unknown as readonly Record<string, unknown>[][]) {
        if (!Array.isArray(records)) continue
        for (const record of records) this.#noteNames(record)
      }
    }
    for (const { faultId: id, incidentId } of faults) {
      const incident = incidentId === null ? null : String(incidentId)
      this.#faults.set(id, { id, from: this.#faults.get(id)?.from ?? at, to: at, incident })
    }
    for (const incident of collections.incidents) {
      const state: IncidentState = [
        at,
        incident.band,
        incident.affected_customer_ids.length,
        incident.revenue_at_risk_per_hour_dollars,
      ]
      const id = String(incident.id)
      this.#since.set(id, at - Number((simTimeNs - BigInt(incident.started_at_ns)) / 1_000_000n) / 60_000)
      this.#until.set(id, at)
      let states = this.#incidents.get(id)
      if (states === undefined) this.#incidents.set(id, (states = []))
      if (states.at(-1)?.slice(1).join() !== state.slice(1).join()) states.push(state)
    }
  }

  /** Names in a record and its nested records, such as the racks and cooling units of a zone. */
  #noteNames(record: Record<string, unknown>): void {
    for (const field of nameFields) {
      const name = record[field]
      if (typeof name === 'string' && name !== '') this.#names.add(name)
    }
    for (const part of Object.values(record)) {
      if (!Array.isArray(part)) continue
      for (const one of part) {
        if (typeof one === 'object' && one !== null) this.#noteNames(one as Record<string, unknown>)
      }
    }
  }

  get facts(): Facts {
    return {
      names: [...this.#names],
      incidents: Object.fromEntries(this.#incidents),
      incidentsSince: Object.fromEntries(this.#since),
      incidentsUntil: Object.fromEntries(this.#until),
      faults: [...this.#faults.values()],
    }
  }
}

/** The states of an incident within an interval of seconds. */
export function statesWithin(
  states: readonly IncidentState[] | undefined,
  from: number,
  to: number,
): IncidentState[] {
  return (states ?? []).filter(([at], index) => at <= to && (states![index + 1]?.[0] ?? Infinity) >= from)
}
