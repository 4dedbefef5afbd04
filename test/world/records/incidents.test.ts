import { describe, expect, test } from 'vitest'
import type { IncidentRecord } from '../../../src/contract/collections.ts'
import { causeCatalog } from '../../../src/world/simulation/faults/kinds.ts'
import {
  headlineOf,
  retitle,
  titleByWorstAffected,
} from '../../../src/world/simulation/incidents/writers/title.ts'
import type { Incident, Symptom } from '../../../src/world/simulation/incidents/model.ts'
import type { SignalName } from '../../../src/world/simulation/incidents/monitors/signals.ts'
import { symptomWording } from '../../../src/world/simulation/incidents/wording.ts'
import { hour, minute } from '../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../simulation/running-world.ts'
import type { RunningWorld } from '../simulation/running-world.ts'
import { symptomAt } from '../simulation/incidents/symptom-fixture.ts'

const from = 10 * hour

const open = ({ incidents }: RunningWorld): Incident[] => [...incidents.state.open.values()]

/** The records of all incidents, open ones first. */
function recordsOf({ records }: RunningWorld): IncidentRecord[] {
  records.update()
  return [...records.incidents, ...records.resolvedIncidents]
}

function worldAt(seed: bigint, scale: 'small' | 'medium'): RunningWorld {
  const world = createRunningWorld(seed, scale, 0, from)
  world.run(10 * minute)
  return world
}

describe('room in a pool', () => {
  const world = worldAt(1n, 'small')
  const { contention } = world.state.load
  const pool = world.state.topology.hosts.pool[0]
  const observeAt = (demand: number) => {
    contention.fill(0)
    contention[0] = demand
    for (const tenant of world.state.tenants.active) Object.assign(tenant, { failing: 0, p99Ms: 1 })
    const [check] = causeCatalog.CapacityExhaustion.checks
    return check.observe(world.state, { kind: 'Pool', row: pool }, world.incidents.context.telemetry)
  }

  test.each([
    [0.5, '50 %', 'Every host has CPU to spare.'],
    [0.9, '90 %', 'Every host has CPU to spare.'],
    [0.93, '93 %', 'It is nearly full, but no unit waits.'],
    [1.004, '100 %', 'It is nearly full, but no unit waits.'],
    [1.02, '102 %', 'Slightly more than it has, too little for users to notice.'],
    [1.06, '**106 %', 'Units wait for each other.'],
  ])('at %d is described as what %s means', (demand, value, detail) => {
    const observation = observeAt(demand)
    expect(observation.value.startsWith(value)).toBe(true)
    expect(observation.detail).toBe(detail)
  })

  test('is not ruled out by a reading above its capacity, or close to it', () => {
    for (const demand of [0.93, 1, 1.02, 1.04]) expect(observeAt(demand).likelihood).toBeGreaterThan(0.3)
    expect(observeAt(0.5).likelihood).toBeLessThan(0.3)
  })
})

describe('the loss of a power feed', () => {
  const world = worldAt(14n, 'medium')
  const { topology } = world.state
  const [row] = topology.zones[0].feeds
  const fault = world.faults.inject({
    kind: 'PowerFeedLoss',
    target: { kind: 'PowerFeed', row },
    magnitude: 1,
    lasts: 40 * minute,
  })
  world.run(10 * minute)
  const [incident] = recordsOf(world)

  test('concerns every host that it feeds, and breaks a promise', () => {
    expect(incident).toMatchObject({ symptom_kind: 'RedundancyLost', redundancy_promise_broken: true })
    expect(incident.affected_host_total).toBe(topology.zones[0].hosts.length)
    expect(incident.affected_host_ids.length).toBe(Math.min(50, topology.zones[0].hosts.length))
    expect(incident.band).not.toBe('Watch')
  })

  test('still says so once it is over', () => {
    world.run(2 * hour, () => open(world).length === 0)
    expect(fault.ended).not.toBeNull()
    const [resolved] = recordsOf(world)
    expect(resolved).toMatchObject({ id: incident.id, redundancy_promise_broken: true })
    expect(resolved.band).not.toBe('Watch')
  })
})

