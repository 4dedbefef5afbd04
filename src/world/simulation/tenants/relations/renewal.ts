import { clamp } from '../../numeric.ts'
import { day } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'

/** Contracts are renewed once a year, at the list prices of the day, which customers negotiate down a little. */
const contractTerm = 365 * day
const discount = 0.03
const changeMax = 0.15

/** The change of a customer's prices at a renewal. */
const renewedPrice = (priceLevel: number, listLevel: number): number =>
  clamp((listLevel / priceLevel) * (1 - discount) - 1, -changeMax, changeMax)

/** Renews a contract at the end of its term. */
export function stepRenewal({ world, state: { services, tariff } }: TenantContext, account: Account): void {
  if (world.now - account.priced < contractTerm) return
  const change = renewedPrice(account.priceLevel, tariff.level)
  account.priced = world.now
  account.priceRise = 0
  account.priceLevel = tariff.level
  for (const service of account.services) services.unitMicroPerMinute[service] *= 1 + change
  const percent = Math.round(1_000 * Math.abs(change)) / 10
  const entity = { kind: 'Customer', id: account.id } as const
  const { name: customer } = account
  if (percent === 0)
    world.events.emit(world.now, 'CustomerSigned', 'Info', entity, 'event.customer-renewed-alike', {
      customer,
    })
  else {
    const key = change < 0 ? 'event.customer-renewed' : 'event.customer-renewed-dearer'
    world.events.emit(world.now, 'CustomerSigned', 'Info', entity, key, { customer, percent })
  }
}
