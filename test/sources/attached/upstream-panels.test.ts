import { expect, test } from 'vitest'
import type { CableRecord } from '../../../src/contract/collections.ts'
import { CableSchema } from '../../../src/contract/records/network.ts'
import type { HttpClient } from '../../../src/sources/attached/http/http-client.ts'
import { UpstreamPanels } from '../../../src/sources/attached/upstream-panels.ts'
import { SourceError, StatusError } from '../../../src/sources/source.ts'
import { emptyRecord, snapshotWith } from '../../fixtures/handmade-snapshot.ts'

/** An upstream that has panels one by one, as `answer` says. */
function panels() {
  const requests: string[] = []
  const upstream = { answer: (path: string): string => `{"meta":{},"id":${path.split('/').at(-1)}}` }
  const get = (path: string) => {
    requests.push(path)
    return new Promise((resolve) => {
      resolve({
        url: path,
        headers: {},
        receivedMs: 0,
        body: Buffer.from(upstream.answer(path)),
      })
    })
  }
  const read = new UpstreamPanels({ get } as unknown as HttpClient)
  const readOf = async (cables: CableRecord[]): Promise<string[] | null> => {
    const { collections } = snapshotWith({ cables })
    const found = await read.read(collections)
    return found?.map((bytes) => Buffer.from(bytes).toString()) ?? null
  }
  /** The ids that are requested for the next publish. */
  const requestedOf = async (cables: CableRecord[]): Promise<number[]> => {
    const before = requests.length
    await readOf(cables)
    return requests.slice(before).map((path) => Number(path.split('/').at(-1)))
  }
  return { read, upstream, requests, readOf, requestedOf }
}

const panel = (id: number) => ({ device_kind: 'PatchPanel', device_id: id, port_id: 1 }) as never
const cablesTo = (...ids: readonly number[]) =>
  ids.map((id) => emptyRecord(CableSchema, { id, a: panel(id) }))
const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, i) => from + i)

test('patch panels are those at the ends and on the paths of cables', async () => {
  const { requests, readOf } = panels()
  const path = [{ PatchPanel: 9 }, { Ladder: 'x' }] as never
  const cables = [
    emptyRecord(CableSchema, { id: 1, a: panel(7), path }),
    emptyRecord(CableSchema, { id: 2, b: panel(7) }),
  ]
  expect(await readOf(cables)).toEqual(['{"id":7}', '{"id":9}'])
  expect(requests).toEqual(['/api/v1/network/patch-panels/7', '/api/v1/network/patch-panels/9'])
})

test('32 are requested with a publish: the new ones first, then those that were read the longest ago', async () => {
  const { requestedOf, readOf } = panels()
  expect(await requestedOf(cablesTo(...upTo(70)))).toEqual(upTo(32))
  expect(await requestedOf(cablesTo(...upTo(70)))).toEqual(upTo(32, 33))
  expect(await requestedOf(cablesTo(...upTo(70)))).toEqual([...upTo(6, 65), ...upTo(26)])
  expect(await requestedOf(cablesTo(...upTo(71)))).toEqual([71, ...upTo(31, 27)])
  expect(await readOf(cablesTo(...upTo(71)))).toHaveLength(71)
  expect(await readOf(cablesTo(7, 70))).toEqual(['{"id":70}', '{"id":7}'])
})

test('at most a thousand panels are read', async () => {
  const { requestedOf } = panels()
  const asked = new Set<number>()
  for (let publish = 0; publish < 32; publish++)
    for (const id of await requestedOf(cablesTo(...upTo(1_001)))) asked.add(id)
  expect(asked.size).toBe(1_000)
})

test('a panel that does not respond keeps its last state; one that is gone is gone', async () => {
  const { upstream, readOf } = panels()
  expect(await readOf(cablesTo(1, 2))).toEqual(['{"id":1}', '{"id":2}'])
  upstream.answer = () => {
    throw new SourceError('cut_off', 'It was cut off.')
  }
  expect(await readOf(cablesTo(1, 2))).toEqual(['{"id":1}', '{"id":2}'])
  upstream.answer = () => {
    throw new StatusError(404, 'It has status 404.')
  }
  expect(await readOf(cablesTo(1, 2))).toBe(null)
})

test('a panel that cannot be read keeps its last state', async () => {
  const { upstream, readOf } = panels()
  expect(await readOf(cablesTo(1))).toEqual(['{"id":1}'])
  const deep = `{"id":1,"x":${'['.repeat(70)}${']'.repeat(70)}}`
  for (const text of ['[]', '{"id":1', '{"id":1,"rack_id":nope}', deep]) {
    upstream.answer = () => text
    expect(await readOf(cablesTo(1))).toEqual(['{"id":1}'])
  }
})

test('an upstream that has none of the panels is asked again after 60 publishes', async () => {
  const { upstream, requestedOf } = panels()
  upstream.answer = (path) => {
    throw new StatusError(404, `${path} has status 404.`)
  }
  expect(await requestedOf(cablesTo(1, 2))).toEqual([1, 2])
  for (let publish = 0; publish < 60; publish++) expect(await requestedOf(cablesTo(1, 2))).toEqual([])
  upstream.answer = () => '{"id":1}'
  expect(await requestedOf(cablesTo(1, 2))).toEqual([1, 2])
})
