import { expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import type { Incident } from '../../../../src/world/simulation/incidents/model.ts'
import { createFaultLog } from '../../../../src/world/simulation/truth/fault-log.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { isCarrierLine } from '../../../../src/world/simulation/topology/optics.ts'
import { deviceKind } from '../../../../src/world/simulation/topology/tables.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import type { RunningWorld } from '../running-world.ts'
import { createRunningWorld } from '../running-world.ts'

/** One failure is one incident, with one order; two failures of a zone are two. */

const quiet = (seed = 1n): RunningWorld => {
  const world = createRunningWorld(seed, 'small', 0, 10 * hour)
  world.run(10 * minute)
  return world
}
const openOf = ({ incidents }: RunningWorld): Incident[] => [...incidents.state.open.values()]
const detailsOf = ({ timeline }: Incident): string[] => timeline.map(({ detail }) => detail)
const loseFeed = ({ faults }: RunningWorld, row: number, magnitude = 1) =>
  faults.inject({ kind: 'PowerFeedLoss', target: { kind: 'PowerFeed', row }, magnitude, lasts: null })
const repairsOf = ({ work }: RunningWorld): string[] =>
  work.dispatcher.open.filter(({ kind }) => kind !== 'Diagnose').map(({ label }) => label)

test('a dead core and a wrong rule of its zone are two incidents, each with its own cause and title', () => {
  const world = quiet()
  const { state, faults, run } = world
  const [zone] = state.topology.zones
  const core: FaultTarget = { kind: 'Switch', row: zone.cores[0] }
  const firewall: FaultTarget = { kind: 'Appliance', row: zone.firewalls[0] }
  const dead = faults.inject({ kind: 'SwitchFailure', target: core, magnitude: 1, lasts: null })
  run(3 * minute)
  const wrong = faults.inject({ kind: 'Misconfiguration', target: firewall, magnitude: 0.4, lasts: null })
  run(40 * minute, () => wrong.incidentId !== null && openOf(world).at(-1)!.root !== null)
  const roots = openOf(world).map(({ root, headline, impact }) => [
    root,
    headline.text,
    impact.customers.length > 0,
  ])
  expect(roots).toEqual([
    [dead, expect.stringMatching(/^Switch .*core1 .* does not respond/), false],
    [wrong, expect.stringMatching(/% of requests|is down|is dropping/), true],
  ])
})

test.each([
  [3n, 3],
  [5n, 0],
  [1n, 30],
])(
  'both cores of a zone, dead in seed %d %d minutes apart, are one incident until both are back',
  (seed, minutes) => {
    const world = createRunningWorld(seed, 'medium', 0, 10 * hour)
    const { state, faults, run } = world
    run(10 * minute)
    const dead = state.topology.zones[0].cores.map((row, nth) => {
      run(nth * minutes * minute)
      return faults.inject({
        kind: 'SwitchFailure',
        target: { kind: 'Switch', row },
        magnitude: 1,
        lasts: null,
      })
    })
    const titled = new Set<number>()
    run(4 * hour, () => {
      for (const { id, symptoms } of openOf(world))
        if (symptoms.values().some(({ signal }) => signal === 'switch-silent')) titled.add(id)
    })
    expect([...titled]).toEqual([1])
    const story = world.incidents.state.resolved.find(({ id }) => id === 1)!
    expect(detailsOf(story)).toContainEqual(
      expect.stringMatching(/^Also found: Switch \S+-core[12] has failed\./),
    )
    expect(story.resolved).toBeGreaterThan(Math.max(...dead.map(({ ended }) => ended!)))
  },
)

test('a link that loses frames hurts the customers too that a graver incident has taken', () => {
  const world = quiet()
  const { state, faults, run } = world
  const [zone] = state.topology.zones
  const { ports } = state.topology
  const row = ports.device.findIndex(
    (device, port) =>
      ports.deviceKind[port] === deviceKind.Switch && device === zone.cores[0] && ports.peer[port] >= 0,
  )
  faults.inject({ kind: 'TransceiverFailure', target: { kind: 'Port', row }, magnitude: 0.3, lasts: null })
  run(3 * minute)
  const target = { kind: 'Appliance', row: zone.firewalls[0] } as const
  faults.inject({ kind: 'Misconfiguration', target, magnitude: 0.4, lasts: null })
  run(4 * minute)
  const [link, firewall] = openOf(world)
  const failing = ({ symptoms }: Incident) =>
    [...symptoms].filter(({ signal }) => signal === 'customer-failing')
  expect([failing(link).length, failing(firewall).length > 0]).toEqual([0, true])
  expect(link.impact.customers).toEqual(firewall.impact.customers)
})

test('a dead core and the faulty release of a customer that it could reach are two incidents', () => {
  const world = quiet()
  const { state, faults, run } = world
  const [zone] = state.topology.zones
  const [{ id }] = state.tenants.active
  const release = {
    kind: 'FailedRelease',
    target: { kind: 'Customer', id },
    magnitude: 0.22,
    lasts: 3 * hour,
  } as const
  faults.inject(release)
  run(4 * minute)
  faults.inject({
    kind: 'SwitchFailure',
    target: { kind: 'Switch', row: zone.cores[0] },
    magnitude: 1,
    lasts: null,
  })
  run(15 * minute)
  expect(openOf(world).map(({ rootKind, impact }) => [rootKind, impact.customers])).toEqual([
    ['FailedRelease', [id]],
    ['SwitchFailure', []],
  ])
})

test('a zone that loses one feed and then the other has one incident until both are back, and says who tripped', () => {
  const world = quiet()
  const { state, faults, run } = world
  const [a, b] = state.topology.zones[0].feeds
  const first = loseFeed(world, a)
  run(30 * minute)
  const second = loseFeed(world, b, 1.15)
  run(2 * minute)
  const events = state.events.state.window.map(({ msg_key: key, msg_args: args }) => messageText(key, args))
  const { displayName, hosts } = state.topology.zones[0]
  expect(events).toContain(
    `${displayName} is without power: both feeds are dead, and ${hosts.length} hosts are down.`,
  )
  run(3 * hour, () => second.ended !== null)
  const [incident, ...others] = openOf(world).filter(({ root }) => root?.kind === 'PowerFeedLoss')
  expect([incident.root, others]).toEqual([first, []])
  expect(detailsOf(incident).join(' ')).toContain(
    '0 V. Its breaker tripped at 115 % load, as it carried both feeds.',
  )
  // Technicians on site close a breaker, without the utility's crew.
  expect((second.ended! - second.began) / minute).toBeLessThan(75)
  faults.repair(first)
  expect(incident.resolved).toBeNull()
  run(30 * minute)
  expect(incident.resolved).not.toBeNull()
})

test('the incident of a zone waits for its other feed', () => {
  const world = quiet()
  const { state, faults, run } = world
  const [a, b] = state.topology.zones[0].feeds
  const first = loseFeed(world, a)
  run(20 * minute)
  loseFeed(world, b)
  run(5 * minute)
  faults.repair(first)
  run(15 * minute)
  expect(openOf(world).map(({ root }) => root)).toContain(first)
})

test('a zone that goes dark has an incident of its own, beside that of a host that failed there before', () => {
  const world = quiet()
  const { state, faults, run } = world
  const { feeds, hosts } = state.topology.zones[0]
  const target: FaultTarget = { kind: 'Host', row: hosts[0] }
  faults.inject({ kind: 'HostFailure', target, magnitude: 1, lasts: null })
  for (const row of feeds) {
    run(2 * minute)
    loseFeed(world, row)
  }
  run(2 * minute)
  const parts = openOf(world).map(({ symptoms }) =>
    [...symptoms].filter(({ subject }) => subject.kind !== 'Customer').map(({ signal }) => signal),
  )
  expect(parts).toEqual([['host-silent'], ['feed-dead', 'feed-dead']])
})

test('the lines of one duct are one incident with one order, whose crew splices all', () => {
  const world = quiet(2n)
  const { state, faults, run } = world
  const { topology } = state
  const zoneOf = (row: number): number =>
    topology.gateways.zone[topology.ports.device[topology.cables.a[row]]]
  const lines = topology.cables.rows.filter((row) => isCarrierLine(topology, row))
  const cut = lines.filter((row) => zoneOf(row) === zoneOf(lines[0])).slice(0, 2)
  for (const row of cut)
    faults.inject({ kind: 'CableCut', target: { kind: 'Cable', row }, magnitude: 1, lasts: null, place: 0.7 })
  run(30 * minute)
  expect(openOf(world).map(({ rootKind }) => rootKind)).toEqual(['CableCut'])
  expect(repairsOf(world)).toEqual([expect.stringMatching(/^Have the carrier splice cable /)])
  const [{ causes }] = openOf(world)
  const found = causes.filter(({ confirmed }) => confirmed)
  expect(found.map(({ target }) => target)).toEqual(
    expect.arrayContaining(cut.map((row) => ({ kind: 'Cable', row }))),
  )
  expect(openOf(world).flatMap(detailsOf)).toContainEqual(expect.stringMatching(/^Also found: Cable /))
  run(10 * hour, () => faults.active.length === 0)
  expect(faults.active).toEqual([])
})

test('what is done about a customer ends all of its surges: it is found once and ordered once', () => {
  const world = quiet()
  const { state, faults, run } = world
  const [{ id }] = state.tenants.active.toSorted((one, other) => other.hosts.length - one.hosts.length)
  const surge = {
    kind: 'DemandSurge',
    target: { kind: 'Customer', id },
    magnitude: 3,
    lasts: 8 * hour,
  } as const
  for (let count = 0; count < 3; count++) faults.inject(surge)
  run(25 * minute)
  expect(repairsOf(world).filter((label) => label.startsWith('Absorb'))).toHaveLength(1)
  const found = openOf(world)
    .flatMap(detailsOf)
    .filter((text) => text.includes('far above normal'))
  expect(found).toHaveLength(1)
  run(3 * hour, () => faults.active.length === 0)
  expect(faults.active.filter(({ kind }) => kind === 'DemandSurge')).toEqual([])
})

test.each([
  [true, [1, 77]],
  [false, [1]],
])(
  'the truth counts an incident that became part of another if a customer of the fault was hit: %s',
  (isHit, expected) => {
    const world = quiet()
    const { state, faults, incidents, blastRadius, run } = world
    const log = createFaultLog(state, { faults, incidents, blastRadius }, () => 0)
    const [tenant] = state.tenants.active
    const target = { kind: 'Customer', id: tenant.id } as const
    const fault = faults.inject({ kind: 'FailedRelease', target, magnitude: 0.5, lasts: hour })
    run(20 * minute, () => void log.step())
    const customers = isHit ? [...log.state.open.get(fault.id)!.customers.keys()].slice(0, 1) : [9_999]
    const [own] = openOf(world)
    const merged = {
      ...own,
      id: 77,
      root: null,
      partOfId: own.id,
      peakImpact: { ...own.peakImpact, customers },
    }
    incidents.state.resolved.push(merged)
    run(10 * minute, () => void log.step())
    expect(own.root).toBe(fault)
    expect([...log.state.open.get(fault.id)!.incidents].map(({ id }) => id)).toEqual(expected)
  },
)
