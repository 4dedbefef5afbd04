import type { Tenant, Tenants, WorldState } from '../state.ts'
import { stepsPerMinute } from './account.ts'
import { type Books, createBooks } from './books.ts'
import { type Business, createBusiness } from './business.ts'
import { createDemand } from './demand.ts'
import { createFleet } from './fleet.ts'
import { createLifecycles } from './lifecycle.ts'
import { createPlacer } from './placement.ts'
import { settlePopulation } from './population.ts'
import { createProspects, type Prospects } from './prospects.ts'
import { createQuality } from './quality.ts'
import { judgeRequirements } from './requirements.ts'
import { feel } from './satisfaction.ts'
import { createSegments, type Segments } from './segments.ts'
import { countLatency, settle } from './sla.ts'

/** Everything about customers: what they want, where it runs, how well, and what it earns. */
export interface CustomersPart {
  readonly business: Business
  readonly books: Books
  readonly segments: Segments
  readonly prospects: Prospects
  readonly tenants: Tenants
  /** Before attacks and flows: placement, and what hosts are asked to carry. */
  stepDemand(): void
  /** After flows: what users got. */
  stepQuality(): void
  stepMoney(): void
  /** Customers and prospects come and go. */
  stepLifecycle(): void
  goLive(customerId: number): void
}

/**
 * What happens to a customer once a minute happens to each in a step of its own: its id tells which of the six.
 */
export function createCustomers(state: WorldState): CustomersPart {
  const business = createBusiness(state)
  const segments = createSegments()
  const placer = createPlacer(business)
  const fleet = createFleet(business, placer)
  const demand = createDemand(business)
  const quality = createQuality(business)
  const books = createBooks(business)
  settlePopulation(business, segments, placer, fleet)
  const prospects = createProspects(business, placer)
  const lifecycles = createLifecycles(business, segments, placer, fleet, books)
  const hostLists = createHostLists(business)
  const goLive = (customerId: number): void => {
    const account = business.byId.get(customerId)
    if (account !== undefined) lifecycles.goLive(account)
  }
  const tenants = tenantsOf(business, hostLists, goLive)
  hostLists.refresh()
  return {
    business,
    books,
    segments,
    prospects,
    tenants,
    goLive,
    stepDemand() {
      fleet.step()
      const changed = fleet.takeServingChanged()
      if (changed) hostLists.refresh()
      demand.step(changed)
    },
    stepQuality: () => quality.step(),
    stepMoney() {
      const turn = state.tick % stepsPerMinute
      if (state.tick === 0) books.costs.update(state)
      for (const account of business.accounts) {
        if (account.id % stepsPerMinute !== turn) continue
        books.bookAccount(account)
        if (!account.live) continue
        countLatency(account)
        settle(business, books, account)
      }
      if (turn === stepsPerMinute - 1) books.closeMinute()
    },
    stepLifecycle() {
      const turn = state.tick % stepsPerMinute
      for (const account of business.accounts) {
        if (account.id % stepsPerMinute !== turn) continue
        if (account.live) feel(business, account)
        if ((account.id + minuteOf(state.tick)) % 5 === 0) judgeRequirements(business, account)
        lifecycles.stepMinute(account)
        account.minuteTotal = 0
        account.minuteFailed = 0
      }
      if (turn === stepsPerMinute - 1) prospects.stepMinute((prospect) => lifecycles.sign(prospect))
      fleet.recount()
      hostLists.refresh()
    },
  }
}

/** Customers as the other parts see them. */
const tenantsOf = (
  business: Business,
  hostLists: HostLists,
  goLive: (customerId: number) => void,
): Tenants => ({
  get active() {
    return business.accounts
  },
  get byId(): ReadonlyMap<number, Tenant> {
    return business.byId
  },
  get version() {
    return business.version
  },
  onHost: (host) => hostLists.onHost(host),
  goLive,
})

const minuteOf = (tick: number): number => Math.floor(tick / stepsPerMinute)

/** Which hosts carry whom, listed anew for those whose units have changed. */
interface HostLists {
  refresh(): void
  onHost(host: number): readonly number[]
}

function createHostLists(business: Business): HostLists {
  const { units, services } = business
  const known = new Map<number, readonly number[]>()
  let knownAt = -1
  const countOn = new Map<number, number>()

  const list = (account: Tenant & { readonly services: readonly number[] }): void => {
    countOn.clear()
    for (const service of account.services) {
      for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
        countOn.set(units.host[unit], (countOn.get(units.host[unit]) ?? 0) + 1)
      }
    }
    account.hosts = Int32Array.from(countOn.keys()).toSorted()
    account.hostUnits = Int32Array.from(account.hosts, (host) => countOn.get(host) ?? 0)
  }

  return {
    refresh() {
      for (const account of business.accounts) {
        if (!account.unlisted) continue
        account.unlisted = false
        list(account)
      }
    },
    onHost(host) {
      if (knownAt !== business.version) {
        known.clear()
        knownAt = business.version
      }
      const before = known.get(host)
      if (before !== undefined) return before
      const ids: number[] = []
      for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
        const id = services.customer[units.service[unit]]
        if (!ids.includes(id)) ids.push(id)
      }
      ids.sort((a, b) => a - b)
      known.set(host, ids)
      return ids
    },
  }
}
