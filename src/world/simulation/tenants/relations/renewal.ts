import { day } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'

/** Contracts are renewed once a year, with a price reduction by this share. */
const contractTerm = 365 * day
const priceCut = 0.05

/** Renews a contract at the end of its term: the customer pays less for the same units. */
export function stepRenewal({ world, state: { services } }: TenantContext, account: Account): void {
  if (world.now - account.priced < contractTerm) return
  account.priced = world.now
  for (const service of account.services) services.unitMicroPerMinute[service] *= 1 - priceCut
  const entity = { kind: 'Customer', id: account.id } as const
  world.events.emit(world.now, 'CustomerSigned', 'Info', entity, 'event.customer-renewed', {
    customer: account.name,
    percent: 100 * priceCut,
  })
}
