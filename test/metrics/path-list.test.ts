import { afterAll, beforeAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'

let service: MirrorProcess

beforeAll(async () => {
  service = await MirrorProcess.start(['--scale', '2000', '--warmup', '1m', '--speed', '0'])
})

afterAll(() => service?.stop())

const get = async <T>(path: string): Promise<T> => JSON.parse(await service.text(`/api/v1/${path}`)) as T

interface PathList {
  readonly paths: readonly string[]
  readonly total_paths: number
  readonly truncated: boolean
}

test('the list of a large world is cut at 10,000 paths, and gives the total', async () => {
  const count = async (collection: string): Promise<number> =>
    (await get<{ total: number }>(`${collection}?limit=1`)).total
  expect([await count('hosts'), await count('network/switches')]).toStrictEqual([2_000, 296])
  const metrics =
    14 +
    (await count('azs')) * 11 +
    (await count('host-pools')) * 6 +
    (await count('network/gateways')) * 4 +
    (await count('customers')) * 8 +
    // The first 250 switches and the first 1,000 hosts have a history.
    250 * 3 +
    1_000 * 5

  const { paths, total_paths: total, truncated } = await get<PathList>('metrics/paths')
  expect({ total, truncated }).toStrictEqual({ total: metrics * 4, truncated: true })
  expect(total).toBeGreaterThan(40_000)
  expect(new Set(paths).size).toBe(10_000)
  expect(paths).toHaveLength(10_000)
})

test('a prefix finds paths beyond the bound of the whole list', async () => {
  const hosts = await get<PathList>('metrics/paths?prefix=hosts/')
  expect(hosts).toMatchObject({ total_paths: 20_000, truncated: true })
  expect(hosts.paths).toHaveLength(10_000)
  expect(await get<PathList>('metrics/paths?prefix=hosts/1000/egress')).toMatchObject({
    paths: ['10s', '1m', '1h', '1d'].map((step) => `hosts/1000/egress_gbps/${step}`),
    total_paths: 4,
    truncated: false,
  })
  const { values } = await get<{ values: number[] }>('metrics/series?path=hosts/1000/egress_gbps/10s')
  expect(values).toHaveLength(6)
})
