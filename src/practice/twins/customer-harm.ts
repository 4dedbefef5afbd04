import { creditDue } from '../../world/built-in-world.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'

/** Share of failed requests in an interval from which on a customer counts as failing. */
const failingShareMin = 0.01

/** The counts of a customer up to a moment. */
interface CustomerCounts {
  readonly name: string
  readonly tier: string
  readonly requests: number
  readonly failedRequests: number
  readonly revenueDollars: number
  readonly creditsDollars: number
  readonly creditsDueDollars: number
  /** Whether it fails, waits longer than promised, or has units on hosts that cannot serve them. */
  readonly isHurt: boolean
}

/** The customers of a world at one time after another: seconds since the beginning, and counts by id. */
export type HarmLog = { readonly seconds: number; readonly customers: ReadonlyMap<number, CustomerCounts> }[]

export function noteCustomers(log: HarmLog, seconds: number, world: BuiltInWorld): void {
  const before = log.at(-1)?.customers
  const counts = world.accounts().map((account) => {
    const { id, name, tier, totalRequests: requests, failedRequests } = account
    const last = before?.get(id) ?? { requests, failedRequests }
    const isFailing = failedRequests - last.failedRequests > (requests - last.requests) * failingShareMin
    return [
      id,
      {
        name,
        tier,
        requests,
        failedRequests,
        revenueDollars: inCents(account.revenueMicro),
        creditsDollars: inCents(account.creditsMicro),
        creditsDueDollars: creditDue(account, world.now),
        isHurt: isFailing || Math.round(account.p99Ms) > account.p99BudgetMs || account.strandedUnits > 0,
      },
    ] as const
  })
  log.push({ seconds, customers: new Map(counts) })
}

/** Dollars as records have them. */
const inCents = (micro: number): number => Math.round(micro / 10_000) / 100

/** A customer that fares worse, or better, in one of two worlds. */
export interface CustomerDifference {
  readonly id: number
  readonly name: string
  readonly tier: string
  /** The first time at which it is hurt in the changed world alone; null if never. */
  readonly sinceSeconds: number | null
  /** Half-open intervals in which it is hurt in the changed world alone. */
  readonly hurt: readonly (readonly [fromSeconds: number, untilSeconds: number])[]
  readonly hurtSeconds: number
  /** Time in which it is hurt in the baseline alone. */
  readonly sparedSeconds: number
  readonly failedRequests: number
  /** Revenue that the changed world lacks, credits that it pays in addition, and those at the end of the SLA period. */
  readonly revenueLostDollars: number
  readonly creditsDollars: number
  readonly creditsDueDollars: number
  readonly hasLeft: boolean
}

/** The customers whose records differ, the costliest first. */
export function compareCustomers(baseline: HarmLog, changed: HarmLog): CustomerDifference[] {
  const ids = new Set<number>()
  for (const { customers } of [...baseline, ...changed]) for (const id of customers.keys()) ids.add(id)
  return Array.from(ids, (id) => compareCustomer(id, baseline, changed))
    .filter((found) => found !== null)
    .toSorted((a, b) => costOf(b) - costOf(a) || b.hurtSeconds - a.hurtSeconds || a.id - b.id)
}

type Cost = Pick<CustomerDifference, 'revenueLostDollars' | 'creditsDollars' | 'creditsDueDollars'>
export const costOf = (found: Cost): number =>
  found.revenueLostDollars + found.creditsDollars + found.creditsDueDollars

function compareCustomer(id: number, baseline: HarmLog, changed: HarmLog): CustomerDifference | null {
  const hurt: [number, number][] = []
  let sparedSeconds = 0
  for (const [index, { seconds, customers }] of changed.entries()) {
    const from = changed[index - 1]?.seconds ?? seconds
    const isHurt = customers.get(id)?.isHurt ?? false
    const wasHurt = baseline[index].customers.get(id)?.isHurt ?? false
    if (wasHurt && !isHurt) sparedSeconds += seconds - from
    if (!isHurt || wasHurt) continue
    if (hurt.at(-1)?.[1] === from) hurt.at(-1)![1] = seconds
    else hurt.push([from, seconds])
  }
  const [a, b] = [lastOf(baseline, id), lastOf(changed, id)]
  const known = b ?? a!
  const found = {
    id,
    name: known.name,
    tier: known.tier,
    sinceSeconds: hurt[0]?.[0] ?? null,
    hurt,
    hurtSeconds: hurt.reduce((sum, [from, until]) => sum + until - from, 0),
    sparedSeconds,
    failedRequests: (b?.failedRequests ?? 0) - (a?.failedRequests ?? 0),
    revenueLostDollars: (a?.revenueDollars ?? 0) - (b?.revenueDollars ?? 0),
    creditsDollars: (b?.creditsDollars ?? 0) - (a?.creditsDollars ?? 0),
    creditsDueDollars: (b?.creditsDueDollars ?? 0) - (a?.creditsDueDollars ?? 0),
    hasLeft: baseline.at(-1)!.customers.has(id) && !changed.at(-1)!.customers.has(id),
  }
  const isSame =
    found.hurtSeconds + sparedSeconds === 0 &&
    found.failedRequests === 0 &&
    costOf(found) === 0 &&
    !found.hasLeft
  return isSame ? null : found
}

const lastOf = (log: HarmLog, id: number): CustomerCounts | undefined =>
  log.findLast(({ customers }) => customers.has(id))?.customers.get(id)
