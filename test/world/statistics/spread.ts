/** A sample of a quantity, for its quantiles. */
export type Spread = readonly number[]

/** The quantiles for shares from 0, the minimum, to 1, the maximum; NaN for an empty sample. */
export function quantiles(spread: Spread, shares: readonly number[]): number[] {
  const sorted = Float64Array.from(spread).toSorted()
  return shares.map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN,
  )
}
