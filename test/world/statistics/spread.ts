/** A sample of a quantity, for its quantiles. */
export class Spread {
  readonly #values: number[] = []
  #isSorted = true

  add(value: number): void {
    this.#values.push(value)
    this.#isSorted = false
  }

  get count(): number {
    return this.#values.length
  }

  /** The quantile for a share from 0, the minimum, to 1, the maximum; NaN for an empty sample. */
  quantile(share: number): number {
    if (!this.#isSorted) this.#values.sort((a, b) => a - b)
    this.#isSorted = true
    return (
      this.#values[Math.min(this.#values.length - 1, Math.floor(share * this.#values.length))] ?? Number.NaN
    )
  }

  static merge(spreads: readonly Spread[]): Spread {
    const merged = new Spread()
    for (const spread of spreads) for (const value of spread.#values) merged.add(value)
    return merged
  }
}
