import { stepSeconds } from '../time.ts'
import type { Account } from './account.ts'
import type { ServiceTable } from './service-table.ts'

/**
 * Sums up what was served since it was summed up last, at the rates of that time: before rates change, and before
 * money is booked. `until` is the first tick that is not counted.
 */
export function countServed(services: ServiceTable, account: Account, until: number): void {
  const seconds = (until - account.servedUntil) * stepSeconds
  account.servedUntil = until
  if (seconds <= 0) return
  for (const service of account.services) {
    services.servedRequests[service] += services.servedRps[service] * seconds
    services.servedGbit[service] +=
      (services.carriedInGbps[service] + services.carriedOutGbps[service]) * seconds
  }
}
