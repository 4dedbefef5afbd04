import type { RowFinding } from './finding.ts'

/** A finding for tests, in which nothing is remarkable. */
export const findingWith = (changes: Partial<RowFinding>): RowFinding => ({
  row: 'page',
  measured: 'a page',
  against: 'JSON.stringify',
  value: 10,
  low: 9.5,
  high: 10.5,
  rounds: 21,
  unit: '×',
  better: 'higher',
  floor: 8,
  aim: 12,
  medians: '1 ms : 10 ms',
  ...changes,
})

export const machine = { node: 'v24.0.0', processor: 'one', processors: 2, load: 1 }
