import type { Collections, DiagnosticsRecord, EventRecord } from '../../../src/contract/collections.ts'

/** What the JSON API returns of one publish. */
export interface WorldJson {
  readonly collections: Collections
  readonly diagnostics: DiagnosticsRecord
  readonly events: readonly EventRecord[]
}

type Plain = string | number | bigint | boolean | null

/** A sample that a scrape has to hold, with what follows the family's name in its own. */
export interface ExpectedSample {
  readonly suffix?: string
  readonly labels: Readonly<Record<string, Plain>>
  readonly value: number
}

/** What a scrape has to say of a family. Where things are counted by kind, kinds without any may be there too. */
export interface ExpectedFamily {
  readonly zerosBeside: boolean
  readonly samples: (world: WorldJson) => ExpectedSample[]
}

export type ExpectedFamilies = Readonly<Record<string, ExpectedFamily>>

/** How many of the base unit a field's unit is. */
export const gbps = 1e9 / 8
export const kilowatts = 1_000
export const mebibytes = 1_048_576
export const gigabytes = 1e9
export const hours = 3_600
export const milliseconds = 1e-3
export const nanoseconds = 1e-9
export const percent = 1 / 100
export const thousandths = 1 / 1_000

type Named<R> = keyof R & string
type Label<R> = Named<R> | ((row: R) => Plain)
/** A field as it is, a field in its unit, or what is worked out from the record. */
type Value<R> =
  | Named<R>
  | readonly [field: Named<R>, unit: number]
  | ((row: R) => number | bigint | boolean | null)

const labelOf = <R>(row: R, label: Label<R>): Plain =>
  typeof label === 'function' ? label(row) : (row[label] as Plain)

function valueOf<R>(row: R, value: Value<R>): number | null {
  if (typeof value === 'string') return plainNumber(row[value] as Plain)
  if (typeof value === 'function') return plainNumber(value(row))
  const number = plainNumber(row[value[0]] as Plain)
  return number === null ? null : number * value[1]
}

const plainNumber = (value: Plain): number | null => (value === null ? null : Number(value))

/** A sample of every row. A value that is null has none. */
export function each<R>(
  rows: (world: WorldJson) => readonly R[],
  labels: Readonly<Record<string, Label<R>>>,
  values: Readonly<Record<string, Value<R>>>,
): ExpectedFamilies {
  const samplesOf =
    (value: Value<R>) =>
    (world: WorldJson): ExpectedSample[] =>
      rows(world).flatMap((row) => {
        const number = valueOf(row, value)
        if (number === null) return []
        const named = Object.entries(labels).map(([name, label]) => [name, labelOf(row, label)])
        return [{ labels: Object.fromEntries(named), value: number }]
      })
  return Object.fromEntries(
    Object.entries(values).map(([family, value]) => [
      family,
      { zerosBeside: false, samples: samplesOf(value) },
    ]),
  )
}

/** A sample of each state that a row may be in: 1 for the one that it is in. */
export function states<R>(
  family: string,
  rows: (world: WorldJson) => readonly R[],
  labels: Readonly<Record<string, Label<R>>>,
  state: Named<R>,
  known: readonly string[],
): ExpectedFamilies {
  const all = (world: WorldJson) => rows(world).flatMap((row) => known.map((name) => ({ ...row, name })))
  return each(
    all,
    { ...labels, state: 'name' },
    {
      [family]: (row) => row[state] === row.name,
    },
  )
}

/** Sums by what things are. */
export function sums<R>(
  family: string,
  rows: (world: WorldJson) => readonly R[],
  labels: Readonly<Record<string, Label<R>>>,
  amount: (row: R) => number = () => 1,
): ExpectedFamilies {
  const samples = (world: WorldJson): ExpectedSample[] => {
    const found = new Map<string, { labels: Record<string, Plain>; value: number }>()
    for (const row of rows(world)) {
      const named = Object.fromEntries(
        Object.entries(labels).map(([name, label]) => [name, labelOf(row, label)]),
      )
      const key = JSON.stringify(named)
      const sample = found.get(key) ?? { labels: named, value: 0 }
      sample.value += amount(row)
      found.set(key, sample)
    }
    return [...found.values()]
  }
  return { [family]: { zerosBeside: true, samples } }
}

/** What a sum over the ports of a device is. */
export const overPorts =
  (field: 'bytes_ingress_total' | 'bytes_egress_total' | 'error_count' | 'link_flaps') =>
  ({ ports }: { readonly ports: Collections['hosts'][number]['ports'] }): bigint =>
    ports.reduce((sum, port) => sum + BigInt(port[field]), 0n)
