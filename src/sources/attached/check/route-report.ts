import type { WorldPart } from '../../../contract/collections.ts'
import type { Difference } from '../../../encoding/record-differences.ts'

/** Fields of a route that are listed; others are counted in `more`. */
const fieldsMax = 1_000

export interface FieldReport extends Difference {
  /** The number of records that differ in this way. */
  readonly count: number
}

export interface RouteReport {
  readonly path: string
  /** The part of the world that it serves; null for one that serves none. */
  readonly part: WorldPart | null
  /** The number of records that were read; null where there are none. */
  readonly records: number | null
  /** The reason why a mirror refuses the response, or does without it; null if it reads it. */
  readonly problem: string | null
  /** Whether the upstream does not have the route, which the specification leaves to it. */
  readonly isAbsent: boolean
  readonly fields: readonly FieldReport[]
  /** The number of fields beyond those listed. */
  readonly more: number
}

/** The differences of records, counted by field. */
export class FieldReports {
  readonly #fields = new Map<string, Difference & { count: number }>()
  #more = 0

  /** Adds those of one record, in which a list may differ many times. */
  addRecord(differences: Iterable<Difference>): void {
    const seen = new Set<string>()
    for (const difference of differences) {
      const key = `${difference.field} ${difference.expected} ${difference.effect} ${isMissing(difference)}`
      if (seen.has(key)) continue
      seen.add(key)
      const known = this.#fields.get(key)
      if (known !== undefined) known.count++
      else if (this.#fields.size < fieldsMax) this.#fields.set(key, { ...difference, count: 1 })
      else this.#more++
    }
  }

  of(report: Partial<RouteReport> & Pick<RouteReport, 'path'>): RouteReport {
    const rest = { part: null, records: null, problem: null, isAbsent: false }
    return { ...rest, ...report, fields: [...this.#fields.values()], more: this.#more }
  }
}

/** A field that a record lacks, or has as null: the specification does not say which may. */
export const isMissing = ({ got }: Difference): boolean => got === 'nothing' || got === 'null'

/** Something that the specification has otherwise. It leaves open which fields are there, and most vocabularies. */
export const isWrong = (difference: Difference): boolean =>
  difference.effect === 'left out' || (difference.effect === 'unknown' && !isMissing(difference))
