import type { Tier } from './vocabularies.ts'

/** The promises of a plan for one SLA period. */
interface SlaTerms {
  /** Share of requests that succeed. */
  readonly availability: number
  /** Share of the period in which p99 latency may exceed its budget. */
  readonly lateShareMax: number
}

export const slaPeriodDays = 30

/**
 * The terms of each plan. A record names a customer's plan without its terms, so alerts and dashboards apply these,
 * which are the built-in world's, to the customers of every world.
 */
export const slaTerms: Readonly<Record<Tier, SlaTerms>> = {
  Bronze: { availability: 0.99, lateShareMax: 0.05 },
  Silver: { availability: 0.995, lateShareMax: 0.03 },
  Gold: { availability: 0.999, lateShareMax: 0.02 },
  Platinum: { availability: 0.9995, lateShareMax: 0.01 },
}
