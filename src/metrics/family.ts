import type { Snapshot } from '../contract/collections.ts'
import type { Field, Fields, RecordOf, RecordType, ValueOf } from '../contract/fields.ts'
import { baseUnits, conversions } from './base-units.ts'
import type { BaseUnit } from './base-units.ts'
import type { CollectorName } from './collectors.ts'
import type { FamilyDeclaration } from './service-families.ts'

export type LabelValue = string | number | bigint | boolean | null

/** What the samples of one publish are made from: item i, and the record that it belongs to. */
export interface Rows<R, P> {
  items: readonly R[]
  parents: readonly P[]
}

/**
 * A list of things that the samples of several families are about, one sample each, with the labels that those
 * samples share. The text of the labels is made once for all of the families.
 */
export interface Subject<R = unknown, P = unknown, L extends string = string> {
  readonly collector: CollectorName
  readonly labels: readonly L[]
  rows(snapshot: Snapshot): Rows<R, P>
  /** How the value of each label is read. */
  readonly readers: readonly ((row: R, parent: P) => LabelValue)[]
  /** What follows the family's name in a sample's own name. */
  suffix?(row: R): string
}

/** A declared family: what is said about it, and where its values come from. */
export interface Family<L extends string = string> extends FamilyDeclaration<L> {
  readonly collector: CollectorName
  readonly unit: BaseUnit
  readonly subject: Subject<never, never, L>
  readonly decimals: number
  readonly source: ValueSource
}

/** Where a value comes from: a field times a factor, the sum of a field over a list of records, or a function. */
export type ValueSource =
  | { readonly kind: 'number' | 'bool' | 'nullable'; readonly field: string; readonly factor: number }
  | { readonly kind: 'sum'; readonly list: string; readonly field: string; readonly factor: number }
  | { readonly kind: 'derived'; readonly value: (row: never, parent: never) => Sampled }

type Sampled = number | bigint | boolean | null

/** The fields of a record that can be sampled as they are. */
export type SampledField<F extends Fields> = {
  [K in keyof F]: ValueOf<F[K]> extends Sampled ? K : never
}[keyof F] &
  string

/** The fields of a record that hold a list of records. */
type ListedField<F extends Fields> = {
  [K in keyof F]: ValueOf<F[K]> extends readonly object[] ? K : never
}[keyof F] &
  string

type ListedIn<F extends Fields, K extends keyof F> = ValueOf<F[K]> extends readonly (infer I)[] ? I : never

/** The fields of a listed record that can be added up. */
type SummedField<I> = { [K in keyof I]: I[K] extends number | bigint ? K : never }[keyof I] & string

export interface Derived<R, P> {
  readonly unit?: BaseUnit
  readonly help: string
  readonly value: (row: R, parent: P) => Sampled
}

/** Declares families of one subject. */
export interface Families<F extends Fields, P, L extends string> {
  /** A field of the record: its unit, its meaning. */
  gauge(field: SampledField<F>, help?: string): Family<L>
  counter(field: SampledField<F>, help?: string): Family<L>
  /** The sum of a field over the records that a record lists, as far as a double goes. */
  sumCounter<K extends ListedField<F>>(list: K, field: SummedField<ListedIn<F, K>>, help: string): Family<L>
  derivedGauge(derived: Derived<RecordOf<RecordType<F>>, P>): Family<L>
  derivedCounter(derived: Derived<RecordOf<RecordType<F>>, P>): Family<L>
}

/** The value as a number; NaN where there is none, and so no sample. */
export const numberOf = (value: Sampled): number => (value === null ? Number.NaN : Number(value))

const familyOf = <L extends string>(
  subject: Subject<never, never, L>,
  declaration: { type: Family['type']; unit: BaseUnit; help: string },
  source: ValueSource,
): Family<L> => ({
  ...declaration,
  collector: subject.collector,
  labels: subject.labels,
  subject,
  decimals: baseUnits[declaration.unit],
  source,
})

function sourceOf(name: string, { kind, nullable, unit }: Field): ValueSource {
  const { factor } = conversions[unit]
  if (kind === 'bool') return { kind, field: name, factor }
  return { kind: nullable || kind === 'int64' ? 'nullable' : 'number', field: name, factor }
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** Families of a subject without a contract record behind it: every value is derived. */
export function derive<R, P, L extends string>(
  subject: Subject<R, P, L>,
  type: Family['type'],
  { unit = '', help, value }: Derived<R, P>,
): Family<L> {
  const erased = subject as unknown as Subject<never, never, L>
  return familyOf(erased, { type, unit, help: sentence(help) }, { kind: 'derived', value })
}

export function familiesOf<F extends Fields, P, L extends string>(
  record: RecordType<F>,
  subject: Subject<RecordOf<RecordType<F>>, P, L>,
): Families<F, P, L> {
  const fields: Readonly<Record<string, Field>> = record.fields
  const fromField = (type: Family['type'], name: string, help?: string): Family<L> => {
    const field = fields[name]
    const { unit } = conversions[field.unit]
    const declaration = { type, unit, help: sentence(help ?? field.meaning) }
    return familyOf(subject as unknown as Subject<never, never, L>, declaration, sourceOf(name, field))
  }
  const fromSum = (list: string, name: string, help: string): Family<L> => {
    const { unit, factor } = conversions[fields[list].of!.record!.fields[name].unit]
    const declaration = { type: 'counter', unit, help: sentence(help) } as const
    const source = { kind: 'sum', list, field: name, factor } as const
    return familyOf(subject as unknown as Subject<never, never, L>, declaration, source)
  }
  return {
    gauge: (field, help) => fromField('gauge', field, help),
    counter: (field, help) => fromField('counter', field, help),
    sumCounter: fromSum,
    derivedGauge: (derived) => derive(subject, 'gauge', derived),
    derivedCounter: (derived) => derive(subject, 'counter', derived),
  }
}

/** A family of ones, whose labels carry what is known by name. */
export const info = <R, P, L extends string>(subject: Subject<R, P, L>, help: string): Family<L> =>
  derive(subject, 'gauge', { help: `${help} Always 1.`, value: () => 1 })
