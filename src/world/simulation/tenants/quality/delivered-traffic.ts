import { stepSeconds } from '../../time.ts'
import type { Account } from '../account.ts'
import type { ServiceTable } from '../service-table.ts'

/**
 * Accumulates served requests and traffic at the current rates before tick `until`. Runs before rates change and
 * before money is booked.
 */
export function accumulateServed(services: ServiceTable, account: Account, until: number): void {
  const seconds = (until - account.servedUntil) * stepSeconds
  account.servedUntil = until
  if (seconds <= 0) return
  for (const service of account.services) {
    services.servedRequests[service] += services.servedRps[service] * seconds
    services.servedGbit[service] +=
      (services.carriedInGbps[service] + services.carriedOutGbps[service]) * seconds
  }
}
