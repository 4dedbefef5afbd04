import { dayOfYear } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import { beginChapter, monthlyCost } from './company.ts'
import { committedDollars } from './projects.ts'

/** Dividends, capital and owners of the company. */

/** Owners leave this many months of cost in reserve, beyond what projects need. */
const keptMonths = 2.5
/** Smaller dividends are not taken. */
const dividendMonthsMin = 0.5
/** First days of quarters, and of the business year, by day of the year. */
const quarters = [1, 91, 182, 274] as const
const yearBegins = 1

const capitalMonths = 2
const purchaseMonths = 4
/** Share of a new owner's money that is to be invested. */
const investedShare = 0.5
/** Owners who put money in this often sell the company the next time. */
const capitalAddedMax = 2

const investors =
  'Harrow Lane Partners, Oakmoor Capital, Sallow & Reed Holdings, Northgate Infrastructure Fund, Tern Rock Ventures, The Brightwater Pension Trust, Copperfield Equity, The Lantern Family Office'.split(
    ', ',
  )

/** Once a day: dividends at the beginning of a quarter, and the results of a business year. */
export function reviewOwnership(context: OperatorContext): void {
  const ofYear = dayOfYear(context.world.now)
  if (ofYear === yearBegins) closeYear(context)
  if (quarters.some((first) => first === ofYear)) payDividend(context)
}

export function payDividend(context: OperatorContext): void {
  const { state } = context
  const cost = monthlyCost(state)
  const surplus = state.reserves - keptMonths * cost - committedDollars(context)
  if (surplus < dividendMonthsMin * cost || state.marginPerHour <= 0 || state.company.loan !== null) return
  const dollars = Math.floor(surplus / 1_000) * 1_000
  state.reserves -= dollars
  const { owner } = state.company
  beginChapter(context, 'event.dividend-paid', { owner, dollars, reserves: Math.round(state.reserves) })
}

function closeYear(context: OperatorContext): void {
  const { world, state } = context
  const { yearBegan } = state.company
  const revenue = Math.round(world.money.revenue - yearBegan.revenue)
  const earnings = Math.round(state.earnings - yearBegan.earnings)
  Object.assign(yearBegan, { revenue: world.money.revenue, earnings: state.earnings })
  const customers = world.tenants.active.length
  const hosts = world.topology.hosts.rows.length
  beginChapter(context, 'event.year-closed', { revenue, earnings, customers, hosts })
}

/** The owners pay for what the company needs; those who did so too often sell it. */
export function addCapital(context: OperatorContext, days: number): void {
  const { state } = context
  const { company } = state
  if (company.capitalAdded >= capitalAddedMax) {
    sellCompany(context)
    return
  }
  company.capitalAdded++
  const dollars = Math.round((capitalMonths * monthlyCost(state)) / 1_000) * 1_000
  state.reserves += dollars
  company.programDollars += dollars
  beginChapter(
    context,
    'event.capital-added',
    { owner: company.owner, dollars, days },
    { severity: 'Warning' },
  )
}

/** A new owner takes over, pays the debts, and invests. */
export function sellCompany(context: OperatorContext): boolean {
  const { state, chance } = context
  const { company } = state
  const before = company.owner
  const owner = chance.pick(investors.filter((name) => name !== before))
  const dollars = Math.round((purchaseMonths * monthlyCost(state)) / 1_000) * 1_000
  const program = Math.round((dollars * investedShare) / 1_000) * 1_000
  state.reserves = Math.max(0, state.reserves) + dollars
  Object.assign(company, { owner, loan: null, capitalAdded: 0, programDollars: program, blockedSince: null })
  const args = { owner, before: before.replace(/^The /, 'the '), dollars, program }
  beginChapter(context, 'event.company-sold', args, { severity: 'Warning' })
  return true
}
