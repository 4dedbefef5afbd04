import type { SegmentTierRule, Tier } from '../../contract/vocabularies.ts'
import type { Contract } from './account.ts'

/** A routing table of its own: customers in it may share hosts and routes. */
export interface SegmentEntry {
  readonly id: number
  readonly vni: number
  readonly name: string
  readonly tierRule: SegmentTierRule
  /** The customer that it belongs to; null where members follow from the tier. */
  readonly customerId: number | null
}

export interface Segments {
  /** Ascending by id. */
  readonly entries: SegmentEntry[]
  /** The segment that takes a customer: one of its own, made for it, or the one of its tier. */
  assign(contract: Contract, customerId: number): SegmentEntry
  /** The segment that would take a prospect now; null where one would have to be made. */
  covering(contract: Contract): SegmentEntry | null
  drop(customerId: number): void
}

const firstVni = 10_000

const shared: readonly { readonly name: string; readonly rule: SegmentTierRule }[] = [
  { name: 'shared', rule: 'Everyone' },
  { name: 'gold', rule: 'GoldAndUp' },
  { name: 'platinum', rule: 'PlatinumOnly' },
]

const sharedOf: Readonly<Record<Tier, number>> = { Bronze: 0, Silver: 0, Gold: 1, Platinum: 2 }

export function createSegments(): Segments {
  const entries: SegmentEntry[] = shared.map(({ name, rule }, index) => ({
    id: index + 1,
    vni: firstVni + index + 1,
    name,
    tierRule: rule,
    customerId: null,
  }))
  let lastId = entries.length
  return {
    entries,
    assign(contract, customerId) {
      if (!contract.privateSegment) return entries[sharedOf[contract.tier]]
      lastId++
      const entry: SegmentEntry = {
        id: lastId,
        vni: firstVni + lastId,
        name: `private ${contract.name}`,
        tierRule: 'Explicit',
        customerId,
      }
      entries.push(entry)
      return entry
    },
    covering: (contract) => (contract.privateSegment ? null : entries[sharedOf[contract.tier]]),
    drop(customerId) {
      const at = entries.findIndex((entry) => entry.customerId === customerId)
      if (at !== -1) entries.splice(at, 1)
    },
  }
}
