import type { Unit } from '../../contract/fields.ts'

/** Units of samples, each with the number of decimals of its values if those represent them exactly. */
export const baseUnits = {
  '': 4,
  seconds: 3,
  bytes: 0,
  bytes_per_second: 0,
  packets_per_second: 4,
  requests_per_second: 4,
  operations_per_second: 4,
  events_per_second: 4,
  attempts_per_second: 4,
  probes_per_second: 4,
  ratio: 6,
  dollars: 2,
  dollars_per_hour: 2,
  dollars_per_month: 2,
  celsius: 1,
  watts: 0,
  vcpus: 3,
} as const

export type BaseUnit = keyof typeof baseUnits

export interface Conversion {
  readonly unit: BaseUnit
  readonly factor: number
}

/** The units that do not say what is counted: a family of such a field states its unit. */
type IncompleteUnit = 'as_stated' | 'per_second'

/**
 * Converts a field's unit to the base unit of its samples. Memory uses binary and disks use decimal multiples, as in
 * the trade.
 */
export const conversions: Readonly<Record<Exclude<Unit, IncompleteUnit>, Conversion>> = {
  none: { unit: '', factor: 1 },
  text: { unit: '', factor: 1 },
  id: { unit: '', factor: 1 },
  index: { unit: '', factor: 1 },
  count: { unit: '', factor: 1 },
  bitmask: { unit: '', factor: 1 },
  rack_units: { unit: '', factor: 1 },
  m: { unit: '', factor: 1 },
  iops: { unit: 'operations_per_second', factor: 1 },
  ns: { unit: 'seconds', factor: 1e-9 },
  ms: { unit: 'seconds', factor: 1e-3 },
  s: { unit: 'seconds', factor: 1 },
  hours: { unit: 'seconds', factor: 3_600 },
  bytes: { unit: 'bytes', factor: 1 },
  mb: { unit: 'bytes', factor: 2 ** 20 },
  gb: { unit: 'bytes', factor: 1e9 },
  gbps: { unit: 'bytes_per_second', factor: 125_000_000 },
  pct: { unit: 'ratio', factor: 0.01 },
  ratio: { unit: 'ratio', factor: 1 },
  dollars: { unit: 'dollars', factor: 1 },
  dollars_per_hour: { unit: 'dollars_per_hour', factor: 1 },
  dollars_per_month: { unit: 'dollars_per_month', factor: 1 },
  vcpu: { unit: 'vcpus', factor: 1 },
  millivcpu: { unit: 'vcpus', factor: 0.001 },
  kw: { unit: 'watts', factor: 1_000 },
  celsius: { unit: 'celsius', factor: 1 },
}
