import { tiers } from '../src/contract/vocabularies.ts'
import type { Tier } from '../src/contract/vocabularies.ts'
import { slaTerms } from '../src/contract/sla.ts'

const byTier = (read: (tier: Tier) => number): Readonly<Record<Tier, number>> =>
  Object.fromEntries(tiers.map((tier) => [tier, read(tier)])) as Record<Tier, number>

/** Promised availability of each plan, over 30 simulated days. */
export const availabilityPromised = byTier((tier) => slaTerms[tier].availability)

/** Share of the time in which p99 latency may exceed the promise, by plan. */
export const lateShareAllowed = byTier((tier) => slaTerms[tier].lateShareMax)