test('a promise that was broken for a while is broken in the resolved record, even if something else was worst', () => {
  const world = worldAt(1n, 'medium')
  const { state, faults } = world
  const promised = state.tenants.active.filter(
    ({ hosts, redundancyBroken }) => hosts.length > 1 && !redundancyBroken,
  )
  for (const tenant of promised.slice(0, 1)) {
    const { hosts } = tenant
    for (const row of hosts.slice(0, hosts.length - 1))
      faults.inject({ kind: 'HostFailure', target: { kind: 'Host', row }, magnitude: 1, lasts: null })
  }
  const broken = new Set<number>()
  world.run(20 * hour, () => {
    for (const { id, impact } of open(world)) if (impact.redundancyBroken) broken.add(id)
    return broken.size > 0 && open(world).length === 0
  })
  expect(broken.size).toBeGreaterThan(0)
  const records = recordsOf(world)
  for (const id of broken)
    expect(records.find((record) => record.id === id)).toMatchObject({ redundancy_promise_broken: true })
})

describe('a title', () => {
  const world = worldAt(2n, 'medium')
  const { state } = world
  const [a, b, c] = state.tenants.active
  let keys = 0
  const customerSymptom = (id: number, reading: number, signal: SignalName = 'customer-failing'): Symptom =>
    symptomAt(signal, { kind: 'Customer', id }, { key: ++keys, since: state.now, reading, incidentId: 1 })
  const incidentOf = (symptoms: readonly Symptom[]): Incident => {
    const headline = headlineOf(state, symptoms[0])
    return {
      headline,
      peakHeadline: headline,
      formerPeaks: [],
      peakHostCount: 0,
      symptoms: new Set(symptoms),
      symptomKeys: new Set(symptoms.map(({ key }) => key)),
      root: null,
      timeline: symptoms.map((symptom, index) => ({
        at: state.now,
        kind: index === 0 ? 'Opened' : 'SymptomSeen',
        detail: headlineOf(state, symptom).text,
      })),
    } as unknown as Incident
  }

  test('names the customer that is hit worst, first in the timeline too', () => {
    const incident = incidentOf([
      customerSymptom(a.id, 5),
      customerSymptom(b.id, 40),
      customerSymptom(c.id, 20),
    ])
    const texts = incident.timeline.map(({ detail }) => detail)
    titleByWorstAffected(state, incident)
    expect(incident.headline.customerId).toBe(b.id)
    expect(incident.timeline.map(({ kind }) => kind)).toEqual(['Opened', 'SymptomSeen', 'SymptomSeen'])
    expect(incident.timeline.map(({ detail }) => detail)).toEqual([texts[1], texts[0], texts[2]])
  })

  test('follows another customer once that is hit clearly worse, until the cause is confirmed', () => {
    const [first, second] = [customerSymptom(a.id, 30), customerSymptom(b.id, 31)]
    const incident = incidentOf([first, second])
    retitle(state, incident)
    expect(incident.headline.customerId).toBe(a.id)
    second.reading = 60
    retitle(state, { ...incident, root: {} } as unknown as Incident)
    expect(incident.headline.customerId).toBe(a.id)
    retitle(state, incident)
    expect(incident.headline.customerId).toBe(b.id)
  })

  test('of an attack stays that of the attack', () => {
    const incident = incidentOf([customerSymptom(a.id, 1, 'customer-flood'), customerSymptom(b.id, 90)])
    titleByWorstAffected(state, incident)
    retitle(state, incident)
    expect(incident.headline).toMatchObject({ kind: 'TrafficFlood', customerId: a.id })
  })
})

