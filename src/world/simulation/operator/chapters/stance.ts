import { day } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import type { OperatorState } from '../model.ts'
import { emptyHostsOf, planSale } from '../plans/surplus.ts'
import type { Loan, Stance } from './company.ts'
import { beginChapter, continueChapter, daysCovered, monthlyCost, monthsCovered } from './company.ts'
import { addCapital, sellCompany } from './owners.ts'

/** The stance of the company, and its measures against a lack of money. */

/** Months of cost in reserve at which a stance begins and ends. */
const troubleBelow = 0.1
const troubleUntil = 0.5
/** One that saves continues until it earns, or has money for half a year. */
const carefulBelow = 1
const carefulUntil = 6
/** Share of the cost that a margin differs from zero to begin or to end saving. */
const marginBand = 0.03
const hoardingFrom = 4
const hoardingUntil = 3

const measureInterval = 7 * day
/** Time without any order that could be paid. */
const blockedMax = 14 * day
/** The margin is an average over a week. */
const firstReview = 7 * day

/** Months of cost that stay in reserve when the owners approve investments beyond the margin. */
const investableMonths = 0.7
const programMonthsOfCost = 1

const loanMonthsOfCost = 2
const loanMonths = 36
/** A loan is paid off early when reserves for this many months of cost remain. */
const monthsAfterPayOff = 2.5
/** The sum of the payments, relative to the loan. */
const loanFactor = 1.15
const lenders = ['Fallow Street Bank', 'Credit Union of Marrow', 'Tamsin & Hale Bank', 'Stonebridge Savings']

const priceRise = 0.08

/** The stance that follows from the reserves in months of cost, and from the margin as a share of cost. */
export function stanceOf(before: Stance, months: number, margin: number): Stance {
  if (months < (before === 'InTrouble' ? troubleUntil : troubleBelow)) return 'InTrouble'
  const wasSaving = before === 'Careful' || before === 'InTrouble'
  const isLosing = margin < (wasSaving ? marginBand : -marginBand)
  if (isLosing && months < (wasSaving ? carefulUntil : carefulBelow)) return 'Careful'
  return months > (before === 'Hoarding' ? hoardingUntil : hoardingFrom) ? 'Hoarding' : 'Investing'
}

/** Whether only what is worn out is replaced, and no technician is hired. */
export const isSaving = ({ company: { stance } }: Pick<OperatorState, 'company'>): boolean =>
  stance === 'Careful' || stance === 'InTrouble'

/** Once a day: reviews the ledger, and takes the next measure against a lack of money. */
export function reviewLedger(context: OperatorContext): void {
  const { world, state } = context
  const { company } = state
  payLoan(context)
  if (world.now < firstReview) return
  const stance = stanceOf(company.stance, monthsCovered(state), state.marginPerHour / state.costPerHour)
  if (stance !== company.stance) changeStance(context, stance)
  if (stance === 'InTrouble' && world.now - company.measuredAt >= measureInterval) takeMeasure(context)
  const { blockedSince } = company
  if (blockedSince === null || world.now - blockedSince < blockedMax) return
  company.blockedSince = null
  const days = Math.round((world.now - blockedSince) / day)
  if (monthsCovered(state) > investableMonths) approveProgram(context, days)
  else if (company.loan === null && state.marginPerHour > 0) {
    borrow(context, `it could not pay for what it needs for ${days} days`)
    company.programDollars += loanMonthsOfCost * monthlyCost(state)
  } else addCapital(context, days)
}

function changeStance(context: OperatorContext, stance: Stance): void {
  const { world, state } = context
  const { company } = state
  const wasSaving = isSaving(state)
  const since = company.stanceSince
  company.stance = stance
  if (stance === 'Careful' && !wasSaving)
    beginChapter(context, 'event.spending-cut', lossOf(state), { severity: 'Warning' })
  if (isSaving(state) !== wasSaving) company.stanceSince = world.now
  if (isSaving(state) || !wasSaving) return
  company.measures = 0
  const days = Math.max(1, Math.round((world.now - since) / day))
  continueChapter(context, 'event.company-recovered', { days, reserve: daysCovered(state) })
}

const lossOf = ({ marginPerHour }: OperatorState) => ({ dollars: Math.max(0, Math.round(-marginPerHour)) })

/** In order; the last one ends the trouble. */
const measures: readonly ((context: OperatorContext) => boolean)[] = [
  (context) =>
    context.state.company.loan === null &&
    borrow(context, `its reserves cover ${daysCovered(context.state)} days of cost`),
  raisePrices,
  closePool,
  sellCompany,
]

/** Takes the next measure that is possible. */
function takeMeasure(context: OperatorContext): void {
  const { company } = context.state
  company.measuredAt = context.world.now
  while (company.measures < measures.length) {
    if (measures[company.measures++](context)) return
  }
  company.measures = 0
}

/** The reserves are there, but the margin does not carry the installments. */
function approveProgram(context: OperatorContext, days: number): void {
  const { state } = context
  const dollars = Math.round((programMonthsOfCost * monthlyCost(state)) / 1_000) * 1_000
  state.company.programDollars += dollars
  beginChapter(context, 'event.program-approved', { owner: state.company.owner, dollars, days })
}

function borrow(context: OperatorContext, reason: string): boolean {
  const { world, state, chance } = context
  const dollars = Math.round((loanMonthsOfCost * monthlyCost(state)) / 1_000) * 1_000
  const lender = chance.pick(lenders)
  const monthlyDollars = (dollars * loanFactor) / loanMonths
  state.reserves += dollars
  const loan: Loan = { lender, monthlyDollars, monthsLeft: loanMonths, nextPayment: world.now + 30 * day }
  state.company.loan = loan
  beginChapter(context, 'event.loan-taken', { lender, dollars, months: loanMonths, reason })
  return true
}

function payLoan(context: OperatorContext): void {
  const { world, state } = context
  const { loan } = state.company
  if (loan === null) return
  const rest = loan.monthsLeft * loan.monthlyDollars
  if (monthsCovered({ ...state, reserves: state.reserves - rest }) >= monthsAfterPayOff) loan.monthsLeft = 0
  else if (world.now < loan.nextPayment) return
  else loan.monthsLeft--
  state.reserves -= loan.monthsLeft === 0 ? rest : loan.monthlyDollars
  loan.nextPayment += 30 * day
  if (loan.monthsLeft > 0) return
  state.company.loan = null
  continueChapter(context, 'event.loan-repaid', { lender: loan.lender })
}

function raisePrices(context: OperatorContext): boolean {
  context.tariff.raiseAll(priceRise)
  const args = { percent: 100 * priceRise, days: daysCovered(context.state) }
  beginChapter(context, 'event.prices-raised', args, { severity: 'Warning' })
  return true
}

/** Sells the empty hosts of the pool with the most of them, so that no customer has to move. */
function closePool(context: OperatorContext): boolean {
  const { topology } = context.world
  const empty = topology.pools.map((_, pool) => emptyHostsOf(context, pool))
  const pool = empty.reduce((best, hosts, row) => (hosts.length > empty[best].length ? row : best), 0)
  const hosts = empty[pool]
  if (hosts.length === 0) return false
  for (const [zone] of topology.zones.entries()) {
    const inZone = hosts.filter((host) => topology.hosts.zone[host] === zone)
    if (inZone.length > 0) planSale(context, pool, zone, inZone, 'empty, and the company needs the money')
  }
  const args = { pool: topology.pools[pool].name, hosts: hosts.length }
  beginChapter(context, 'event.pool-closed', args, { severity: 'Warning' })
  return true
}
