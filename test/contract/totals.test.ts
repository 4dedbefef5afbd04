import { expect, test } from 'vitest'
import { createTotalsLedger, timeToResolveBuckets } from '../../src/contract/totals.ts'

test('events are counted by kind and severity', () => {
  const totals = createTotalsLedger()
  totals.event('PartFailed', 'Error')
  totals.event('PartFailed', 'Warning')
  totals.event('PartFailed', 'Error')
  expect(totals.events).toStrictEqual([
    { kind: 'PartFailed', severity: 'Error', count: 2 },
    { kind: 'PartFailed', severity: 'Warning', count: 1 },
  ])
})

test('incidents are counted when they open and when they are resolved', () => {
  const totals = createTotalsLedger()
  totals.incidentOpened('Watch', 'HighLatency')
  totals.incidentOpened('Watch', 'HighLatency')
  totals.incidentResolved('Major', 'CableCut', 300)
  totals.incidentResolved('Major', 'CableCut', 301)
  totals.incidentResolved('Major', 'Attack', 9_999_999)
  expect(totals.incidentsOpened).toStrictEqual([{ band: 'Watch', symptom_kind: 'HighLatency', count: 2 }])
  expect(totals.incidentsResolved).toStrictEqual([
    { band: 'Major', root_kind: 'CableCut', count: 2 },
    { band: 'Major', root_kind: 'Attack', count: 1 },
  ])
  const [{ counts, seconds }] = totals.timeToResolve
  expect(counts).toStrictEqual([1, 1, ...Array.from({ length: timeToResolveBuckets.length - 2 }, () => 0), 1])
  expect(seconds).toBe(10_000_600)
})
