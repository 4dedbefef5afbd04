import type { SegmentTierRule, Tier } from '../../../../contract/vocabularies.ts'
import type { Contract } from '../contract.ts'

/** A routing domain. Customers in the same segment share routes and may share hosts. */
interface SegmentEntry {
  readonly id: number
  readonly vni: number
  readonly name: string
  readonly tierRule: SegmentTierRule
  /** The owner of a private segment; null for the shared segment of a tier. */
  readonly customerId: number | null
}

export interface SegmentsState {
  /** Ascending by id. */
  readonly entries: SegmentEntry[]
  lastId: number
}

const vniBase = 10_000

const sharedSegments: readonly { readonly name: string; readonly rule: SegmentTierRule }[] = [
  { name: 'shared', rule: 'Everyone' },
  { name: 'gold', rule: 'GoldAndUp' },
  { name: 'platinum', rule: 'PlatinumOnly' },
]

const sharedSegmentOf: Readonly<Record<Tier, number>> = { Bronze: 0, Silver: 0, Gold: 1, Platinum: 2 }

export function createSegmentsState(): SegmentsState {
  const entries = sharedSegments.map(({ name, rule }, index) => ({
    id: index + 1,
    vni: vniBase + index + 1,
    name,
    tierRule: rule,
    customerId: null,
  }))
  return { entries, lastId: entries.length }
}

/** The shared segment of the contract's tier; null if the contract requires a private one. */
export const sharedSegment = ({ entries }: SegmentsState, contract: Contract): SegmentEntry | null =>
  contract.privateSegment ? null : entries[sharedSegmentOf[contract.tier]]

/** Assigns a customer to the shared segment of its tier, or creates a private one. */
export function assignSegment(state: SegmentsState, contract: Contract, customerId: number): SegmentEntry {
  const shared = sharedSegment(state, contract)
  if (shared !== null) return shared
  const id = ++state.lastId
  const name = `private ${contract.name}`
  const entry: SegmentEntry = { id, vni: vniBase + id, name, tierRule: 'Explicit', customerId }
  state.entries.push(entry)
  return entry
}

export function removePrivateSegment({ entries }: SegmentsState, customerId: number): void {
  const index = entries.findIndex((entry) => entry.customerId === customerId)
  if (index !== -1) entries.splice(index, 1)
}
