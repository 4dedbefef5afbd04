import { expect, test } from 'vitest'
import type { IncidentRecord } from '../../src/contract/collections.ts'
import { EngineEvent, Incident } from '../../src/contract/records/operations.ts'
import { createObservedTotals } from '../../src/metrics/observed-totals.ts'
import { blank, literalSnapshot } from '../literal-world.ts'

const event = (at: number) => blank(EngineEvent, { at_ns: at, kind: 'PartFailed', severity: 'Error' })
const incident = (id: number, rest: Partial<IncidentRecord> = {}) =>
  blank(Incident, { id, symptom_kind: 'LinkDown', ...rest })

test('events are counted once each, those that were there at the start not at all', () => {
  const observed = createObservedTotals()
  observed.observe(literalSnapshot({}, { events: [event(5), event(9)] }))
  expect(observed.totals.events).toStrictEqual([])
  observed.observe(literalSnapshot({}, { events: [event(5), event(9), event(12)] }))
  observed.observe(literalSnapshot({}, { events: [event(12), event(13), event(20)] }))
  expect(observed.totals.events).toStrictEqual([{ kind: 'PartFailed', severity: 'Error', count: 3 }])
})

test('incidents are counted as they open, and as they are resolved with the highest band that was seen', () => {
  const observed = createObservedTotals()
  observed.observe(literalSnapshot({ incidents: [incident(1)] }))
  observed.observe(literalSnapshot({ incidents: [incident(1), incident(2, { band: 'Major' })] }))
  observed.observe(literalSnapshot({ incidents: [incident(2, { band: 'Minor' })] }))
  const resolved = incident(2, {
    band: 'Watch',
    root_kind: 'CableCut',
    started_at_ns: 1_000_000_000,
    resolved_at_ns: 401_000_000_000,
  })
  observed.observe(literalSnapshot({ resolvedIncidents: [resolved] }))
  observed.observe(literalSnapshot({ resolvedIncidents: [resolved] }))
  const { incidentsOpened, incidentsResolved, timeToResolve } = observed.totals
  expect(incidentsOpened).toStrictEqual([{ band: 'Major', symptom_kind: 'LinkDown', count: 1 }])
  expect(incidentsResolved).toStrictEqual([{ band: 'Major', root_kind: 'CableCut', count: 1 }])
  expect(timeToResolve).toMatchObject([{ band: 'Major', seconds: 400 }])
})
