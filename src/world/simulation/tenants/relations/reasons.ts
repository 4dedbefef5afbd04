import { slaTerms } from '../../../../contract/sla.ts'
import type { Archetype } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { Account } from '../account.ts'
import type { Grievance } from './grievance-names.ts'
import { worstGrievance } from './grievances.ts'
import { availabilityOf } from '../quality/sla.ts'

/** The heaviest grievance of a customer, as a noun phrase for events. */
export const reasonOf = (account: Account): string => phrases[worstGrievance(account)](account)

const phrases: Readonly<Record<Grievance, (account: Account) => string>> = {
  failures(account) {
    const failed = 1 - availabilityOf(account.period)
    const allowed = 1 - slaTerms[account.tier].availability
    if (failed <= allowed || percent(failed) === percent(allowed)) return 'the outages of the last weeks'
    return `failed requests: ${percent(failed)} in this SLA period, ${percent(allowed)} allowed`
  },
  latency: ({ p99Ms, p99BudgetMs }) =>
    Math.round(p99Ms) > Math.round(p99BudgetMs)
      ? `slow responses: ${Math.round(p99Ms)} ms at p99, ${Math.round(p99BudgetMs)} ms promised`
      : 'the slow responses of the last weeks',
  breach: () => 'the intrusion into its systems',
  redundancy: () => 'missing redundancy that its contract promises',
  capacity: ({ requestedUnits, placedUnits }) =>
    requestedUnits > placedUnits
      ? `missing capacity: ${requestedUnits - placedUnits} of ${requestedUnits} units are not placed`
      : 'capacity that it asked for and did not get',
  requirements: () => 'contract requirements that are not met',
  price: () => 'prices above the market',
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`

/** Why a customer of an archetype needs more or fewer units. */
const sizeReasons: Readonly<Record<Archetype, readonly [more: readonly string[], less: readonly string[]]>> =
  {
    Shop: [
      ['more orders', 'a larger catalog', 'it sells in another country'],
      ['fewer orders', 'it gave up a product line'],
    ],
    Saas: [
      ['more subscribers', 'a large company subscribed', 'a new product'],
      ['canceled subscriptions', 'its code uses less CPU'],
    ],
    GameStudio: [
      ['more players', 'a new season of its game', 'players invite their friends'],
      ['fewer players', 'an old game has lost its players'],
    ],
    Media: [
      ['more viewers', 'a new show', 'videos in higher quality'],
      ['fewer viewers', 'a show has ended'],
    ],
    Bank: [
      ['more accounts', 'a new payment service', 'longer archives'],
      ['fewer transactions', 'it switched off an old system'],
    ],
    Hospital: [
      ['another clinic joined it', 'more images from radiology', 'more patients online'],
      ['a clinic left it', 'it archived old records'],
    ],
    PublicOffice: [
      ['another service went online', 'more applications', 'other offices share its systems'],
      ['fewer applications', 'a service moved to another office'],
    ],
    MlLab: [
      ['larger models', 'more training runs', 'more users of its models'],
      ['training runs have ended', 'smaller models do as well'],
    ],
    Startup: [
      ['fresh funding', 'a new large customer', 'more users'],
      ['a smaller budget', 'it dropped a feature'],
    ],
    Logistics: [
      ['more parcels', 'a new depot', 'it tracks its trucks'],
      ['fewer parcels', 'it closed a depot'],
    ],
    University: [
      ['more students', 'a new research project', 'lectures online'],
      ['a research project has ended', 'fewer students'],
    ],
  }

/** The reason of a change of size without a grievance; another one for the next change. */
export function sizeReason(archetype: Archetype, isGrowth: boolean, turn: number): string {
  const reasons = sizeReasons[archetype][isGrowth ? 0 : 1]
  return reasons[turn % reasons.length]
}

const usualChanges: readonly string[] = [
  'it moves its systems in-house',
  'it merges with a company that has its own data center',
  'its parent company consolidates providers',
]
const closures: Partial<Record<Archetype, string>> = {
  Startup: 'it has run out of money and closes down',
  Shop: 'it closes down its online business',
  GameStudio: 'it shuts down its last game',
  Media: 'it stops publishing',
  MlLab: 'its research program has ended',
}

/** The reason of a customer that leaves without a grievance. */
export function ordinaryReason(random: RandomStream, archetype: Archetype): string {
  const closure = closures[archetype]
  return random.pick(closure === undefined ? usualChanges : [...usualChanges, closure, closure])
}
