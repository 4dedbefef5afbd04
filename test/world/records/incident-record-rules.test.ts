import { expect, test } from 'vitest'
import { createIncidentRecords } from '../../../src/world/records/operations/incidents.ts'
import { newCause } from '../../../src/world/simulation/incidents/diagnosis/confidence.ts'
import type { Cause, Incident } from '../../../src/world/simulation/incidents/model.ts'
import { touch, writable } from '../../../src/world/simulation/incidents/model.ts'
import { minute } from '../../../src/world/simulation/time.ts'
import { host, now, responseWith, rootAt } from '../simulation/incidents/response-fixture.ts'

const observation = (value: string, likelihood: number) => ({
  label: '**Fans**',
  value,
  detail: '',
  likelihood,
})

const cause = (kind: Cause['kind'], about: Partial<Cause> = {}): Cause =>
  newCause({ now }, { kind, target: host(3), prior: 1, clearestAt: now, confidence: 40, ...about })

/** An open incident about the fourth host, with the function that returns its record. */
function recorded(prepare: (incident: Incident) => void = () => {}) {
  const { world, incidents, open } = responseWith()
  const incident = open()
  writable(incident, 'causes').causes = []
  prepare(incident)
  const records = createIncidentRecords(incidents)
  const record = () => {
    records.update()
    return records.incidents[0]
  }
  return { world, incidents, incident, records, record }
}

test('evidence of the leading cause comes first, then by what it says and by the confidence in its cause', () => {
  const { record } = recorded((incident) => {
    writable(incident, 'causes').causes = [
      // Strengths of 3 and 0.02: one over 0.5, in hundredths.
      cause('FanFailure', {
        confidence: 0,
        observations: [observation('3', 3), { ...observation('0.5', 0.5), label: 'Lights' }],
      }),
      // Strengths of 4 and 0.2.
      cause('HostFailure', {
        confidence: 50,
        observations: [observation('2', 2), { ...observation('0.05', 0.05), label: 'Disk' }],
      }),
      // Strengths of 1.5 and, at a likelihood of one, 1.5 too; fans that are normal for this cause are not for others.
      cause('DiskFailure', {
        confidence: 25,
        observations: [
          observation('1', 1),
          { ...observation('0.01', 0.01), label: 'Clock' },
          observation('0.02', 0.02),
        ],
      }),
      // A cause that was ruled out supports nothing.
      cause('ClockDrift', { confidence: 0, cleared: true, observations: [observation('9', 9)] }),
    ]
  })
  expect(record().evidence.map(({ value, leading }) => [value, leading])).toEqual([
    ['3', true],
    ['2', false],
    ['1', false],
    ['0.01', false],
    ['2 are normal', false],
  ])
  expect(record().evidence.at(-1)).toMatchObject({ label: 'Other readings', detail: 'Disk, Lights.' })
  expect(record().evidence[0]).toMatchObject({ label: '**Fans**', label_plain: 'Fans' })
})

test('a reading about another suspect is not that of a leading cause without any', () => {
  const { record } = recorded((incident) => {
    const other = cause('HostFailure', { confidence: 30, observations: [observation('2', 5)] })
    writable(incident, 'causes').causes = [cause('FanFailure'), other]
  })
  expect(record().evidence.map(({ value, leading }) => [value, leading])).toEqual([['2', false]])
})

test('ten readings are the most that a record has', () => {
  const { record } = recorded((incident) => {
    const observations = Array.from({ length: 11 }, (_, nth) => observation(String(nth), 20 - nth))
    writable(incident, 'causes').causes = [cause('FanFailure', { observations })]
  })
  expect(record().evidence.map(({ value }) => Number(value))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a suspected cause is named with its place, and with what to read about it', () => {
  const { record } = recorded((incident) => {
    writable(incident, 'causes').causes = [
      cause('CoolingFailure', { target: { kind: 'CoolingUnit', row: 1 }, confidence: 60 }),
      cause('FanFailure', { cleared: true }),
    ]
  })
  expect(record()).toMatchObject({
    root_kind: 'Unknown',
    root_entity_id: null,
    rack_id: null,
    confirmed: false,
    causes: [
      { root_kind: 'CoolingFailure', entity_id: 2, rack_id: null, confidence: 60, cleared: false },
      { root_kind: 'FanFailure', entity_id: 4, rack_id: 1, confidence: 40, confirmed: false, cleared: true },
    ],
  })
  expect(record().articles.map(({ id }) => id)).toEqual([
    'symptom/host-unreachable',
    'cause/cooling',
    'cause/first-steps',
  ])
})

test('a confirmed cause needs no first steps', () => {
  const { record } = recorded((incident) => {
    Object.assign(writable(incident, 'causes'), {
      causes: [cause('HostFailure', { confirmed: true })],
      root: rootAt(3),
      rootKind: 'HostFailure',
    })
  })
  expect(record()).toMatchObject({
    root_kind: 'HostFailure',
    root_entity_id: 4,
    rack_id: 1,
    confirmed: true,
    root_msg_args: record().causes[0].msg_args,
  })
  expect(record().articles.map(({ id }) => id)).toEqual(['symptom/host-unreachable', 'cause/host-failure'])
})

test('impact is in ids, and in cents', () => {
  const { record } = recorded((incident) => {
    Object.assign(incident.impact, {
      customers: [7, 9],
      hosts: [0, 3],
      hostTotal: 5,
      revenueAtRiskPerHour: 12.346,
      tier: 'Gold',
      redundancyBroken: true,
    })
  })
  expect(record()).toMatchObject({
    affected_customer_ids: [7, 9],
    affected_host_ids: [1, 4],
    affected_host_total: 5,
    revenue_at_risk_per_hour_dollars: 12.35,
    max_sla_tier: 'Gold',
    redundancy_promise_broken: true,
    started_at_ns: 360_000_000_000_000n,
    resolved_at_ns: null,
  })
})

test('a record stays the same object, and follows its incident when that has changed', () => {
  const { world, incidents, incident, records, record } = recorded()
  const first = record()
  writable(incident, 'hint').hintTier = 2
  expect(record().hint_tier).toBe(0)
  world.now += minute
  touch(incident, world.now)
  expect(record()).toBe(first)
  expect([first.hint_tier, first.last_changed_at_ns]).toEqual([2, 360_060_000_000_000n])
  writable(incident, 'lifecycle').resolved = world.now
  touch(incident, world.now)
  const state = incidents.state as unknown as { open: Map<number, Incident>; resolved: Incident[] }
  state.open.clear()
  state.resolved.push({ ...incident, id: 5 }, incident)
  records.update()
  expect(records.incidents).toEqual([])
  expect(records.resolvedIncidents.map(({ id }) => id)).toEqual([incident.id, 5])
  expect(records.resolvedIncidents[0]).toBe(first)
  expect(first.resolved_at_ns).toBe(360_060_000_000_000n)
})
