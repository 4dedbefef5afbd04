import { expect, test } from 'vitest'
import { readTotals, TotalsError } from '../../../src/sources/attached/upstream-totals.ts'

const bucket = (le: string, count: number, band = 'Major'): string =>
  `dcsim_incidents_time_to_resolve_seconds_bucket{band="${band}",le="${le}"} ${count}`

/** Five minutes, ten, half an hour, 1, 2, 4, 8, 12, 24, 48 hours and a week, in the notation of the exposition. */
const bounds = ['300', '600', '1800', '3600', '7200', '14400', '28800', '43200', '86400', '172800', '604800']

test('cumulative buckets become counts of their own, the last those of longer durations', () => {
  const cumulative = [1, 1, 3, 3, 3, 4, 4, 4, 9, 9, 10]
  const lines = bounds.map((le, nth) => bucket(le, cumulative[nth]))
  const text = [
    ...lines,
    bucket('+Inf', 12),
    'dcsim_incidents_time_to_resolve_seconds_sum{band="Major"} 1234.5',
    'dcsim_incidents_time_to_resolve_seconds_count{band="Major"} 12',
  ].join('\n')
  expect(readTotals(text)!.timeToResolve).toEqual([
    { band: 'Major', counts: [1, 0, 2, 0, 0, 1, 0, 0, 5, 0, 1, 2], seconds: 1_234.5 },
  ])
})

test('a bound may be written in any way, and one that we do not have is left out', () => {
  const text = [
    bucket('300.0', 1),
    bucket('6e2', 2),
    bucket('900', 7),
    bucket('1800', 3),
    bucket('+Inf', 3),
  ].join('\n')
  expect(readTotals(text)!.timeToResolve[0].counts.slice(0, 4)).toEqual([1, 1, 1, 0])
})

test('bands are apart, and one without incidents is left out', () => {
  const text = [bucket('300', 2), bucket('300', 5, 'Minor'), bucket('300', 0, 'Watch')].join('\n')
  expect(readTotals(text)!.timeToResolve.map(({ band, counts }) => [band, counts[0]])).toEqual([
    ['Major', 2],
    ['Minor', 5],
  ])
})

test('counters are read by their labels; those at 0 are left out', () => {
  const text = [
    '# TYPE dcsim_events_total counter',
    'dcsim_events_total{kind="HostDown",severity="error"} 3',
    'dcsim_events_total{kind="HostUp",severity="info"} 0',
    'dcsim_incidents_opened_total{band="Watch",symptom_kind="A \\"b\\"\\n\\\\c"} 2',
    'dcsim_incidents_resolved_total{band="Minor",root_kind="Unknown",} 1',
    'other_total 9',
  ].join('\n')
  expect(readTotals(text)).toEqual({
    events: [{ kind: 'HostDown', severity: 'error', count: 3 }],
    incidentsOpened: [{ band: 'Watch', symptom_kind: 'A "b"\n\\c', count: 2 }],
    incidentsResolved: [{ band: 'Minor', root_kind: 'Unknown', count: 1 }],
    timeToResolve: [],
  })
})

test.each([
  ['', null],
  ['other_total 9', null],
])('%j has none of them', (text, totals) => {
  expect(readTotals(text)).toBe(totals)
})

const counter = 'dcsim_events_total{kind="a",severity="b"}'

test.each([
  [`${counter} 9007199254740991`, 9_007_199_254_740_991],
  [`${counter} 1e3`, 1_000],
])('%s is a count', (line, count) => {
  expect(readTotals(line)!.events[0].count).toBe(count)
})

test.each([
  [`${counter} 9007199254740992`],
  [`${counter} -1`],
  [`${counter} NaN`],
  [`${counter} +Inf`],
  [counter],
  ['dcsim_events_total{kind="a} 1'],
  ['dcsim_events_total{kind=a} 1'],
  ['dcsim_events_total{kind="a" severity="b"} 1'],
  [`${counter} 1 1700000000000`],
  [`${counter} 0x7`],
  [`${counter} １`],
  [`${counter} 1e999`],
  [`dcsim_events_total{kind="${'\\'.repeat(300_001)}"} 1`],
  [`dcsim_events_total${' '.repeat(8_000_000)}`],
  [`dcsim_events_total{${'a'.repeat(3_000_000)}} 1`],
])('%.60s is refused', (line) => {
  expect(() => readTotals(line)).toThrow(TotalsError)
})

test('ten thousand samples are read, one more is refused', () => {
  const samples = (count: number): string =>
    Array.from({ length: count }, (_, nth) => `dcsim_events_total{kind="${nth}",severity=""} 1`).join('\n')
  expect(readTotals(samples(10_000))!.events).toHaveLength(10_000)
  expect(() => readTotals(samples(10_001))).toThrow('more than 10000 samples')
})
