import { defineRecord, num, str } from '../../contract/fields.ts'
import { isoTime } from '../../words/moments.ts'
import { amount, momentColumn } from '../columns.ts'
import type { PathHistory } from '../history.ts'
import { defineTable } from '../table.ts'

interface Sample {
  readonly path: string
  readonly atNs: bigint
  readonly value: number
  readonly unit: string
}

/** More paths in one request are left out. */
const pathsMax = 20
const secondsPerDay = 86_400

function samplesOf(path: string, { values, stepNs, lastNs, unit }: PathHistory): Sample[] {
  const firstNs = lastNs - BigInt(stepNs) * BigInt(Math.max(0, values.length - 1))
  return values.map((value, index) => ({ path, atNs: firstNs + BigInt(stepNs) * BigInt(index), value, unit }))
}

export const series = defineTable({
  name: 'series',
  meaning: 'The history of metric paths, oldest first. Without the filter path it is empty.',
  row: defineRecord('SeriesRow', 'A value of a metric path.', {
    path: str('The metric path, as /api/v1/metrics/paths lists it.'),
    at: momentColumn('When.'),
    day: amount('Simulated days since the world began.', 'none'),
    value: num('The value.', 'as_stated'),
    unit: str('Unit of the value.'),
  }),
  reads: [],
  items: (): readonly Sample[] => [],
  async fetch(filters, { nowNs, history }) {
    const paths = new Set((filters.get('path') ?? []).flatMap((value) => value.split(',')))
    const samples: Sample[] = []
    for (const path of [...paths].slice(0, pathsMax)) {
      const found = await history(path.trim(), nowNs)
      if (found !== null) samples.push(...samplesOf(path.trim(), found))
    }
    return samples
  },
  filters: { path: { meaning: 'A metric path.', values: ({ path }) => [path] } },
  toRow: ({ path, atNs, value, unit }) => ({
    path,
    at: isoTime(atNs),
    day: Number(atNs / 1_000_000_000n) / secondsPerDay,
    value,
    unit,
  }),
})
