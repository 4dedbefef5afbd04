/** The records of a mirror held against the truth: those that its upstream serves. */
import { isDeepStrictEqual } from 'node:util'
import { collectionNames } from '../../../src/contract/collections.ts'
import type { CollectionName } from '../../../src/contract/collections.ts'
import { routes } from '../../../src/contract/routes.ts'
import { pathOf } from '../attached/fake-upstream.ts'
import type { Json, PlainWorld } from './plain-world.ts'
import type { Part } from './spec-upstream.ts'

export const unknownHeader = 'x-sim-unknown'

export type Rows = readonly Json[]

interface Answer {
  readonly status: number
  /** Empty without the header. */
  readonly unknown: string
  readonly body: Json
}

async function jsonAt(origin: string, path: string): Promise<Answer> {
  const response = await fetch(`${origin}${path}`)
  const body = (await response.json()) as Json
  return { status: response.status, unknown: response.headers.get(unknownHeader) ?? '', body }
}

export const shortened = (value: unknown): string => JSON.stringify(value)?.slice(0, 150) ?? 'nothing'

/** The ids of patch panels that paths of cables name; no cable of the world ends at one. */
function namedPanels(world: PlainWorld): ReadonlySet<unknown> {
  const paths = world.collections.cables.flatMap(({ path }) => (Array.isArray(path) ? (path as Json[]) : []))
  return new Set(paths.flatMap((step) => ('PatchPanel' in step ? [step['PatchPanel']] : [])))
}

/** Without the members of an envelope, which may be beside those of the record. */
function recordOf(body: Json): Json {
  const { meta: _, age_ms: _age, publish_seq: _seq, sim_time_ns: _time, ...record } = body
  return record
}

/** The records of a collection that a mirror can know. */
function knowable(world: PlainWorld, name: CollectionName): readonly Json[] {
  const records = world.collections[name]
  if (name !== 'patchPanels') return records
  const named = namedPanels(world)
  return records.filter(({ id }) => named.has(id))
}

/** Incidents have one route, resolved or not. */
const recordPath = (name: CollectionName, { id }: Json): string =>
  `${pathOf.get(name === 'resolvedIncidents' ? 'incidents' : name)}/${String(id)}`

async function checkUnknownCollection(
  origin: string,
  path: string,
  pathOfRecord: string,
  { status, unknown, body }: Answer,
): Promise<string[]> {
  const failures: string[] = []
  const { items, total } = body
  if (status !== 200 || total !== 0 || !isDeepStrictEqual(items, []))
    failures.push(`${path}: status ${status}, ${shortened(body)} instead of an empty page`)
  if (unknown === '') failures.push(`${path}: no ${unknownHeader}`)
  const record = await jsonAt(origin, pathOfRecord)
  const detail = String(record.body['detail'])
  if (record.status !== 404) failures.push(`${pathOfRecord}: status ${record.status}, expected 404`)
  if (!detail.includes('the source does not report'))
    failures.push(`${pathOfRecord}: the detail does not say why: ${detail}`)
  return failures
}

async function checkCollection(origin: string, world: PlainWorld, name: CollectionName, isUnknown: boolean) {
  const path = pathOf.get(name)!
  const answer = await jsonAt(origin, `${path}?limit=1000`)
  const expected = knowable(world, name)
  const isNoneNamed = name === 'patchPanels' && expected.length === 0
  if (isUnknown && !isNoneNamed)
    return checkUnknownCollection(origin, path, recordPath(name, world.collections[name][0]), answer)
  const failures: string[] = []
  const { items = [] } = answer.body as { items?: Rows }
  if (answer.unknown !== '' && !isNoneNamed) failures.push(`${path}: ${unknownHeader}: ${answer.unknown}`)
  if (items.length !== expected.length)
    return [...failures, `${path}: ${items.length} records, expected ${expected.length}`]
  const wrong = expected.findIndex((record, index) => !isDeepStrictEqual(items[index], record))
  if (wrong >= 0) failures.push(`${path}: ${shortened(items[wrong])}, expected ${shortened(expected[wrong])}`)
  const last = expected.at(-1)
  if (last === undefined) return failures
  const detailPath = recordPath(name, last)
  const record = await jsonAt(origin, detailPath)
  const found = recordOf(record.body)
  if (!isDeepStrictEqual(found, last))
    failures.push(`${detailPath}: status ${record.status}, ${shortened(found)}`)
  return failures
}

async function checkEvents(origin: string, world: PlainWorld, isUnknown: boolean): Promise<string[]> {
  const { path } = routes.events
  const { status, unknown, body } = await jsonAt(origin, `${path}?limit=1000`)
  const expected = isUnknown ? [] : world.events
  const failures: string[] = []
  if (status !== 200 || !isDeepStrictEqual(body['items'], expected))
    failures.push(`${path}: status ${status}, ${shortened(body)}, expected ${expected.length} events`)
  if ((unknown !== '') !== isUnknown) failures.push(`${path}: ${unknownHeader}: ${unknown}`)
  return failures
}

async function checkDiagnostics(origin: string, world: PlainWorld, isUnknown: boolean): Promise<string[]> {
  const { path } = routes.diagnostics
  const { unknown, body } = await jsonAt(origin, path)
  const record = recordOf(body)
  const failures: string[] = []
  if ((unknown !== '') !== isUnknown) failures.push(`${path}: ${unknownHeader}: ${unknown}`)
  if (!isUnknown && !isDeepStrictEqual(record, world.diagnostics))
    failures.push(`${path}: ${shortened(record)}, expected ${shortened(world.diagnostics)}`)
  return failures
}

/** A part that is known has every record as it was served; one that is unknown has none, and says why. */
export function checkPart(
  origin: string,
  world: PlainWorld,
  part: WorldPart,
  isUnknown: boolean,
): Promise<string[]> {
  if (part === 'events') return checkEvents(origin, world, isUnknown)
  return part === 'diagnostics'
    ? checkDiagnostics(origin, world, isUnknown)
    : checkCollection(origin, world, part, isUnknown)
}

/** The records that a mirror shows of a part, and why there are none. */
export async function shownPart(
  origin: string,
  part: WorldPart,
): Promise<{ readonly records: Rows; readonly unknown: string }> {
  const path = part === 'events' || part === 'diagnostics' ? routes[part].path : pathOf.get(part)!
  const { body, unknown } = await jsonAt(origin, `${path}?limit=1000`)
  if (part === 'diagnostics') return { records: unknown === '' ? [recordOf(body)] : [], unknown }
  return { records: body['items'] as Rows, unknown }
}

export type WorldPart = CollectionName | 'events' | 'diagnostics'
export const worldParts: readonly WorldPart[] = [...collectionNames, 'events', 'diagnostics']

export async function checkRecords(
  origin: string,
  world: PlainWorld,
  unknown: ReadonlySet<Part>,
): Promise<string[]> {
  const failures: string[] = []
  for (const part of worldParts) failures.push(...(await checkPart(origin, world, part, unknown.has(part))))
  return failures
}
