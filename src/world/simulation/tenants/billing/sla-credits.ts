import { spanInWords } from '../../../../contract/messages/catalog.ts'
import { slaTerms } from '../../../../contract/sla.ts'
import { turnsPerHour } from '../../schedule.ts'
import { day, hour } from '../../time.ts'
import type { Micros } from '../../time.ts'
import type { Account } from '../account.ts'
import { createSlaPeriod, slaPeriod } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { pricePlans } from '../prices.ts'
import { softenGrievance } from '../relations/grievances.ts'
import { availabilityOf } from '../quality/sla.ts'
import type { Accounting } from './accounting.ts'

/** Smaller credits are not announced. */
const creditMin = 0.01
/** Share of a customer's grievance removed by a credit. */
const creditSofteningShare = 0.25

/** At a customer's turn: credits long outages immediately, and missed SLAs at the end of the period. */
export function settleSlaCredits(context: TenantContext, accounting: Accounting, account: Account): void {
  const { world } = context
  const plan = pricePlans[account.tier]
  const outage = account.outageSeconds >= plan.outageMinutes * 60
  if (outage && world.now - account.lastOutageCredit >= day) {
    account.lastOutageCredit = world.now
    const dollars = account.revenuePerHour * 24 * plan.outageShare
    pay(context, accounting, account, dollars, `an outage of over ${spanInWords(60 * plan.outageMinutes)}`)
  }
  const { period } = account
  if (world.now + hour / turnsPerHour < period.ends) return
  const share = creditShare(account)
  if (share > 0) pay(context, accounting, account, (period.revenueMicro / 1e6) * share, missedText(account))
  account.period = createSlaPeriod(period.ends, period.ends + slaPeriod)
}

/** Rounded down, so that an availability that is credited reads as less than the promise. */
function missedText({ period, tier }: Account): string {
  const { availability } = slaTerms[tier]
  return availabilityOf(period) < availability
    ? `a period at ${Math.floor(availabilityOf(period) * 1e5) / 1e3} % availability, below the promised ${availability * 100} %`
    : 'a period with p99 latency over its budget for too long'
}

/** Credit at the end of the period if nothing more is missed until then, at the requests and revenue so far. */
export function creditDue({ period, tier }: Account, now: Micros): number {
  const passed = (now - period.began) / (period.ends - period.began)
  if (passed <= 0) return 0
  const share = creditShare({ tier, period: { ...period, total: period.total / passed } })
  return (period.revenueMicro / 1e6 / passed) * share
}

/** Credited share of a period's revenue. */
export function creditShare({ period, tier }: Pick<Account, 'period' | 'tier'>): number {
  const { availability, lateShareMax } = slaTerms[tier]
  const shortfall = availability - availabilityOf(period)
  const byAvailability = shortfall <= 0 ? 0 : shortfall < 0.005 ? 0.1 : shortfall < 0.03 ? 0.25 : 0.5
  const elapsedSeconds = (period.ends - period.began) / 1_000_000
  const isSlow = period.secondsOverLatency > lateShareMax * elapsedSeconds
  return byAvailability + (isSlow ? 0.05 : 0)
}

function pay(
  context: TenantContext,
  accounting: Accounting,
  account: Account,
  dollars: number,
  reason: string,
): void {
  const { world } = context
  // Credits are limited to the customer's payments.
  const refundable = (account.revenueMicro - account.creditsMicro) / 1e6
  const paid = accounting.credit(account, Math.min(dollars, refundable))
  if (paid < creditMin) return
  softenGrievance(account, 'failures', creditSofteningShare)
  softenGrievance(account, 'latency', creditSofteningShare)
  const entity = { kind: 'Customer', id: account.id } as const
  world.events.emit(world.now, 'SlaCredited', 'Warning', entity, 'event.sla-credited', {
    customer: account.name,
    dollars: Math.round(paid * 100) / 100,
    reason,
  })
}
