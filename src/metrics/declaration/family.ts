import type { Snapshot } from '../../contract/collections.ts'
import type { WorldPart } from '../../contract/collections.ts'
import type { Field, Fields, RecordValue, RecordType, FieldValue } from '../../contract/fields.ts'
import type { LabelValue, RowBatch, SampleValue, ValueSource } from '../../codegen/rows.ts'
import { baseUnits, conversions } from './base-units.ts'
import type { BaseUnit, Conversion } from './base-units.ts'
import type { CollectorName } from './collectors.ts'
import type { FamilyDeclaration } from './mirror-families.ts'

/**
 * Rows with labels that several families share: each family has one sample per row. The label text is rendered once
 * for all of them.
 */
export interface LabeledRows<R = unknown, P = unknown, L extends string = string> {
  readonly collector: CollectorName
  /** The part of the world without which there are no rows; null if each value is unknown by itself. */
  readonly part: WorldPart | null
  readonly labels: readonly L[]
  rows(snapshot: Snapshot): RowBatch<R, P>
  /** Reads the value of each label. */
  readonly readers: readonly ((row: R, parent: P) => LabelValue)[]
  /** The suffix that a sample's name adds to the family's name, such as `_bucket`. */
  suffix?(row: R): string
}

/** A declared family and the source of its values. */
export interface Family<L extends string = string> extends FamilyDeclaration<L> {
  readonly collector: CollectorName
  readonly unit: BaseUnit
  readonly subject: LabeledRows<never, never, L>
  readonly decimals: number
  readonly source: ValueSource
}

/** The fields of a record that can be sampled directly. */
type SampledField<F extends Fields> = {
  [K in keyof F]: FieldValue<F[K]> extends SampleValue ? K : never
}[keyof F] &
  string

/** The fields of a record whose value is a list of records. */
type ListedField<F extends Fields> = {
  [K in keyof F]: FieldValue<F[K]> extends readonly object[] ? K : never
}[keyof F] &
  string

type ListedIn<F extends Fields, K extends keyof F> = FieldValue<F[K]> extends readonly (infer I)[] ? I : never

/** The fields of a listed record that can be summed. */
type SummedField<I> = { [K in keyof I]: I[K] extends number | bigint ? K : never }[keyof I] & string

interface DerivedMetric<R, P> {
  readonly unit?: BaseUnit
  readonly help: string
  readonly value: (row: R, parent: P) => SampleValue
}

/** Declares families that share the same rows. */
interface FamilyBuilder<F extends Fields, P, L extends string> {
  /** A gauge of a field, with the field's unit and meaning. */
  gauge(field: SampledField<F>, help?: string): Family<L>
  /** A gauge of a field whose unit does not say what is counted. */
  gaugeIn(conversion: Conversion, field: SampledField<F>): Family<L>
  counter(field: SampledField<F>, help?: string): Family<L>
  /** The sum of a field over the records that a record lists, in double precision. */
  sumCounter<K extends ListedField<F>>(list: K, field: SummedField<ListedIn<F, K>>, help: string): Family<L>
  derivedGauge(derived: DerivedMetric<RecordValue<RecordType<F>>, P>): Family<L>
}

/** The value as a number; NaN for null, which yields no sample. */
export const numberOf = (value: SampleValue): number => (value === null ? Number.NaN : Number(value))

const familyOf = <L extends string>(
  subject: LabeledRows<never, never, L>,
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

function conversionOf({ unit, meaning }: Field): Conversion {
  if (unit !== 'as_stated' && unit !== 'per_second') return conversions[unit]
  throw new Error(`A family of a field in ${unit} has to state its unit: ${meaning}`)
}

function sourceOf(name: string, { kind, nullable }: Field, { factor }: Conversion): ValueSource {
  if (kind === 'bool') return { kind, field: name, factor }
  return { kind: nullable || kind === 'int64' ? 'nullable' : 'number', field: name, factor }
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** Declares a family whose rows are not contract records: every value is derived. */
export function deriveFamily<R, P, L extends string>(
  subject: LabeledRows<R, P, L>,
  type: Family['type'],
  { unit = '', help, value }: DerivedMetric<R, P>,
): Family<L> {
  const erased = subject as unknown as LabeledRows<never, never, L>
  return familyOf(erased, { type, unit, help: sentence(help) }, { kind: 'derived', value })
}

export function familiesOf<F extends Fields, P, L extends string>(
  record: RecordType<F>,
  subject: LabeledRows<RecordValue<RecordType<F>>, P, L>,
): FamilyBuilder<F, P, L> {
  const fields: Readonly<Record<string, Field>> = record.fields
  const fromField = (
    type: Family['type'],
    name: string,
    help: string = fields[name].meaning,
    conversion: Conversion = conversionOf(fields[name]),
  ): Family<L> => {
    const declaration = { type, unit: conversion.unit, help: sentence(help) }
    const source = sourceOf(name, fields[name], conversion)
    return familyOf(subject as unknown as LabeledRows<never, never, L>, declaration, source)
  }
  const fromSum = (list: string, name: string, help: string): Family<L> => {
    const { unit, factor } = conversionOf(fields[list].of!.recordType!.fields[name])
    const declaration = { type: 'counter', unit, help: sentence(help) } as const
    const source = { kind: 'sum', list, field: name, factor } as const
    return familyOf(subject as unknown as LabeledRows<never, never, L>, declaration, source)
  }
  return {
    gauge: (field, help) => fromField('gauge', field, help),
    gaugeIn: (conversion, field) => fromField('gauge', field, undefined, conversion),
    counter: (field, help) => fromField('counter', field, help),
    sumCounter: fromSum,
    derivedGauge: (derived) => deriveFamily(subject, 'gauge', derived),
  }
}

/** An info family: its value is always 1, its labels carry names. */
export const infoFamily = <R, P, L extends string>(subject: LabeledRows<R, P, L>, help: string): Family<L> =>
  deriveFamily(subject, 'gauge', { help: `${help} Always 1.`, value: () => 1 })

/** A family of the states that a record can have: 1 for the one that it is in. */
export const stateFamily = <R extends { readonly holds: boolean }, L extends string>(
  subject: LabeledRows<R, undefined, L>,
  help: string,
): Family<L> => deriveFamily(subject, 'gauge', { help, value: ({ holds }) => holds })
