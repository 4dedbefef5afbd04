import { expect, test } from 'vitest'
import { historySteps } from '../../src/contract/history.ts'
import type { HistoryEntity } from '../../src/contract/history.ts'
import { HistoryRings } from '../../src/metrics/history/history-rings.ts'
import { ScriptedHistory, tenSecondsNs } from './scripted-history.ts'

const fleet: HistoryEntity = { subject: 'fleet', id: null }
const zone = (id: number | bigint): HistoryEntity => ({ subject: 'azs', id })
const customer = (id: number): HistoryEntity => ({ subject: 'customers', id })

function history(
  entities: readonly HistoryEntity[],
  valueAt: (step: number, entity: HistoryEntity) => number,
  readFromNs = 0n,
) {
  const scripted = new ScriptedHistory(entities, (entity, _metric, step) => valueAt(step, entity))
  const rings = new HistoryRings(scripted, { readFromNs })
  return {
    reader: rings,
    scripted,
    bytes: () => rings.saved().memory.length,
    /** Advances the world to the end of a 10-second step. */
    goTo: (step: number): void => {
      while (scripted.step < step) {
        scripted.step++
        rings.record(BigInt(scripted.step) * tenSecondsNs)
      }
    },
    /** Records one step and skips those before it. */
    jumpTo: (step: number): void => {
      scripted.step = step
      rings.record(BigInt(step) * tenSecondsNs)
    },
  }
}

test('values run oldest to newest and end at the time of the newest', () => {
  const { reader, goTo } = history([fleet], (step) => step * 10)
  goTo(4)
  expect(reader.series('fleet/hosts_online/10s')).toStrictEqual({
    values: [10, 20, 30, 40],
    scale: 'linear',
    unit: 'count',
    stepNs: 10_000_000_000,
    lastNs: 40_000_000_000n,
  })
  expect(reader.series('fleet/hosts_online/1m')).toMatchObject({ values: [], lastNs: 0n })
})

test('coarser steps hold the means of the finer ones', () => {
  const { reader, goTo } = history([fleet], (step) => step)
  goTo(8_640)
  expect(reader.series('fleet/incidents_active/1m')!.values.slice(0, 3)).toStrictEqual([3.5, 9.5, 15.5])
  expect(reader.series('fleet/incidents_active/1h')!.values.slice(0, 2)).toStrictEqual([180.5, 540.5])
  expect(reader.series('fleet/hosts_online/1d')).toMatchObject({
    values: [4_321],
    lastNs: 86_400_000_000_000n,
    stepNs: 86_400_000_000_000,
  })
})

test.each(['10s', '1m', '1h', '1d'] as const)('a ring of %s keeps its newest values', (step) => {
  const { kept, seconds } = historySteps[step]
  const finest = seconds / 10
  const rows = kept + 5
  const endNs = BigInt(rows * seconds) * 1_000_000_000n
  const { reader, jumpTo } = history([fleet], (at) => Math.ceil(at / finest), endNs)
  for (let at = finest < 30 ? 1 : 30; at <= rows * finest; at += Math.min(finest, 8_640)) jumpTo(at)
  jumpTo(rows * finest)
  const { values, lastNs } = reader.series(`fleet/hosts_online/${step}`)!
  expect(values).toHaveLength(kept)
  expect(lastNs).toBe(endNs)
  expect(values.slice(-10)).toStrictEqual(values.slice(-10).toSorted((a, b) => a - b))
  expect(Math.abs(values[0] - (rows - kept + 1))).toBeLessThanOrEqual(1)
  expect(Math.abs(values[kept - 1] - rows)).toBeLessThanOrEqual(1)
})

test('an entity has values from its creation on, and means over its existence', () => {
  const { reader, scripted, goTo } = history([fleet, customer(1)], (step) => step)
  goTo(10)
  scripted.become([fleet, customer(1), customer(2)])
  goTo(12)
  expect(reader.series('customers/2/rps/10s')!.values).toStrictEqual([11, 12])
  expect(reader.series('customers/2/rps/1m')!.values).toStrictEqual([11.5])
  expect(reader.series('customers/1/rps/1m')!.values).toStrictEqual([3.5, 9.5])
})

