/** The result of a row: the median of its rounds, and the interquartile range. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly rounds: number
}

/** A quantile of sorted values, with linear interpolation. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('There is no quantile of no values.')
  const sorted = values.toSorted((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below)
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const estimateOf = (values: readonly number[]): Estimate => ({
  value: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
  rounds: values.length,
})

/** The interquartile range as a share of the median. */
export const spreadOf = ({ value, low, high }: Estimate): number => (high - low) / Math.abs(value)

/** Beyond this spread, other programs on the machine dominate the value. */
const noisySpread = 0.25

export const isNoisy = (estimate: Estimate): boolean => spreadOf(estimate) > noisySpread

/** The cost at one size. */
interface SizedCost {
  readonly size: number
  readonly cost: number
}

/** The exponent of a power law of cost by size: 1 is proportional. Least squares of the logarithms. */
export function growthExponent(costs: readonly SizedCost[]): number {
  if (costs.length < 2) throw new RangeError('An exponent takes at least two sizes.')
  const points = costs.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }))
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)]
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / mean(({ x }) => (x - meanX) ** 2)
}
