/** Values per wall second, as far back as the longest window of a rule. */

const kept = 1801

interface Ring {
  readonly values: Float64Array
  /** The seconds of the first value and of the newest. */
  first: number
  last: number
}

export class SampleWindow {
  readonly #rings = new Map<string, Ring>()

  note(key: string, at: number, value: number): void {
    let ring = this.#rings.get(key)
    if (ring === undefined || ring.last !== at - 1) {
      ring = { values: new Float64Array(kept), first: at, last: at }
      this.#rings.set(key, ring)
    }
    ring.values[at % kept] = value
    ring.last = at
  }

  /** The increase within a number of seconds, or since the first value. */
  gained(key: string, at: number, seconds: number): number {
    const ring = this.#now(key, at)
    if (ring === null) return 0
    return ring.values[at % kept] - ring.values[Math.max(ring.first, at - seconds) % kept]
  }

  least(key: string, at: number, seconds: number): number {
    return Math.min(...this.#within(key, at, seconds))
  }

  most(key: string, at: number, seconds: number): number {
    return Math.max(...this.#within(key, at, seconds))
  }

  /** The time since the first value, at most a number of seconds. */
  known(key: string, at: number, seconds: number): number {
    const ring = this.#now(key, at)
    return ring === null ? 0 : Math.min(seconds, at - ring.first)
  }

  /** The slope per second of a linear regression over every fifth second. */
  slope(key: string, at: number, seconds: number): number {
    const ring = this.#now(key, at)
    if (ring === null) return 0
    let count = 0
    let sumX = 0
    let sumY = 0
    let sumXX = 0
    let sumXY = 0
    for (let x = 0; x <= Math.min(seconds, at - ring.first); x += 5) {
      const y = ring.values[(at - x) % kept]
      count++
      sumX -= x
      sumY += y
      sumXX += x * x
      sumXY -= x * y
    }
    const spread = count * sumXX - sumX * sumX
    return spread === 0 ? 0 : (count * sumXY - sumX * sumY) / spread
  }

  #within(key: string, at: number, seconds: number): number[] {
    const ring = this.#now(key, at)
    if (ring === null) return [Number.NaN]
    const from = Math.max(ring.first, at - seconds)
    return Array.from({ length: at - from + 1 }, (_, index) => ring.values[(from + index) % kept])
  }

  #now(key: string, at: number): Ring | null {
    const ring = this.#rings.get(key)
    return ring === undefined || ring.last !== at ? null : ring
  }
}
