import { thresholds } from '../../src/contract/thresholds.ts'
import { fallingSteps, risingSteps } from './look.ts'
import { displayThresholds } from '../../src/contract/thresholds.ts'

/** The values at which panels turn orange and red: those of the alert rules. */

export const cpuSteps = risingSteps(thresholds.cpuUsedHigh, thresholds.cpuUsedFull)
export const memorySteps = risingSteps(thresholds.memoryAllocatedHigh, 1)
export const diskSteps = risingSteps(thresholds.diskAllocatedHigh, 1)
export const gpuSteps = risingSteps(thresholds.gpuAllocatedHigh, 1)
export const hostsOnlineSteps = fallingSteps(1, thresholds.hostsOnlineShareLow)
export const conditionSteps = fallingSteps(2 * thresholds.conditionPoor, thresholds.conditionPoor)
export const conditionPercentSteps = fallingSteps(
  200 * thresholds.conditionPoor,
  100 * thresholds.conditionPoor,
)
export const failedRequestsSteps = risingSteps(
  displayThresholds.failedRequestsSome,
  displayThresholds.failedRequestsHigh,
)
export const latencySteps = risingSteps(displayThresholds.latencyOfPromiseHigh, 1)
export const linkSteps = risingSteps(thresholds.linkLoadHigh, thresholds.linkLoadFull)
export const satisfactionSteps = fallingSteps(thresholds.satisfactionUneasy, thresholds.satisfactionLeaving)
export const allowanceSteps = risingSteps(thresholds.lateShareOfAllowance, 1)
export const marginSteps = fallingSteps(displayThresholds.marginLow, 0)
export const profitSteps = fallingSteps(0)
export const ageSteps = risingSteps(5, thresholds.snapshotStaleSeconds)

/** The same for values in percent, as in tables of the mirror. */
export const percentSteps = (high: number, full = 1) => risingSteps(100 * high, 100 * full)
