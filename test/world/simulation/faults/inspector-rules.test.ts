import { describe, expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import { createFaultInspector } from '../../../../src/world/simulation/faults/fault-inspector.ts'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import { canExplain } from '../../../../src/world/simulation/incidents/correlation/similarity.ts'
import type { Incident, Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import { noteNothingFound } from '../../../../src/world/simulation/incidents/writers/timeline.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Which faults incidents are attributed to, and which of them inspections find. */

const began = 10 * hour
const host = (row: number) => ({ kind: 'Host', row }) as const

function fixture() {
  const world = createQuietWorld(1n)
  const { state, faults, blastRadius, addTenant } = world
  state.now = began
  state.facility.hostRunning.fill(1)
  const inspector = createFaultInspector(state, { kinds: faultKinds, faults, blastRadius })
  const inject = (kind: CauseKind, target: FaultTarget, incidentId: number | null = null): Fault =>
    Object.assign(faults.inject({ kind, target, magnitude: 1, lasts: null }), { incidentId })
  /** A customer with a unit on each of `count` hosts, from `first` on. */
  const customer = (first: number, count = 1): Subject => {
    const hosts = Int32Array.from({ length: count }, (_, index) => first + index)
    return { kind: 'Customer', id: addTenant({ hosts }).id }
  }
  let ids = 0
  const incident = (...seen: readonly (readonly [SignalName, Subject, since?: number])[]): Incident => {
    const symptoms = new Set(
      seen.map(([signal, subject, since = began], key) => ({ key, signal, subject, since })),
    )
    const fields = {
      id: ++ids,
      symptoms,
      headline: { symptomKey: null },
      causes: [],
      root: null,
      timeline: [],
      version: 0,
      lastChanged: 0,
    }
    return fields as unknown as Incident
  }
  const attribute = (...incidents: readonly Incident[]) =>
    inspector.attribute(new Map(incidents.map((each) => [each.id, each])))
  return { ...world, inspector, inject, customer, incident, attribute }
}
type Fixture = ReturnType<typeof fixture>

describe('a failed host is attributed to', () => {
  type Prepare = (given: Fixture) => Incident[]
  const silentAt =
    (row: number, since = began): Prepare =>
    ({ incident }) => [incident(['host-silent', host(row), since])]
  /** A customer suffers that has units on this many hosts from a first one on. */
  const slowFrom =
    (first: number, count = 1, since = began): Prepare =>
    ({ incident, customer }) => [incident(['customer-slow', customer(first, count), since])]
  const both =
    (...prepare: readonly Prepare[]): Prepare =>
    (given) =>
      prepare.flatMap((each) => each(given))
  test.each<[string, Prepare, number | null]>([
    ['an incident at it', silentAt(3), 1],
    ['one at it that began long before', silentAt(3, 0), 1],
    ['none at another', silentAt(4), null],
    ['one of its customer', slowFrom(3), 1],
    ['one of a customer with half of its hosts there', slowFrom(3, 2), 1],
    ['none of another', slowFrom(4), null],
    ['one that began up to a minute before', slowFrom(3, 1, began - minute), 1],
    ['none that began earlier', slowFrom(3, 1, began - minute - 1), null],
    ['the one at it, rather than that of its customer', both(slowFrom(3), silentAt(3)), 2],
    ['that of the customer with more of its hosts there', both(slowFrom(3, 2), slowFrom(3)), 2],
  ])('%s', (_, prepare, expected) => {
    const given = fixture()
    const fault = given.inject('HostFailure', host(3))
    given.attribute(...prepare(given))
    expect(fault.incidentId).toBe(expected)
  })

  test('one that shows it, after that of its consequences', () => {
    const { inject, incident, customer, attribute } = fixture()
    const fault = inject('HostFailure', host(3))
    const consequences = incident(['customer-slow', customer(3)])
    attribute(consequences)
    expect(fault.incidentId).toBe(1)
    attribute(consequences, incident(['host-silent', host(3)]))
    expect(fault.incidentId).toBe(2)
  })

  test.each([
    [67, null],
    [68, 1],
  ])('none while it runs with a broken fan, at %i °C: %o', (celsius, expected) => {
    const { state, inject, incident, customer, attribute } = fixture()
    const fault = inject('FanFailure', host(3))
    state.facility.hostRunning[3] = 1
    state.facility.hostCelsius[3] = celsius
    attribute(incident(['customer-slow', customer(3)]))
    expect(fault.incidentId).toBe(expected)
  })
})

describe('an inspection finds', () => {
  test.each([
    [false, 0, null],
    [true, 0, 'HostFailure'],
    [true, 1, null],
  ])(
    'behind a full pool a failed host of it, if that is confirmed (%s) and is stopped (runs: %i)',
    (confirmed, runs, kind) => {
      const { state, incidents, blastRadius, inject, incident, customer, inspector } = fixture()
      const row = state.topology.hosts.pool[6]
      const failed = state.topology.hosts.pool.indexOf(row)
      const fault = inject('HostFailure', host(failed), 9)
      state.facility.hostRunning[failed] = runs
      state.load.contention[6] = 1.6
      incidents.set(9, { id: 9, confirmed } as never)
      const crowded = incident(['customer-slow', customer(6)])
      Object.assign(crowded, {
        causes: [{ kind: 'CapacityExhaustion', target: { kind: 'Pool', row }, cleared: false }],
      })
      expect(inspector.inspect(crowded)?.kind ?? null).toBe(kind)
      const symptom = { ...[...crowded.symptoms][0], signal: 'customer-slow' } as Symptom
      expect(canExplain(state, blastRadius, fault, symptom)).toBe(runs === 0)
    },
  )

  test('the dead feed that the title names, rather than a power supply that is its own too', () => {
    const { inject, incident, inspector } = fixture()
    const feed = { kind: 'PowerFeed', row: 0 } as const
    const given = incident(['feed-dead', feed], ['host-supply', host(3)])
    const [{ key }] = given.symptoms
    Object.assign(given, { headline: { symptomKey: key } })
    inject('PowerSupplyFailure', host(3), given.id)
    inject('PowerFeedLoss', feed)
    expect(inspector.inspect(given)?.kind).toBe('PowerFeedLoss')
  })

  test.each<[SignalName, CauseKind]>([
    ['customer-flood', 'Attack'],
    ['customer-failing', 'FailedRelease'],
  ])('of an attack and a faulty release of a customer with %s: %s', (signal, kind) => {
    const { faults, inject, incident, customer, inspector } = fixture()
    const target = customer(3) as FaultTarget
    const given = incident([signal, target])
    const attack = { kind: 'Attack', target, magnitude: 1, lasts: null, attackClass: 'Volumetric' } as const
    faults.inject(attack).incidentId = given.id
    inject('FailedRelease', target, given.id)
    Object.assign(given, { causes: [{ kind: 'FailedRelease', target, confidence: 90 }] })
    expect(inspector.inspect(given)?.kind).toBe(kind)
  })

  test.each<['CapacityExhaustion' | 'DemandSurge', SignalName | null, boolean]>([
    ['CapacityExhaustion', 'link-errors', false],
    ['CapacityExhaustion', 'link-full', true],
    ['CapacityExhaustion', null, true],
    ['DemandSurge', 'link-errors', false],
    ['DemandSurge', 'link-full', true],
    ['DemandSurge', null, true],
  ])('a %s behind a suffering customer and %s: %s', (kind, signal, isFound) => {
    const { state, inject, incident, customer, inspector } = fixture()
    const victim = customer(0) as FaultTarget
    const pool = { kind: 'Pool', row: state.topology.hosts.pool[0] } as const
    const cable = { kind: 'Cable', row: state.topology.ports.cable[40] } as const
    const link = signal === null ? [] : ([[signal, cable]] as const)
    const given = incident(['customer-slow', victim], ...link)
    const target = kind === 'DemandSurge' ? victim : pool
    Object.assign(given, { causes: [{ kind, target, confidence: 60 }] })
    state.load.contention[0] = 1.01
    inject(kind, target, given.id)
    expect(inspector.inspect(given)?.kind ?? null).toBe(isFound ? kind : null)
  })

  const found = (fault: { readonly id: number } | null): number | null => fault?.id ?? null

  test.each([
    [[0, 1, 12, 13, 14], 1],
    [[0, 12, 13], null],
  ])(
    'the cause of another incident, behind two hosts of five, but not one of three: %o',
    (rows, expected) => {
      const { inject, incident, addTenant, inspector } = fixture()
      inject('SwitchFailure', { kind: 'Switch', row: 0 }, 9)
      const { id } = addTenant({ hosts: Int32Array.from(rows) })
      const slow = incident(['customer-slow', { kind: 'Customer', id }])
      expect(found(inspector.inspect(slow))).toBe(expected)
    },
  )

  test.each([
    [39, 'FailedRelease'],
    [41, 'CapacityExhaustion'],
  ] as const)('where a shortage is suspected by %i %% more than a release: a %s', (confidence, expected) => {
    const { state, inject, incident, customer, inspector } = fixture()
    const victim = customer(0) as FaultTarget
    const pool = { kind: 'Pool', row: state.topology.hosts.pool[0] } as const
    const given = incident(['customer-slow', victim])
    state.load.contention[0] = 1.01
    Object.assign(given, { causes: [{ kind: 'CapacityExhaustion', target: pool, confidence }] })
    inject('FailedRelease', victim, given.id)
    inject('CapacityExhaustion', pool, given.id)
    expect(inspector.inspect(given)?.kind).toBe(expected)
  })

  test.each([
    [true, true, 1],
    [true, false, null],
    [false, true, null],
  ])('a dormant fault that was read (%s), with its symptom (%s): %o', (isNoted, isSeen, expected) => {
    const { inject, incident, inspector } = fixture()
    const given = incident(['link-flapping', isSeen ? { kind: 'Cable', row: 0 } : { kind: 'Cable', row: 1 }])
    const target = { kind: 'Cable', row: 0 } as const
    Object.assign(given, { causes: [{ kind: 'CableFault', target, confidence: 60, isNoted }] })
    Object.assign(inject('CableFault', target, given.id), { isDormant: true })
    expect(found(inspector.inspect(given))).toBe(expected)
  })

  test.each([
    [0, null],
    [2, null],
    [3, 1],
  ])('a dormant fault after %i inspections without one: %o', (count, expected) => {
    const { state, inject, incident, inspector } = fixture()
    const given = incident(['host-silent', host(3)])
    Object.assign(inject('HostFailure', host(3), given.id), { isDormant: true })
    for (let nth = 0; nth < count; nth++) noteNothingFound(state, given)
    expect(found(inspector.inspect(given))).toBe(expected)
  })

  test.each([
    [49, 1],
    [50, null],
  ])('its own fault that has ended, before %i others: %o', (count, expected) => {
    const { faults, inject, incident, inspector } = fixture()
    faults.repair(inject('HostFailure', host(3), 1))
    for (let nth = 0; nth < count; nth++) faults.repair(inject('HostFailure', host(20), 9))
    expect(found(inspector.inspect(incident(['host-silent', host(3)])))).toBe(expected)
  })

  test.each([
    [0, 'FabricSaturation'],
    [1, 'LinkSaturation'],
    [null, 'LinkSaturation'],
  ] as const)('of two shortages, that of title %o, rather than the likelier: %s', (title, expected) => {
    const { inject, incident, inspector } = fixture()
    const appliance = { kind: 'Appliance', row: 0 } as const
    const cable = { kind: 'Cable', row: 0 } as const
    const given = incident(['appliance-dropping', appliance], ['link-full', cable])
    const causes = [{ kind: 'LinkSaturation', target: cable, confidence: 40 }]
    Object.assign(given, { causes, headline: { symptomKey: title } })
    inject('FabricSaturation', appliance, given.id)
    inject('LinkSaturation', cable, given.id)
    expect(inspector.inspect(given)?.kind).toBe(expected)
  })

  test('lost hosts, rather than the demand of their customer', () => {
    const { inject, incident, customer, inspector } = fixture()
    const subject = customer(0)
    inject('DemandSurge', { kind: 'Customer', id: 1 }, 9)
    inject('HostFailure', host(0), 9)
    expect(found(inspector.inspect(incident(['customer-stranded', subject])))).toBe(2)
  })
})

test.each<[CauseKind, FaultTarget, SignalName, number | null]>([
  ['ExpiredLicense', { kind: 'Appliance', row: 0 }, 'host-supply', null],
  ['ExpiredLicense', { kind: 'Appliance', row: 0 }, 'host-silent', null],
  ['PowerFeedLoss', { kind: 'PowerFeed', row: 0 }, 'host-supply', 1],
  ['PowerFeedLoss', { kind: 'PowerFeed', row: 0 }, 'host-fan', null],
])(
  'a %s of %o is attributed, by %s of a stopped host with power, to incident %s',
  (kind, target, signal, expected) => {
    const { state, inject, incident, attribute } = fixture()
    const [row] = state.topology.zones[0].hosts
    state.facility.hostRunning[row] = 0
    state.facility.hostPowered[row] = 1
    const fault = inject(kind, target)
    attribute(incident([signal, host(row)]))
    expect(fault.incidentId).toBe(expected)
  },
)

describe('a confirmed cause has ended', () => {
  const root = { id: 1, kind: 'HostFailure', target: host(3), endsBy: null, ended: 7 } as const
  test.each<[string, (given: Fixture) => unknown, number | null]>([
    ['when it did', () => {}, 7],
    ['not while it is back', ({ inject }) => inject('HostFailure', host(3), 1), null],
    ['though another is there', ({ inject }) => inject('HostFailure', host(4), 1), 7],
    ['though another incident has it', ({ inject }) => inject('HostFailure', host(3), 2), 7],
    [
      'when it had come back',
      ({ inject, faults }) => faults.repair(inject('HostFailure', host(3), 1)),
      began,
    ],
    ['not while another that was found is there', ({ inject }) => inject('FanFailure', host(5), 1), null],
    ['though another incident has that', ({ inject }) => inject('FanFailure', host(5), 2), 7],
    ['though one that was ruled out is there', ({ inject }) => inject('DiskFailure', host(3), 1), 7],
    [
      'when the last found did',
      ({ inject, faults }) => faults.repair(inject('FanFailure', host(5), 1)),
      began,
    ],
  ])('%s', (_, prepare, expected) => {
    const given = fixture()
    prepare(given)
    const causes = [
      { ...root, confirmed: true },
      { kind: 'FanFailure', target: host(5), confirmed: true },
      { kind: 'DiskFailure', target: host(3), confirmed: false },
    ]
    expect(given.inspector.endOf({ id: 1, root, causes } as unknown as Incident)).toBe(expected)
  })

  const [, { coolingUnits }] = createQuietWorld(1n).state.topology.zones
  test.each([
    [1, null],
    [coolingUnits[0], 7],
  ])('while unit %i hangs, that of unit 0 ends at %o', (row, expected) => {
    const { inject, inspector } = fixture()
    inject('HungController', { kind: 'CoolingUnit', row }, 1)
    const own = { ...root, kind: 'HungController', target: { kind: 'CoolingUnit', row: 0 } }
    expect(inspector.endOf({ id: 1, root: own, causes: [] } as unknown as Incident)).toBe(expected)
  })
})
