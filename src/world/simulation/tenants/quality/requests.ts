import { stepSeconds } from '../../time.ts'
import type { Account } from '../account.ts'

/** Share of failed requests above which a customer is down. */
const outageFailing = 0.5
/** Requests, and the share of failures, are counted in whole parts, whose sums are exact however often they are taken. */
const requestParts = 2 ** 10
const failureParts = 2 ** 20

/**
 * Counts requests at the current rates before tick `until`. Runs before rates change, at the turn of a customer, and
 * before counters are read.
 */
export function countRequests(account: Account, until: number): void {
  const steps = until - account.countedUntil
  account.countedUntil = until
  if (steps <= 0) return
  const requests =
    account.requestCarry + Math.round(account.requestsPerSecond * stepSeconds * requestParts) * steps
  const total = Math.floor(requests / requestParts)
  account.requestCarry = requests - total * requestParts
  const failures = account.failureCarry + total * Math.round(account.failing * failureParts)
  const failed = Math.floor(failures / failureParts)
  account.failureCarry = failures - failed * failureParts
  account.totalRequests += total
  account.failedRequests += failed
  account.turnTotal += total
  account.turnFailed += failed
  const { period } = account
  period.total += total
  period.failed += failed
  if (account.p99Ms > account.p99BudgetMs) period.secondsOverLatency += steps * stepSeconds
  account.outageSeconds = account.failing > outageFailing ? account.outageSeconds + steps * stepSeconds : 0
}
