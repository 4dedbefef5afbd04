import { describe, expect, test } from 'vitest'
import { createSymptomAssignment } from '../../../../src/world/simulation/incidents/correlation/symptom-assignment.ts'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import type { Incident, Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import { minute } from '../../../../src/world/simulation/time.ts'
import { reviewIncident } from '../../../../src/world/simulation/incidents/response.ts'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { followEvents } from '../follow-events.ts'
import { host, now, responseWith, rootAt } from './response-fixture.ts'

/** Which incident a symptom joins or moves to, and how many are considered. */

type Fixture = ReturnType<typeof responseWith>
/** A customer with a unit on each of these hosts. */
const slowCustomerOn = ({ addTenant }: Fixture, p99Ms: number, ...rows: number[]): Subject => ({
  kind: 'Customer',
  id: addTenant({ hosts: Int32Array.from(rows), p99Ms, p99BudgetMs: 1 }).id,
})
const customerOn = (fixture: Fixture, ...rows: number[]): Subject => slowCustomerOn(fixture, 2, ...rows)
const confirm = (incident: Incident, row: number, ended: number | null = null): void =>
  void (writable(incident, 'causes').root = { ...rootAt(row), ended })
/** Ids of the open incidents, each with the keys of its symptoms. */
const symptomsOf = ({ response: { state } }: Fixture) =>
  Object.fromEntries(
    [...state.open.values()].map(({ id, symptoms }) => [id, [...symptoms].map(({ key }) => key)]),
  )

describe('a new symptom', () => {
  type Seen = readonly [SignalName, Subject]
  type Case = readonly [
    name: string,
    open: readonly (readonly Seen[])[],
    seen: Seen,
    joins: number | null,
    prepare?: (incidents: readonly Incident[], symptom: Symptom) => void,
  ]
  const has = (...seen: readonly Seen[]): readonly Seen[] => seen
  const edge: Subject = { kind: 'Switch', row: 0 }
  const twin: Subject = { kind: 'Switch', row: 1 }
  const gateway: Subject = { kind: 'Gateway', row: 0 }
  const victim = { kind: 'Customer', id: 1 } as const
  const fan: Seen = ['host-fan', host(3)]
  const slow: Seen = ['customer-slow', victim]
  const slowNeighbor: Seen = ['customer-slow', { kind: 'Customer', id: 2 }]
  const attackUntil =
    (ended: number | null) =>
    ([incident]: readonly Incident[]): void =>
      void (writable(incident, 'causes').root = { ...rootAt(0), kind: 'Attack', target: victim, ended })
  const confirmed =
    (row: number, ended: number | null = null) =>
    ([incident]: readonly Incident[]): void =>
      confirm(incident, row, ended)
  const remember = ([incident]: readonly Incident[], { key }: Symptom): void =>
    void writable(incident, 'symptoms').symptomKeys.add(key)

  /** Has units on both hosts, so that each of them may be its cause. */
  const both: Subject = { kind: 'Customer', id: 3 }

  const flood: Seen = ['customer-flood', victim]
  const failing: Seen = ['customer-failing', victim]
  const silent = has(['host-silent', host(0)])
  const silentBoth = has(['host-silent', host(0)], ['customer-slow', both])
  const endedLately = confirmed(0, now - 3 * minute)
  const endedLongAgo = confirmed(0, now - 3 * minute - 1)
  const sufferedBefore = ([{ symptoms }]: readonly Incident[]): void =>
    void Object.assign([...symptoms][0], { since: now - 2 * minute - 1 })
  const rememberedAfter = (incidents: readonly Incident[], symptom: Symptom): void => {
    endedLongAgo(incidents)
    remember(incidents, symptom)
  }

  const cases: readonly Case[] = [
    [
      'of a failed part joins none of another with a common customer',
      [silentBoth],
      ['host-silent', host(5)],
      null,
    ],
    [
      'of a possible cause joins none of another with a common customer',
      [silentBoth],
      ['host-hot', host(5)],
      null,
    ],
    [
      'of a host joins what its customer suffers from',
      [has(['customer-slow', both])],
      ['host-silent', host(5)],
      1,
    ],
    ['joins none without likeness', [has(fan)], ['host-fan', host(4)], null],
    ['joins the one at its host', [has(fan)], ['host-disk', host(3)], 1],
    ['joins none for a likelihood of 0.1', [has(['host-fan', host(0)])], slow, null],
    ['joins its cause at 0.9', [silent], slow, 1],
    ['joins the likelier of two', [has(['switch-silent', edge]), has(['host-hot', host(0)])], slow, 1],
    [
      'joins the latest of two as likely',
      [has(['switch-storm', edge]), has(['switch-storm', twin])],
      ['gateway-dropping', gateway],
      2,
    ],
    ['returns to its incident, which it is not like', [has(fan)], ['host-fan', host(4)], 1, remember],
    ['joins an incident that is about its host', [has(slowNeighbor)], fan, 1, confirmed(3)],
    ['joins none that was about its host', [has(slowNeighbor)], fan, null, confirmed(3, now)],
    ['joins none that is about another host', [has(slowNeighbor)], fan, null, confirmed(4)],
    ['joins none whose cause does not explain it', [silent], slow, null, confirmed(9)],
    ['of an attack joins what its victim suffers from', [has(slow)], flood, 1],
    ['of a confirmed attack joins its incident', [has(slow)], flood, 1, attackUntil(null)],
    ['of another attack, after the confirmed one, joins none', [has(slow)], flood, null, attackUntil(now)],
    ['of an attack joins none whose victim suffered before it', [has(slow)], flood, null, sufferedBefore],
    ['of a customer joins the last effects of a cause', [has(slow)], failing, 1, endedLately],
    ['of a customer joins none whose cause ended long ago', [has(slow)], failing, null, endedLongAgo],
    [
      'of a customer does not return to one whose cause ended long ago',
      [has(slow)],
      failing,
      null,
      rememberedAfter,
    ],
    ['of an attack joins none that has a cause', [has(['host-silent', host(0)], slow)], flood, null],
  ]
  test.each(cases.map((given) => [given[0], given] as const))('%s', (_, given) => {
    const [, open, seen, joins, prepare = () => {}] = given
    const fixture = responseWith()
    const { world, blastRadius, response, openWith, symptomOf } = fixture
    world.facility.hostRunning.fill(1)
    for (const rows of [[0], [5], [0, 5]]) customerOn(fixture, ...rows)
    const incidents = open.map((symptoms) => openWith(...symptoms.map((each) => symptomOf(...each))))
    const symptom = symptomOf(...seen)
    prepare(incidents, symptom)
    const assignment = createSymptomAssignment(world, blastRadius)
    expect(assignment.incidentFor(symptom, response.state.open.values())?.id ?? null).toBe(joins)
  })

  test.each([
    ['another', 0, null],
    ['the same', 5, 1],
  ])('of units that are lost again, with %s host', (_, lost, joins) => {
    const fixture = responseWith()
    const { world, blastRadius, response, openWith, symptomOf } = fixture
    world.network.hostReachable.fill(1)
    const stranded = symptomOf('customer-stranded', customerOn(fixture, 0, 5))
    const incident = openWith(symptomOf('host-memory', host(5)), symptomOf('customer-slow', stranded.subject))
    writable(incident, 'symptoms').symptomKeys.add(stranded.key)
    world.network.hostReachable[lost] = 0
    const assignment = createSymptomAssignment(world, blastRadius)
    expect(assignment.incidentFor(stranded, response.state.open.values())?.id ?? null).toBe(joins)
  })

  test.each([
    [12, { 11: [11], 12: [12] }],
    [14, { 11: [11], 12: [12, 13, 14] }],
  ])('of %i of a kind in a zone joins the last incident, from the 13th on', (count, last) => {
    const fixture = responseWith()
    const { response, symptomOf } = fixture
    const attacked = Array.from({ length: count }, () => symptomOf('customer-flood', customerOn(fixture, 0)))
    response.correlator.assign(attacked)
    expect(Object.keys(symptomsOf(fixture))).toHaveLength(12)
    expect(symptomsOf(fixture)).toMatchObject(last)
  })
})

describe('a symptom of a customer', () => {
  /** An incident of a failed disk and of customers of another host, which does not answer from now on. */
  function moved(
    ages: readonly number[],
    prepare: (symptom: Symptom) => void = () => {},
    since = now,
    p99Ms = 2,
  ) {
    const fixture = responseWith()
    const { response, symptomOf, openWith } = fixture
    const slow = ages.map((age) =>
      symptomOf('customer-slow', slowCustomerOn(fixture, p99Ms, 0, 5), { since, worsenedAt: now - age }),
    )
    const incident = openWith(symptomOf('host-disk', host(5)), ...slow)
    slow.forEach(prepare)
    response.correlator.assign([symptomOf('host-silent', host(0))])
    return { response, symptoms: symptomsOf(fixture), incident }
  }

  test.each([
    [0, { 1: [2], 2: [3, 1] }],
    [4 * minute, { 1: [2], 2: [3, 1] }],
    [4 * minute + 1, { 1: [2, 1], 2: [3] }],
  ])('that got worse %d µs before moves to the cause that explains it better', (age, expected) => {
    expect(moved([age]).symptoms).toEqual(expected)
  })

  test('does not return to an incident that it left', () => {
    expect(moved([0], ({ leftIncidents }) => leftIncidents.push(2)).symptoms).toEqual({ 1: [2, 1], 2: [3] })
  })

  test.each([
    [[0], 'The impact on Customer 1 is now attributed to incident 2.'],
    [[0, 0], 'The impact on Customer 1 and others is now attributed to incident 2.'],
  ])('leaves an entry in the timeline: %o', (ages, text) => {
    expect(moved(ages).incident.timeline.at(-1)!.detail).toBe(text)
  })

  test.each([
    ['within 4 minutes is not counted', 4 * minute, 1.4, []],
    ['within 4 minutes, after its band was announced, is counted', 4 * minute, 2, [1]],
    ['later is counted', 4 * minute + 1, 1.4, [1]],
  ])('that moves %s at the peak of the incident that it leaves', (_, age, p99Ms, expected) => {
    const { response, incident } = moved([0], undefined, now - age, p99Ms)
    reviewIncident(response, incident)
    expect([incident.impact.customers, incident.peakImpact.customers]).toEqual([[], expected])
  })

  test('waits, where more than 40 are to be reassessed', () => {
    const fixture = responseWith()
    const { response, symptomOf } = fixture
    const { toReassess } = response.state
    for (let count = 0; count < 41; count++) toReassess.add(symptomOf('customer-slow', host(0)))
    response.correlator.assign([])
    expect(toReassess.size).toBe(1)
  })
})

test('a band that came with the impact of another incident goes with it at once, and stays the peak that was told', () => {
  const fixture = responseWith()
  const { world, response, symptomOf, openWith } = fixture
  const slow = symptomOf('customer-failing', customerOn(fixture, 0, 5), { reading: 90, since: now })
  const incident = openWith(symptomOf('host-disk', host(5)))
  response.lifecycle.join(incident, slow, true)
  reviewIncident(response, incident)
  expect([incident.band, incident.peakBand]).toEqual(['Major', 'Major'])
  world.now += minute
  response.correlator.assign([symptomOf('host-silent', host(0))])
  reviewIncident(response, incident)
  expect([incident.band, incident.peakBand, incident.peakImpact.customers]).toEqual(['Watch', 'Major', [1]])
})

test.each([
  ['all', 1, [1]],
  ['a quarter', 0.25, []],
])(
  'a lossy link with %s of the traffic shares the customers of another incident that it alone would harm: %s',
  (_, share, expected) => {
    const fixture = responseWith()
    const { world, response, symptomOf, openWith } = fixture
    world.facility.hostRunning.fill(1)
    const { hosts, ports } = world.topology
    const [port, other] = [hosts.firstPort[0], hosts.firstPort[0] + 1]
    world.network.portTxGbps[port] = share
    world.network.portRxGbps[ports.peer[port]] = share
    world.network.portTxGbps[other] = 1 - share
    const victim = customerOn(fixture, 0)
    openWith(symptomOf('customer-flood', victim), symptomOf('customer-failing', victim, { reading: 28 }))
    for (const each of [...response.state.open.values()][0].symptoms)
      response.state.symptoms.set(each.key, each)
    const link = openWith(
      symptomOf('link-errors', { kind: 'Cable', row: ports.cable[port] }, { reading: 2.74 }),
    )
    reviewIncident(response, link)
    expect(link.impact.customers).toEqual(expected)
  },
)

test('a new incident is announced without what moved to another in the same poll', () => {
  const fixture = responseWith()
  const { response, symptomOf, openWith, world } = fixture
  openWith(symptomOf('host-fan', host(9)))
  const read = followEvents(world)
  const failing = symptomOf('customer-failing', customerOn(fixture, 0, 5), { reading: 90 })
  response.correlator.assign([
    symptomOf('host-fan', host(5)),
    symptomOf('host-hot', host(5)),
    failing,
    symptomOf('host-silent', host(0)),
  ])
  const texts = read().flatMap(({ kind, msg_key, msg_args }) =>
    kind === 'IncidentOpened' ? [messageText(msg_key, msg_args)] : [],
  )
  expect(texts).toEqual(['Incident 2 opened as Watch.', 'Incident 3 opened as Major.'])
  expect(symptomsOf(fixture)).toEqual({ 1: [1], 2: [3, 4], 3: [5, 2] })
  expect([...response.state.open.values()][1].timeline[0].detail).toMatch(/^A fan in /)
})

test('a symptom of a device stays with the incident to which it returns, though another explains it', () => {
  const fixture = responseWith()
  const { world, response, symptomOf, openWith } = fixture
  const { hosts, ports } = world.topology
  const incident = openWith(symptomOf('host-fan', host(3)))
  openWith(symptomOf('host-silent', host(0)))
  const down = symptomOf('link-down', { kind: 'Cable', row: ports.cable[hosts.firstPort[0]] })
  writable(incident, 'symptoms').symptomKeys.add(down.key)
  response.correlator.assign([down])
  expect(symptomsOf(fixture)).toEqual({ 1: [1, 3], 2: [2] })
})

describe('an incident without a cause of its own', () => {
  /** Explained by a confirmed failure of host 0: customers on it after others that are not. */
  function explainedBy(
    cause: SignalName,
    others: number,
    signals: readonly SignalName[] = ['customer-slow'],
    rows: readonly number[] = [0],
  ) {
    const fixture = responseWith()
    const { response, symptomOf, openWith } = fixture
    confirm(openWith(symptomOf(cause, host(0))), 0)
    const elsewhere = Array.from({ length: others }, () => symptomOf('customer-slow', customerOn(fixture, 5)))
    const victim = customerOn(fixture, ...rows)
    const incident = openWith(...elsewhere, ...signals.map((signal) => symptomOf(signal, victim)))
    response.correlator.seekExplanation(incident)
    return incident.explainedBy?.incidentId ?? null
  }
  test.each<[string, Parameters<typeof explainedBy>, number | null]>([
    ['its customer', ['host-silent', 0], 1],
    ['the twelfth of its symptoms', ['host-silent', 11], 1],
    ['none of the first twelve', ['host-silent', 12], null],
    ['lost hosts, before all others', ['host-silent', 12, ['customer-slow', 'customer-stranded']], 1],
    ['nothing by 0.1', ['host-fan', 0], null],
    [
      'its customer by 0.108',
      ['feed-dead', 0, ['customer-slow'], Array.from({ length: 12 }, (_, row) => row)],
      1,
    ],
    ['its customer by 0.65', ['host-disk', 0], 1],
    ['nothing that it has a cause for', ['host-silent', 0, ['customer-slow', 'customer-flood']], null],
  ])('is explained in %s', (_, given, expected) => {
    expect(explainedBy(...given)).toBe(expected)
  })
})

test('what remains of an incident whose cause has ended is one new incident, as of now', () => {
  const fixture = responseWith()
  const { world, response, symptomOf, openWith } = fixture
  const slow = [0, 5].map((row) => symptomOf('customer-slow', customerOn(fixture, row)))
  const incident = openWith(symptomOf('host-silent', host(0)), ...slow)
  confirm(incident, 0, now)
  writable(incident, 'symptoms').symptoms.delete([...incident.symptoms][0])
  world.now += 20 * minute
  const heirs = response.correlator.split(incident)
  expect(heirs.map(({ id }) => id)).toEqual([2])
  expect(symptomsOf(fixture)).toEqual({ 1: [], 2: [1, 2] })
  expect(slow.map(({ worsenedAt, incidentId }) => [worsenedAt, incidentId])).toEqual([
    [world.now, 2],
    [world.now, 2],
  ])
  expect(response.state.diagnosisRequests.map(({ id }) => id)).toEqual([1, 2])
})

test.each([
  ['its only host', [0], 1],
  ['one of its twelve hosts', Array.from({ length: 12 }, (_, row) => row), 3],
])('what remains of it goes to one whose confirmed cause explains it a little, by %s', (_, rows, heir) => {
  const fixture = responseWith()
  const { response, symptomOf, openWith } = fixture
  confirm(openWith(symptomOf('feed-dead', host(0))), 0)
  const incident = openWith(symptomOf('customer-slow', customerOn(fixture, ...rows)))
  confirm(incident, 5, now)
  expect(response.correlator.split(incident).map(({ id }) => id)).toEqual([heir])
})

test('an incident is continued in that of its actual cause', () => {
  const fixture = responseWith()
  const { response, symptomOf, openWith } = fixture
  const [from, into] = [0, 5].map((row) => openWith(symptomOf('host-fan', host(row))))
  writable(into, 'causes').root = rootAt(5)
  expect(response.correlator.merge(from, into)).toBe(false)
  writable(into, 'causes').root = rootAt(0)
  expect(response.correlator.merge(from, into)).toBe(true)
  expect(symptomsOf(fixture)).toEqual({ 1: [], 2: [2, 1] })
  expect([from.partOfId, from.timeline.at(-1)!.detail]).toEqual([
    2,
    'Same cause as incident 2; continued there.',
  ])
})
