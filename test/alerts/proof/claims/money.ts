import { thresholds } from '../../../../src/contract/thresholds.ts'
import { where } from '../claim.ts'
import type { Sight } from '../claim.ts'

const hourNs = 3_600_000_000_000n

const margin = ({ snapshot }: Sight): number =>
  snapshot.collections.customers.reduce((sum, record) => sum + record.margin_dollars, 0)

export const moneyClaims = () => ({
  DcsimCompanyLosesMoney: {
    key: [],
    look: (sight: Sight) => (margin(sight) < 0 ? [['', 2] as const] : []),
    amount: { unit: 'dollars' as const, of: (sight: Sight) => [['', margin(sight)] as const] },
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
  DcsimProspectExpiresSoon: {
    key: ['prospect'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.prospects,
        ({ expires_at_ns: expires }) =>
          BigInt(expires) - snapshot.simTimeNs < BigInt(thresholds.prospectExpiresHours) * hourNs,
        ({ id }) => String(id),
      ),
  },
})