describe('an incident', () => {
  test('has one leading observation whenever it has any', () => {
    const world = worldAt(2n, 'medium')
    const [host] = world.state.topology.zones[0].hosts
    // A reboot that ends before the readings are taken: all of them contradict their causes.
    world.faults.inject({
      kind: 'HostFailure',
      target: { kind: 'Host', row: host },
      magnitude: 1,
      lasts: 3 * minute,
    })
    let against = 0
    world.run(10 * minute, () => {
      for (const { evidence } of recordsOf(world)) {
        if (evidence.length === 0) continue
        expect(evidence.map(({ leading }) => leading)).toEqual(evidence.map((_, index) => index === 0))
      }
      for (const { causes, root } of open(world)) {
        const likelihoods = causes.flatMap(({ observations }) =>
          observations.map(({ likelihood }) => likelihood),
        )
        if (root === null && likelihoods.length > 0 && likelihoods.every((likelihood) => likelihood < 1))
          against++
      }
    })
    expect(against).toBeGreaterThan(0)
  })

  test('that ended by itself was not mitigated, and points at no work that is to come', () => {
    const world = worldAt(2n, 'small')
    const target = { kind: 'Customer', id: world.state.tenants.active[0].id } as const
    world.faults.inject({ kind: 'Attack', target, magnitude: 100, lasts: 4 * minute, attackClass: 'Scan' })
    world.run(3 * hour, () => world.incidents.state.resolved.length > 0)
    const [resolved] = recordsOf(world)
    const kinds = resolved.timeline.map(({ kind }) => kind)
    expect(kinds).toContain('SymptomsCleared')
    expect(kinds).not.toContain('Mitigated')
    expect(resolved.hint).toMatch(/^Resolved\. /)
  })

  test('that was repaired was mitigated', () => {
    const world = worldAt(2n, 'small')
    world.faults.inject({ kind: 'FanFailure', target: { kind: 'Host', row: 3 }, magnitude: 1, lasts: null })
    world.run(20 * hour, () => world.incidents.state.resolved.length > 0)
    const [resolved] = recordsOf(world)
    const kinds = resolved.timeline.map(({ kind }) => kind)
    expect(kinds).toContain('Mitigated')
    expect(kinds.indexOf('Mitigated')).toBeGreaterThan(kinds.indexOf('WorkStarted'))
    expect(kinds).not.toContain('SymptomsCleared')
    expect(resolved.hint).toMatch(/^Resolved\. Cause: too little airflow in /)
  })
})

test('units without a host that serves them are counted in a sentence', () => {
  const { state } = worldAt(2n, 'small')
  const customer = state.tenants.active[0]
  const textOf = (reading: number, signal: SignalName = 'customer-stranded'): string =>
    symptomWording(state, symptomAt(signal, { kind: 'Customer', id: customer.id }, { reading })).text
  expect(textOf(100, 'customer-starved')).toBe(`Batch jobs of ${customer.name} stand still.`)
  expect(textOf(1)).toBe(`A unit of ${customer.name} is on a host that cannot serve it.`)
  expect(textOf(3)).toBe(`3 units of ${customer.name} are on hosts that cannot serve them.`)
})

test.each([
  ['Volumetric', 'traffic flood', /^Filter the traffic flood against /],
  ['Protocol', 'connection flood', /^Filter the connection flood against /],
  ['Application', 'request flood', /^Stop the request flood against /],
  ['Scan', 'probing', /^Filter the probing of /],
] as const)('an attack of class %s is called by what it is', (attackClass, evident, label) => {
  const world = worldAt(2n, 'small')
  const target = { kind: 'Customer', id: world.state.tenants.active[0].id } as const
  const magnitude = attackClass === 'Application' ? 9_000 : 400
  world.faults.inject({ kind: 'Attack', target, magnitude, lasts: null, attackClass })
  const labels = new Set<string>()
  const values = new Set<string>()
  world.run(2 * hour, () => {
    for (const order of world.work.dispatcher.open) if (order.kind === 'Mitigate') labels.add(order.label)
    for (const { evidence } of recordsOf(world))
      for (const { value_plain } of evidence) values.add(value_plain)
    return labels.size > 0 && values.has(evident)
  })
  expect(values).toContain(evident)
  expect([...labels]).toContainEqual(expect.stringMatching(label))
})
