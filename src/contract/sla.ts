import type { Tier } from './vocabularies.ts'

/** What a plan promises its customers in an SLA period. */
interface SlaTerms {
  /** Share of requests that are answered. */
  readonly availability: number
  /** Share of the period in which p99 latency may be over its budget. */
  readonly lateShareMax: number
}

export const slaPeriodDays = 30

/**
 * The terms of each plan. A record names the plan of a customer without its terms, so alerts and dashboards measure the
 * customers of every world by these, which the built-in world sells.
 */
export const slaTerms: Readonly<Record<Tier, SlaTerms>> = {
  Bronze: { availability: 0.99, lateShareMax: 0.05 },
  Silver: { availability: 0.995, lateShareMax: 0.03 },
  Gold: { availability: 0.999, lateShareMax: 0.02 },
  Platinum: { availability: 0.9995, lateShareMax: 0.01 },
}
