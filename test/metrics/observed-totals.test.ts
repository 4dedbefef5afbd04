import { expect, test } from 'vitest'
import type { EventRecord, IncidentRecord } from '../../src/contract/collections.ts'
import { EngineEventSchema, IncidentSchema } from '../../src/contract/records/operations.ts'
import { createTotalsFromEvents } from '../../src/metrics/totals-from-events.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'

const event = (at: number, kind: EventRecord['kind'] = 'PartFailed') =>
  emptyRecord(EngineEventSchema, { at_ns: at, kind, severity: 'Error' })
const incident = (id: number, rest: Partial<IncidentRecord> = {}) =>
  emptyRecord(IncidentSchema, { id, symptom_kind: 'LinkDown', ...rest })

test('events are counted once each, those that were there at the start not at all', () => {
  const observed = createTotalsFromEvents()
  observed.observe(snapshotWith({}, { events: [event(5), event(9)] }))
  expect(observed.totals.events).toStrictEqual([])
  observed.observe(snapshotWith({}, { events: [event(5), event(9), event(12)] }))
  observed.observe(snapshotWith({}, { events: [event(12), event(13), event(20)] }))
  expect(observed.totals.events).toStrictEqual([{ kind: 'PartFailed', severity: 'Error', count: 3 }])
})

test('events of one time are counted once each, in one snapshot and in several', () => {
  const observed = createTotalsFromEvents()
  observed.observe(snapshotWith({}, { events: [event(10), event(10)] }))
  observed.observe(snapshotWith({}, { events: [event(10), event(10), event(10), event(20)] }))
  expect(observed.totals.events).toStrictEqual([{ kind: 'PartFailed', severity: 'Error', count: 2 }])
  // Those of a time may be in any order.
  const later = [event(20, 'PartRestored'), event(20), event(20), event(30), event(30)]
  observed.observe(snapshotWith({}, { events: later }))
  observed.observe(snapshotWith({}, { events: later }))
  expect(observed.totals.events).toStrictEqual([
    { kind: 'PartFailed', severity: 'Error', count: 5 },
    { kind: 'PartRestored', severity: 'Error', count: 1 },
  ])
})

test('incidents are counted as they open, and as they are resolved with the highest band that was seen', () => {
  const observed = createTotalsFromEvents()
  observed.observe(snapshotWith({ incidents: [incident(1)] }))
  observed.observe(snapshotWith({ incidents: [incident(1), incident(2, { band: 'Major' })] }))
  observed.observe(snapshotWith({ incidents: [incident(2, { band: 'Minor' })] }))
  const resolved = incident(2, {
    band: 'Watch',
    root_kind: 'CableCut',
    started_at_ns: 1_000_000_000,
    resolved_at_ns: 401_000_000_000,
  })
  observed.observe(snapshotWith({ resolvedIncidents: [resolved] }))
  observed.observe(snapshotWith({ resolvedIncidents: [resolved] }))
  const { incidentsOpened, incidentsResolved, timeToResolve } = observed.totals
  expect(incidentsOpened).toStrictEqual([{ band: 'Major', symptom_kind: 'LinkDown', count: 1 }])
  expect(incidentsResolved).toStrictEqual([{ band: 'Major', root_kind: 'CableCut', count: 1 }])
  expect(timeToResolve).toMatchObject([{ band: 'Major', seconds: 400 }])
})

test('what a list has when it is first told, or told again, has not happened since', () => {
  const observed = createTotalsFromEvents()
  const unknown = { events: 'It has status 404.', incidents: 'It has status 404.' }
  const told = snapshotWith({ incidents: [incident(1)] }, { events: [event(10), event(20)] })
  observed.observe(snapshotWith({}, { unknown }))
  observed.observe(told)
  observed.observe(snapshotWith({}, { unknown }))
  observed.observe(told)
  expect(observed.totals).toMatchObject({ events: [], incidentsOpened: [] })
  observed.observe(
    snapshotWith({ incidents: [incident(1), incident(2)] }, { events: [event(20), event(30)] }),
  )
  expect(observed.totals.events).toStrictEqual([{ kind: 'PartFailed', severity: 'Error', count: 1 }])
  expect(observed.totals.incidentsOpened).toMatchObject([{ symptom_kind: 'LinkDown', count: 1 }])
})
