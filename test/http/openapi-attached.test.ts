/**
 * The description is valid for a mirror whose upstream is newer than the mirror, with unknown fields in its records.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import { routeNames, routes } from '../../src/contract/routes.ts'
import type { Route } from '../../src/contract/routes.ts'
import { jsonReference } from '../encoding/json-reference.ts'
import { worldAfter } from '../metrics/small-world.ts'
import { FakeUpstream } from '../sources/attached/fake-upstream.ts'
import { attach, textOf, waitForHealth } from '../sources/attached/attached-mirror.ts'
import type { Attached } from '../sources/attached/attached-mirror.ts'
import { violationsOf } from './response-schemas.ts'

/** Adds an unknown field to an object and to every nested object. */
function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => [name, withUnknownFields(inner)])
  return { ...Object.fromEntries(fields), brand_new_field: { since: 'the next version' } }
}

const recordJson = (record: object): string => jsonReference(withUnknownFields(record))

let upstream: FakeUpstream
let attached: Attached

beforeAll(async () => {
  const { collections, events, diagnostics, simTimeNs } = worldAfter(2, 1n).snapshot()
  upstream = await FakeUpstream.start({
    publishSeq: 1,
    simTimeNs,
    collections: Object.fromEntries(collectionNames.map((name) => [name, collections[name].map(recordJson)])),
    events: events.map((event) => ({ atNs: BigInt(event.at_ns), json: recordJson(event) })),
    diagnostics: recordJson(diagnostics),
  })
  attached = await attach(upstream.origin)
  await waitForHealth(attached.origin, ({ publish_seq: seq }) => seq > 0)
})
afterAll(async () => {
  await attached.mirror.close()
  await upstream.close()
})

const describedRoutes = routeNames.filter(
  (name) =>
    !['landing llms healthy ready runbooks runbook metrics openapi metricSeries metricPaths table', 'picture']
      .flatMap((line) => line.split(' '))
      .includes(name),
)

test.each(describedRoutes)('%s with unknown fields is as described', async (name) => {
  const { path, answer }: Route = routes[name]
  let target = path
  if (answer.kind === 'detail') {
    const page = await textOf(attached.origin, path.replace('/{id}', ''))
    const [first] = (JSON.parse(page) as { items: { id: number }[] }).items
    if (first === undefined) return
    target = path.replace('{id}', String(first.id))
  }
  const body = await textOf(attached.origin, target)
  expect(violationsOf(path, body)).toEqual([])
})

test('unknown fields are passed on', async () => {
  expect(await textOf(attached.origin, '/api/v1/hosts/1')).toContain(
    '"brand_new_field":{"since":"the next version"',
  )
})
