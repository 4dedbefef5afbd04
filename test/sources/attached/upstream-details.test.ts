import { expect, test } from 'vitest'
import type { CollectionName, Collections } from '../../../src/contract/collections.ts'
import { HostSchema } from '../../../src/contract/records/hosts.ts'
import { CableSchema } from '../../../src/contract/records/network.ts'
import { IncidentSchema, WorkOrderSchema } from '../../../src/contract/records/operations.ts'
import type { HttpClient } from '../../../src/sources/attached/http/http-client.ts'
import { detailedCollections, UpstreamDetails } from '../../../src/sources/attached/upstream-details.ts'
import { SourceError, StatusError } from '../../../src/sources/source.ts'
import { emptyRecord, snapshotWith } from '../../fixtures/handmade-snapshot.ts'

/** An upstream that has records one by one, as `answer` says. */
function details() {
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
        free: () => {},
      })
    })
  }
  const read = new UpstreamDetails({ get } as unknown as HttpClient)
  const readOf = async (name: CollectionName, given: Partial<Collections>): Promise<string[] | null> => {
    const { collections } = snapshotWith(given)
    const found = await read.read(name, collections, new AbortController().signal)
    return found?.map((bytes) => Buffer.from(bytes).toString()) ?? null
  }
  /** The ids that are requested for the next publish. */
  const requestedOf = async (name: CollectionName, given: Partial<Collections>): Promise<number[]> => {
    const before = requests.length
    await readOf(name, given)
    return requests.slice(before).map((path) => Number(path.split('/').at(-1)))
  }
  return { read, upstream, requests, readOf, requestedOf }
}

const panel = (id: number) => ({ device_kind: 'PatchPanel', device_id: id, port_id: 1 }) as never
const hostsOf = (...ids: readonly number[]) => ({
  incidents: [emptyRecord(IncidentSchema, { id: 1, affected_host_ids: [...ids] })],
})
const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, i) => from + i)

test('the lists that can be read record by record', () => {
  expect(detailedCollections.toSorted()).toEqual(
    'appliances azs customers gateways hostPools hosts incidents patchPanels switches workOrders'.split(' '),
  )
})

test('patch panels are those at the ends and on the paths of cables', async () => {
  const { requests, readOf } = details()
  const path = [{ PatchPanel: 9 }, { Ladder: 'x' }] as never
  const cables = [
    emptyRecord(CableSchema, { id: 1, a: panel(7), path }),
    emptyRecord(CableSchema, { id: 2, b: panel(7) }),
  ]
  expect(await readOf('patchPanels', { cables })).toEqual(['{"id":7}', '{"id":9}'])
  expect(requests).toEqual(['/api/v1/network/patch-panels/7', '/api/v1/network/patch-panels/9'])
})

test('other records are those that records name, and none without an id', async () => {
  const { requests, readOf } = details()
  const hosts = [emptyRecord(HostSchema, { id: 1, az_id: 3, served_customer_ids: [5, 6], pool_id: null })]
  const incidents = [
    emptyRecord(IncidentSchema, { id: 2, symptom_customer_id: 8, affected_customer_ids: [6, -1] }),
  ]
  const workOrders = [
    emptyRecord(WorkOrderSchema, { id: 1, incident_id: 4, resolved_at_ns: null }),
    emptyRecord(WorkOrderSchema, { id: 2, incident_id: 5, resolved_at_ns: 9 }),
  ]
  await readOf('customers', { hosts, incidents })
  await readOf('azs', { hosts })
  await readOf('incidents', { workOrders })
  expect(await readOf('hostPools', { hosts })).toBe(null)
  expect(requests).toEqual(
    [
      '/api/v1/customers/5 /api/v1/customers/6 /api/v1/customers/8 /api/v1/azs/3',
      '/api/v1/incidents/4',
    ].flatMap((line) => line.split(' ')),
  )
})

test('32 are requested with a publish: the new ones first, then those that were read the longest ago', async () => {
  const { requestedOf, readOf } = details()
  expect(await requestedOf('hosts', hostsOf(...upTo(70)))).toEqual(upTo(32))
  expect(await requestedOf('hosts', hostsOf(...upTo(70)))).toEqual(upTo(32, 33))
  expect(await requestedOf('hosts', hostsOf(...upTo(70)))).toEqual([...upTo(6, 65), ...upTo(26)])
  expect(await requestedOf('hosts', hostsOf(...upTo(71)))).toEqual([71, ...upTo(31, 27)])
  expect(await readOf('hosts', hostsOf(...upTo(71)))).toHaveLength(71)
  expect(await readOf('hosts', hostsOf(7, 70))).toEqual(['{"id":70}', '{"id":7}'])
})

test('at most a thousand records of a list are read', async () => {
  const { requestedOf } = details()
  const asked = new Set<number>()
  for (let publish = 0; publish < 32; publish++)
    for (const id of await requestedOf('hosts', hostsOf(...upTo(1_001)))) asked.add(id)
  expect(asked.size).toBe(1_000)
})

test('a record that does not respond keeps its last state; one that is gone is gone', async () => {
  const { upstream, readOf } = details()
  expect(await readOf('hosts', hostsOf(1, 2))).toEqual(['{"id":1}', '{"id":2}'])
  upstream.answer = () => {
    throw new SourceError('cut_off', 'It was cut off.')
  }
  expect(await readOf('hosts', hostsOf(1, 2))).toEqual(['{"id":1}', '{"id":2}'])
  upstream.answer = () => {
    throw new StatusError(404, 'It has status 404.')
  }
  expect(await readOf('hosts', hostsOf(1, 2))).toBe(null)
})

test('a record that cannot be read keeps its last state', async () => {
  const { upstream, readOf } = details()
  expect(await readOf('hosts', hostsOf(1))).toEqual(['{"id":1}'])
  const deep = `{"id":1,"x":${'['.repeat(70)}${']'.repeat(70)}}`
  for (const text of ['[]', '{"id":1', '{"id":1,"online":nope}', deep]) {
    upstream.answer = () => text
    expect(await readOf('hosts', hostsOf(1))).toEqual(['{"id":1}'])
  }
})

test('an upstream that has none of the records is asked again after 60 publishes', async () => {
  const { upstream, requestedOf } = details()
  upstream.answer = (path) => {
    throw new StatusError(404, `${path} has status 404.`)
  }
  expect(await requestedOf('hosts', hostsOf(1, 2))).toEqual([1, 2])
  for (let publish = 0; publish < 60; publish++) expect(await requestedOf('hosts', hostsOf(1, 2))).toEqual([])
  upstream.answer = () => '{"id":1}'
  expect(await requestedOf('hosts', hostsOf(1, 2))).toEqual([1, 2])
})