test('an entity that went has no path, and its place leaves no trace to the next', () => {
  const { reader, scripted, goTo } = history(
    [customer(1), customer(2)],
    (step, { id }) => step + Number(id) * 100,
  )
  goTo(7)
  scripted.become([customer(2), customer(3)])
  goTo(9)
  expect(reader.series('customers/1/rps/10s')).toBeNull()
  expect(reader.series('customers/3/rps/10s')!.values).toStrictEqual([308, 309])
  expect(reader.series('customers/2/rps/10s')!.values).toStrictEqual([
    201, 202, 203, 204, 205, 206, 207, 208, 209,
  ])
  goTo(12)
  expect(reader.series('customers/3/rps/1m')!.values).toStrictEqual([310])
})

test('as of a time, nothing later is shown, and all that a ring shows at that time', () => {
  const { reader, goTo } = history([fleet], (step) => step)
  goTo(400)
  const at400 = reader.series('fleet/hosts_online/10s')
  const minutesAt400 = reader.series('fleet/hosts_online/1m')
  expect(minutesAt400).toMatchObject({ lastNs: 396n * tenSecondsNs })
  goTo(760)
  expect(reader.series('fleet/hosts_online/10s', 400n * tenSecondsNs)).toStrictEqual(at400)
  expect(reader.series('fleet/hosts_online/10s', 401n * tenSecondsNs - 1n)).toStrictEqual(at400)
  expect(reader.series('fleet/hosts_online/1m', 400n * tenSecondsNs)).toStrictEqual(minutesAt400)
})

test('overwritten rows are left out at an earlier time', () => {
  const { reader, goTo } = history([fleet], (step) => step)
  goTo(1_000)
  expect(reader.series('fleet/hosts_online/10s', 300n * tenSecondsNs)).toMatchObject({
    values: Array.from({ length: 300 - 280 }, (_, index) => 281 + index),
    lastNs: 300n * tenSecondsNs,
  })
  expect(reader.series('fleet/hosts_online/10s', 100n * tenSecondsNs)).toMatchObject({
    values: [],
    lastNs: 0n,
  })
})

test('as of a time, the entities of that time have paths', () => {
  const { reader, scripted, goTo } = history(
    [customer(1), customer(2)],
    (step, { id }) => step + Number(id) * 100,
  )
  goTo(7)
  const before = reader.paths('')
  scripted.become([customer(2), customer(3)])
  goTo(9)
  const after = reader.paths('')
  expect(after.paths).toContain('customers/3/rps/10s')
  expect(after.paths).not.toContain('customers/1/rps/10s')
  expect(reader.paths('', 7n * tenSecondsNs)).toStrictEqual(before)
  expect(reader.series('customers/3/rps/10s', 7n * tenSecondsNs)).toBeNull()
  expect(reader.series('customers/1/rps/10s', 7n * tenSecondsNs)!.values).toStrictEqual([
    101, 102, 103, 104, 105, 106, 107,
  ])
})

test('slots of removed entities are reused once no reader asks for them, and those of returning ones at once', () => {
  const { reader, scripted, goTo, bytes } = history([customer(1)], (_step, { id }) => Number(id))
  const before = 4n * tenSecondsNs
  goTo(5)
  const replaceUntil = (last: number): void => {
    for (let id = Number(scripted.entities[0].id) + 1; id <= last; id++) {
      scripted.become([customer(id)])
      goTo(scripted.step + 40)
    }
  }
  replaceUntil(50)
  const bytesOf50 = bytes()
  replaceUntil(199)
  expect(bytes()).toBe(bytesOf50)
  expect(reader.series('customers/1/rps/10s', before)).toBeNull()
  scripted.become([customer(198)])
  goTo(scripted.step + 1)
  expect(reader.series('customers/198/rps/10s')!.values).toStrictEqual([198])
  expect(reader.paths('customers/').paths.filter((path) => path === 'customers/198/rps/10s')).toHaveLength(1)
})

