import { createHash } from 'node:crypto'
import { HistoryUnavailable } from '../../metrics/history/history-reader.ts'
import type { HistoryReader, PathList, Series } from '../../metrics/history/history-reader.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'

/** A fixed-length digest of a parameter, for the entity tag. */
const digest = (text: string): string => createHash('sha1').update(text).digest('base64url')

/** An integer as JSON. Any other value must become an internal error, not a body that no client can parse. */
function jsonInteger(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isInteger(value)) throw new Error(`${value} is not an integer.`)
  return BigInt(value).toString()
}

/** Numbers as JSON. Without the check, `JSON.stringify` would turn NaN and infinities into null. */
function jsonNumbers(values: readonly number[]): string {
  if (!values.every(Number.isFinite)) throw new Error('A series has a value that is not a finite number.')
  return JSON.stringify(values)
}

export async function unlessUnavailable<T>(reading: T | Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof HistoryUnavailable) throw new Problem('HistoryUnavailable', error.message)
    throw error
  }
}

function pathListRepresentation({ paths, total }: PathList, prefix: string): Representation {
  return {
    name: `paths.${digest(prefix)}`,
    mediaType: jsonMediaType,
    head: (published, ageMs) => `${published.meta(ageMs)},"paths":`,
    slices: [wholeSlice(Buffer.from(JSON.stringify(paths)))],
    tail: `,"total_paths":${jsonInteger(total)},"truncated":${total > paths.length}}`,
  }
}

function seriesRepresentation(series: Series | null, path: string): Representation {
  if (series === null) {
    const where = 'expected a path as /api/v1/metrics/paths lists it'
    throw new Problem('NoSuchMetricPath', `path: nothing has the path ${quoted(path)}, ${where}.`)
  }
  const { values, scale, unit, stepNs, lastNs } = series
  const times = `,"step_ns":${jsonInteger(stepNs)},"last_ns":${jsonInteger(lastNs)}`
  return {
    name: `series.${digest(path)}.${lastNs}.${values.length}`,
    mediaType: jsonMediaType,
    head: (published, ageMs) => `${published.meta(ageMs, times)},"path":${JSON.stringify(path)},"values":`,
    slices: [wholeSlice(values instanceof Uint8Array ? values : Buffer.from(jsonNumbers(values)))],
    tail: `,"scale":${JSON.stringify(scale)},"unit":${JSON.stringify(unit)}}`,
  }
}

export const metricPathsRepresentation = async (
  reader: HistoryReader,
  prefix: string,
  atNs: bigint,
): Promise<Representation> =>
  pathListRepresentation(await unlessUnavailable(reader.paths(prefix, atNs)), prefix)

export const metricSeriesRepresentation = async (
  reader: HistoryReader,
  path: string,
  atNs: bigint,
): Promise<Representation> => seriesRepresentation(await unlessUnavailable(reader.series(path, atNs)), path)
