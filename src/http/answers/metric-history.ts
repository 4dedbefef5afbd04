import { createHash } from 'node:crypto'
import { metricPathsMax } from '../../contract/routes.ts'
import { HistoryUnavailable } from '../../metrics/series-reader.ts'
import type { HistoryReader, PathList, Series } from '../../metrics/series-reader.ts'
import { jsonMediaType } from '../media-types.ts'
import { Problem, quoted } from '../problems.ts'
import { wholeOf } from '../representation.ts'
import type { Representation } from '../representation.ts'
import type { Outcome } from './answers.ts'

/** A text of a reader's own, short enough for an entity tag. */
const digest = (text: string): string => createHash('sha1').update(text).digest('base64url')

/** Answers at once where the history is at hand, and later where it has to be asked for. */
async function unlessUnavailable<T extends Representation | Problem>(
  answer: Promise<T>,
): Promise<T | Problem> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof HistoryUnavailable) return new Problem('HistoryUnavailable', error.message)
    throw error
  }
}

function pathsAnswer({ paths, total }: PathList, prefix: string): Representation {
  const listed = paths.slice(0, metricPathsMax)
  return {
    name: `paths.${digest(prefix)}`,
    mediaType: jsonMediaType,
    head: (edition, ageMs) => `${edition.meta(ageMs)},"paths":`,
    slices: [wholeOf(Buffer.from(JSON.stringify(listed)))],
    tail: `,"total_paths":${total},"truncated":${total > listed.length}}`,
  }
}

function seriesAnswer(series: Series | null, path: string): Representation | Problem {
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

export function metricPaths(reader: HistoryReader, prefix: string): Outcome {
  const list = reader.paths(prefix)
  if (!(list instanceof Promise)) return pathsAnswer(list, prefix)
  return unlessUnavailable(list.then((paths) => pathsAnswer(paths, prefix)))
}

export function metricSeries(reader: HistoryReader, path: string): Outcome {
  const series = reader.series(path)
  if (!(series instanceof Promise)) return seriesAnswer(series, path)
  return unlessUnavailable(series.then((found) => seriesAnswer(found, path)))
}
