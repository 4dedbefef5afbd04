import { thresholds } from '../../../../src/contract/thresholds.ts'
import { ofRecords } from '../claim.ts'
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
  DcsimCustomerLosesMoney: ofRecords('customer', 'customers', ({ margin_dollars: margin }) => margin < 0),
  DcsimProspectExpiresSoon: ofRecords(
    'prospect',
    'prospects',
    ({ expires_at_ns: expires }, { snapshot }) =>
      BigInt(expires) - snapshot.simTimeNs < BigInt(thresholds.prospectExpiresHours) * hourNs,
  ),
})
