export type LabelValue = string | number | bigint | boolean | null
export type SampleValue = number | bigint | boolean | null

/** The rows that a publish's samples are read from; `parents[i]` is the record that `items[i]` belongs to. */
export interface RowBatch<R, P> {
  items: readonly R[]
  parents: readonly P[]
}

/** The source of a sample's value: a field times a factor, the sum of a field over a list, or a function. */
export type ValueSource =
  | { readonly kind: 'number' | 'bool' | 'nullable'; readonly field: string; readonly factor: number }
  | { readonly kind: 'sum'; readonly list: string; readonly field: string; readonly factor: number }
  | { readonly kind: 'derived'; readonly value: (row: never, parent: never) => SampleValue }
