import { thresholds } from '../../../../alerts/thresholds.ts'
import { type Sight, where } from '../claim.ts'

const hourNs = 3_600_000_000_000n

/** Orders that are not done and wait, by what they wait for. */
function* blocked({ snapshot }: Sight) {
  const waiting = new Map<string, number>()
  for (const { blocking, resolved_at_ns: done } of snapshot.collections.workOrders) {
    if (blocking !== null && done === null) waiting.set(blocking, (waiting.get(blocking) ?? 0) + 1)
  }
  for (const [blocking, orders] of waiting) {
    if (orders >= thresholds.workBlockedOrders) yield [blocking, 2] as const
  }
}

export const moneyClaims = () => ({
  DcsimCompanyLosesMoney: {
    key: [],
    look: ({ snapshot }: Sight) => {
      const margin = snapshot.collections.customers.reduce((sum, record) => sum + record.margin_dollars, 0)
      return margin < 0 ? [['', 2] as const] : []
    },
  },
  DcsimCustomerLosesMoney: {
    key: ['customer'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.customers,
        ({ margin_dollars: margin }) => margin < 0,
        ({ id }) => String(id),
      ),
  },
})

export const workClaims = () => ({
  DcsimWorkBlocked: { key: ['blocking'], look: blocked },
  DcsimWorkOrderStuck: {
    key: ['work_order'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.workOrders,
        ({ started_at_ns: started, resolved_at_ns: done }) =>
          started !== null &&
          done === null &&
          snapshot.simTimeNs - BigInt(started) > BigInt(thresholds.workOrderOldHours) * hourNs,
        ({ id }) => String(id),
      ),
  },
})
