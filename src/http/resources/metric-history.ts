import { HistoryUnavailable } from '../../metrics/history/history-reader.ts'
import type { HistoryReader } from '../../metrics/history/history-reader.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import { digestOf, wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'

export async function unlessUnavailable<T>(reading: T | Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof HistoryUnavailable) throw new Problem('HistoryUnavailable', error.message)
    throw error
  }
}

export async function metricPathsRepresentation(
  reader: HistoryReader,
  prefix: string,
  atNs: bigint,
): Promise<Representation> {
  const { paths, total } = await unlessUnavailable(reader.paths(prefix, atNs))
  return {
    name: `paths.${digestOf(prefix)}`,
    mediaType: jsonMediaType,
    head: (published, ageMs) => `${published.meta(ageMs)},"paths":`,
    slices: [wholeSlice(Buffer.from(JSON.stringify(paths)))],
    tail: `,"total_paths":${total},"truncated":${total > paths.length}}`,
  }
}

export async function metricSeriesRepresentation(
  reader: HistoryReader,
  path: string,
  atNs: bigint,
): Promise<Representation> {
  const series = await unlessUnavailable(reader.series(path, atNs))
  if (series === null) {
    const where = 'expected a path as /api/v1/metrics/paths lists it'
    throw new Problem('NoSuchMetricPath', `path: nothing has the path ${quoted(path)}, ${where}.`)
  }
  const { values, scale, unit, stepNs, lastNs } = series
  const times = `,"step_ns":${stepNs},"last_ns":${lastNs}`
  return {
    name: `series.${digestOf(path)}.${lastNs}.${values.length}`,
    mediaType: jsonMediaType,
    head: (published, ageMs) => `${published.meta(ageMs, times)},"path":${JSON.stringify(path)},"values":`,
    slices: [wholeSlice(Buffer.from(JSON.stringify(values)))],
    tail: `,"scale":${JSON.stringify(scale)},"unit":${JSON.stringify(unit)}}`,
  }
}
