import { createHash } from 'node:crypto'
import { metricPathsMax } from '../../contract/routes.ts'
import type { SeriesReader } from '../../metrics/series-reader.ts'
import { jsonMediaType } from '../media-types.ts'
import { Problem, quoted } from '../problems.ts'
import { wholeOf } from '../representation.ts'
import type { Representation } from '../representation.ts'

/** A text of a reader's own, short enough for an entity tag. */
const digest = (text: string): string => createHash('sha1').update(text).digest('base64url')

export function metricPaths(reader: SeriesReader, prefix: string): Representation {
  const { paths, total } = reader.paths(prefix)
  const listed = paths.slice(0, metricPathsMax)
  return {
    name: `paths.${digest(prefix)}`,
    mediaType: jsonMediaType,
    head: (edition, ageMs) => `${edition.meta(ageMs)},"paths":`,
    slices: [wholeOf(Buffer.from(JSON.stringify(listed)))],
    tail: `,"total_paths":${total},"truncated":${total > listed.length}}`,
  }
}

export function metricSeries(reader: SeriesReader, path: string): Representation | Problem {
  const series = reader.series(path)
  if (series === null) {
    const where = 'expected a path as /api/v1/metrics/paths lists it'
    return new Problem('NoSuchMetricPath', `path: nothing has the path ${quoted(path)}, ${where}.`)
  }
  const { values, scale, unit, stepNs, lastNs } = series
  const times = `,"step_ns":${stepNs},"last_ns":${lastNs}`
  return {
    name: `series.${digest(path)}.${lastNs}`,
    mediaType: jsonMediaType,
    head: (edition, ageMs) => `${edition.meta(ageMs, times)},"path":${JSON.stringify(path)},"values":`,
    slices: [wholeOf(Buffer.from(JSON.stringify(values)))],
    tail: `,"scale":${JSON.stringify(scale)},"unit":${JSON.stringify(unit)}}`,
  }
}
