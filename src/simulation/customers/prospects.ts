import { hour, type Micros } from '../time.ts'
import type { Contract } from './account.ts'
import type { Business } from './business.ts'
import { type Fit, tryFit } from './fit.ts'
import type { Placer } from './placement.ts'
import { plans, unitMonthDollars } from './prices.ts'

/** Prospects a day for each host, and how many wait at most. */
const perHostDay = 0.025
const waitingMax = 200
/** The bot that runs the place signs nobody beyond so much of what may be promised. */
const signBelowPct = 70
const fitsPerMinute = 4

/** Somebody who asks what we have. */
export interface Prospect {
  readonly id: number
  readonly contract: Contract
  readonly arrived: Micros
  readonly expires: Micros
  /** When somebody of ours has time to look at it. */
  decides: Micros
  readonly bonusDollars: number
  readonly monthlyDollars: number
  fit: Fit
  fitAt: Micros
}

export interface Prospects {
  /** Ascending by id. */
  list: Prospect[]
  /** Once a minute: some arrive, some go elsewhere, some sign. Those that sign are given to `sign`. */
  stepMinute(sign: (prospect: Prospect) => unknown): void
}

export function createProspects(business: Business, placer: Placer): Prospects {
  const { state } = business
  const arrivals = state.random.stream('customers.arrivals')
  const drafts = state.random.stream('customers.prospects')
  const meanHours = 24 / (perHostDay * state.plant.hosts.count)
  let lastId = 0
  let next = state.now + gap()

  function gap(): Micros {
    return Math.max(1, Math.round(arrivals.exponential(meanHours) * 3_600)) * 1_000_000
  }

  const arrive = (): Prospect => {
    const contract = business.desk.draft(drafts)
    const patience = drafts.uniform(10, 60)
    const thinking = drafts.uniform(1, 7)
    const monthly = monthlyDollars(contract)
    const plan = plans[contract.tier]
    return {
      id: ++lastId,
      contract,
      arrived: state.now,
      expires: state.now + Math.floor(patience * hour),
      decides: state.now + Math.floor(thinking * hour),
      bonusDollars: Math.round(monthly * plan.signupBonus),
      monthlyDollars: monthly,
      fit: tryFit(business, placer, contract),
      fitAt: state.now,
    }
  }

  const prospects: Prospects = {
    list: [],
    stepMinute(sign) {
      while (next <= state.now) {
        next += gap()
        if (prospects.list.length >= waitingMax) continue
        const prospect = arrive()
        prospects.list = [...prospects.list, prospect]
        announceArrival(business, prospect)
      }
      if (prospects.list.length === 0) return
      refreshFits(business, placer, prospects.list)
      const gone = new Set<Prospect>()
      for (const prospect of prospects.list) {
        if (prospect.decides <= state.now && prospect.fitAt === state.now) {
          // Others may have signed in this very minute.
          if (wanted(prospect.fit)) prospect.fit = tryFit(business, placer, prospect.contract)
          if (wanted(prospect.fit)) {
            sign(prospect)
            gone.add(prospect)
          } else {
            prospect.decides = state.now + 4 * hour
          }
        } else if (prospect.expires <= state.now) {
          announceExpiry(business, prospect)
          business.desk.takenNames.delete(prospect.contract.name)
          gone.add(prospect)
        }
      }
      if (gone.size > 0) prospects.list = prospects.list.filter((prospect) => !gone.has(prospect))
    },
  }
  return prospects
}

/** Looks again at how prospects fit: every hour, and when somebody decides. */
function refreshFits(business: Business, placer: Placer, list: readonly Prospect[]): void {
  const { now } = business.state
  let done = 0
  for (const prospect of list) {
    const due = now - prospect.fitAt >= hour || prospect.decides <= now
    if (!due || done >= fitsPerMinute) continue
    prospect.fit = tryFit(business, placer, prospect.contract)
    prospect.fitAt = now
    done++
  }
}

/** What a sensible player would sign: all of it fits, and there is room left for what goes wrong. */
const wanted = (fit: Fit): boolean =>
  fit.recommendation === 'Accept' && fit.vcpuAfterPct <= signBelowPct && fit.memAfterPct <= signBelowPct + 4

function monthlyDollars(contract: Contract): number {
  let dollars = 0
  for (const service of contract.services) {
    dollars += service.count * unitMonthDollars(service, contract.tier, contract.dedicatedHosts)
  }
  return Math.round(dollars)
}

function announceArrival({ state }: Business, { id, contract }: Prospect): void {
  let units = 0
  for (const service of contract.services) units += service.count
  const entity = { kind: 'Prospect', id } as const
  state.events.emit(state.now, 'ProspectArrived', 'Info', entity, 'event.prospect-arrived', {
    prospect: contract.name,
    units,
    tier: contract.tier,
  })
}

function announceExpiry({ state }: Business, { id, contract }: Prospect): void {
  const entity = { kind: 'Prospect', id } as const
  state.events.emit(state.now, 'ProspectExpired', 'Info', entity, 'event.prospect-expired', {
    prospect: contract.name,
  })
}
