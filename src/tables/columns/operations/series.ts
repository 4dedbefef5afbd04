import { num, str } from '../../../contract/fields.ts'
import { isoTime } from '../../../words/moments.ts'
import { momentColumn } from '../../engine/columns.ts'
import type { PathHistory } from '../../engine/history.ts'
import { column, defineTable } from '../../engine/table.ts'

interface Sample {
  readonly path: string
  readonly atNs: bigint
  readonly value: number
  readonly unit: string
}

/** More paths in one request are left out. */
const pathsMax = 20
const secondsPerDay = 86_400

function samplesOf({ path, values, stepNs, lastNs, unit }: PathHistory): Sample[] {
  const firstNs = lastNs - BigInt(stepNs) * BigInt(Math.max(0, values.length - 1))
  return values.map((value, index) => ({ path, atNs: firstNs + BigInt(stepNs) * BigInt(index), value, unit }))
}

export const series = defineTable<Sample, PathHistory>({
  name: 'series',
  meaning: 'The history of metric paths, oldest first. Without the filter path it is empty.',
  row: ['SeriesRow', 'A value of a metric path.'],
  worldParts: [],
  entities: () => [],
  entitiesFor: ({ histories }) => histories,
  paths(filters) {
    const paths = new Set((filters.get('path') ?? []).flatMap((value) => value.split(',')))
    return [...paths].slice(0, pathsMax).map((text) => text.trim())
  },
  itemsOf: samplesOf,
  filters: { path: { meaning: 'A metric path.', values: ({ path }) => [path] } },
  columns: {
    path: column(str('The metric path, as /api/v1/metrics/paths lists it.'), 'path'),
    at: column(momentColumn('When.'), ({ atNs }) => isoTime(atNs)),
    day: column(
      num('Simulated days since the world began.', 'none'),
      ({ atNs }) => Number(atNs / 1_000_000_000n) / secondsPerDay,
    ),
    value: column(num('The value.', 'as_stated'), 'value'),
    unit: column(str('Unit of the value.'), 'unit'),
  },
})
