/** What a row comes down to: the median of its rounds, and between which values half of them lay. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly rounds: number
}

/** The value below which a share of the sorted values lies, between neighbors in proportion. */
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

/** How far apart the quartiles are, as a share of the median. */
export const spreadOf = ({ value, low, high }: Estimate): number => (high - low) / Math.abs(value)

/** Beyond this spread a value says as much about other programs on the machine as about ours. */
const noisySpread = 0.25

export const isNoisy = (estimate: Estimate): boolean => spreadOf(estimate) > noisySpread

/** One measurement of a growing thing. */
interface SizedCost {
  readonly size: number
  readonly cost: number
}

/** The power of the size that the cost grows with: 1 is in proportion. Least squares of the logarithms. */
export function growthExponent(costs: readonly SizedCost[]): number {
  if (costs.length < 2) throw new RangeError('An exponent takes at least two sizes.')
  const points = costs.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }))
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)]
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / mean(({ x }) => (x - meanX) ** 2)
}
