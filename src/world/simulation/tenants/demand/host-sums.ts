/**
 * Demand on hosts while that of all customers is added up: the sums of a host lie side by side in a cache line, since
 * each unit adds to all of its host.
 */
export const sum = { inGbps: 0, outGbps: 1, eastWestGbps: 2, cpuMilli: 3, iops: 4 } as const

/** A cache line of numbers. */
export const sumCount = 8

let sums = new Float64Array(0)

/** Sums of zero. They are those of one world until the next call. */
export function clearedSums(hosts: number): Float64Array {
  if (sums.length < hosts * sumCount) sums = new Float64Array(hosts * sumCount)
  else sums.fill(0, 0, hosts * sumCount)
  return sums
}