test('missing steps get the values of the next sample; a long gap starts the history over', () => {
  const { reader, jumpTo } = history([fleet], (step) => step)
  jumpTo(100)
  jumpTo(103)
  expect(reader.series('fleet/hosts_online/10s')!.values).toStrictEqual([100, 103, 103, 103])
  jumpTo(20_000)
  expect(reader.series('fleet/hosts_online/10s')).toMatchObject({
    values: [20_000],
    lastNs: 200_000_000_000_000n,
  })
  jumpTo(50)
  expect(reader.series('fleet/hosts_online/10s')).toMatchObject({ values: [50], lastNs: 500_000_000_000n })
})

test('rows beyond any query are dropped without changing the results of queries', () => {
  const scripted = new ScriptedHistory([fleet], (_entity, _metric, step) => Math.ceil(step / 30) % 1_000)
  const warm = new HistoryRings(scripted, { readFromNs: 20_000n * tenSecondsNs })
  const plain = new HistoryRings(scripted)
  for (scripted.step = 1; scripted.step <= 20_100; scripted.step++) {
    warm.record(BigInt(scripted.step) * tenSecondsNs)
    plain.record(BigInt(scripted.step) * tenSecondsNs)
  }
  for (const path of plain.paths('').paths) {
    expect(warm.series(path)).toStrictEqual(plain.series(path))
  }
})

test('paths are listed by subject, id, metric and step', () => {
  const { reader, goTo } = history([zone(10), zone(9), zone(2n ** 62n), fleet], () => 1)
  goTo(1)
  const { paths, total } = reader.paths('')
  expect(total).toBe(14 * 4 + 3 * 11 * 4)
  expect(paths).toHaveLength(total)
  expect(paths.slice(0, 5)).toStrictEqual(
    [
      'fleet/wan_ingress_gbps/10s fleet/wan_ingress_gbps/1m fleet/wan_ingress_gbps/1h',
      'fleet/wan_ingress_gbps/1d fleet/wan_egress_gbps/10s',
    ].flatMap((line) => line.split(' ')),
  )
  expect(paths.filter((path) => path.endsWith('/health/1d'))).toStrictEqual([
    'azs/9/health/1d',
    'azs/10/health/1d',
    'azs/4611686018427387904/health/1d',
  ])
  for (const path of paths) expect(reader.series(path)).not.toBeNull()
})

test('a prefix narrows the list and its total', () => {
  const { reader, goTo } = history([fleet, zone(1), zone(10), zone(2)], () => 1)
  goTo(1)
  expect(reader.paths('azs/1').total).toBe(2 * 11 * 4)
  expect(reader.paths('azs/1/').total).toBe(11 * 4)
  expect(reader.paths('azs/1/health').paths).toStrictEqual(
    'azs/1/health/10s azs/1/health/1m azs/1/health/1h azs/1/health/1d'.split(' '),
  )
  expect(reader.paths('azs/1/health/1m')).toStrictEqual({ paths: ['azs/1/health/1m'], total: 1 })
  expect(reader.paths('azs/1/health/1m/')).toStrictEqual({ paths: [], total: 0 })
  expect(reader.paths('customers')).toStrictEqual({ paths: [], total: 0 })
})

test.each([
  ...'fleet fleet/hosts_online fleet/hosts_online/5s fleet/0/hosts_online/10s'.split(' '),
  ...'azs/01/health/10s azs/1/rps/10s azs/3/health/10s moons/1/health/10s azs/1/health/10s/'.split(' '),
  ...'constructor/1/health/10s'.split(' '),
  '',
])('there is no path %o', (path) => {
  const { reader, goTo } = history([fleet, zone(1)], () => 1)
  goTo(1)
  expect(reader.series(path)).toBeNull()
})
