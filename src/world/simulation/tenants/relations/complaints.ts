import { slaTerms } from '../../../../contract/sla.ts'
import { day, hour } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { addGrievance, softenGrievance, worstGrievance } from './grievances.ts'
import { reasonOf } from './reasons.ts'

/** Thresholds of a complaint: the satisfaction, and its drop below the usual satisfaction. */
const complaintSatisfactionMax = 0.6
const dropMax = 0.18
const complaintInterval = 10 * day
/** Share of a grievance removed by an answer, and the grievance added by an answer while the trouble lasts. */
const answerShare = 0.2
const emptyPromiseCost = 0.03

/** At a customer's turn: an unhappy customer complains, and gets an answer hours later. */
export function stepComplaints(context: TenantContext, account: Account): void {
  const { world } = context
  if (account.answerDue !== null && world.now >= account.answerDue) answerComplaint(context, account)
  const isUnhappy = account.satisfaction < complaintSatisfactionMax
  const isDisappointed = account.usualSatisfaction - account.satisfaction > dropMax
  if (!isUnhappy && !isDisappointed) return
  if (account.answerDue !== null || world.now - account.lastComplaint < complaintInterval) return
  account.lastComplaint = world.now
  account.usualSatisfaction = account.satisfaction
  account.answerDue = world.now + answerTime(context)
  world.events.emit(
    world.now,
    'CustomerComplained',
    'Warning',
    entityOf(account),
    'event.customer-complained',
    { customer: account.name, about: reasonOf(account) },
  )
}

/** The response time grows with the number of waiting customers. */
function answerTime({ world, state }: TenantContext): number {
  const waiting = state.accounts.filter((account) => account.answerDue !== null).length
  const random = world.random.stream('customers.relations')
  return Math.floor(random.uniform(2, 10) * (1 + waiting / 4) * hour)
}

function answerComplaint({ world }: TenantContext, account: Account): void {
  account.answerDue = null
  const cause = worstGrievance(account)
  if (troubleLasts(account)) {
    addGrievance(account, cause, emptyPromiseCost)
    return
  }
  softenGrievance(account, cause, answerShare)
  world.events.emit(world.now, 'ComplaintAnswered', 'Info', entityOf(account), 'event.complaint-answered', {
    customer: account.name,
  })
}

function troubleLasts(account: Account): boolean {
  const allowed = 1 - slaTerms[account.tier].availability
  return (
    account.breached ||
    account.failing > allowed ||
    account.p99Ms > account.p99BudgetMs ||
    account.placedUnits < account.requestedUnits
  )
}

const entityOf = (account: Account) => ({ kind: 'Customer', id: account.id }) as const
