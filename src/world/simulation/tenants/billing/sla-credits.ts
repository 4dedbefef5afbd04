import { slaTerms } from '../../../../contract/sla.ts'
import { turnsPerHour } from '../../schedule.ts'
import { day, hour } from '../../time.ts'
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
    pay(context, accounting, account, dollars, `an outage of over ${plan.outageMinutes} minutes`)
  }
  const { period } = account
  if (world.now + hour / turnsPerHour < period.ends) return
  const share = creditShare(account)
  if (share > 0) {
    const reached = (availabilityOf(period) * 100).toFixed(2)
    pay(
      context,
      accounting,
      account,
      (period.revenueMicro / 1e6) * share,
      `a period at ${reached} % availability`,
    )
  }
  account.period = createSlaPeriod(period.ends, period.ends + slaPeriod)
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
