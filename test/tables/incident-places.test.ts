import { beforeAll, describe, expect, test } from 'vitest'
import { placesOfIncident } from '../../src/tables/columns/incidents/place.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { parseScenario } from '../../src/world/scenarios/parse-scenario.ts'
import type { Row } from '../../src/tables/engine/table.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

const zoneNames = (world: TableWorld): string[] => world.zones.map(({ display_name: name }) => name)

const steps = [
  { at: '10m', do: 'SwitchFailure', target: { kind: 'Switch', role: 'core', pick: 'busiest' } },
  { at: '10m', do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 1, side: 'A' } },
  { at: '10m', do: 'HostFailure', target: { kind: 'Host', zone: 2, pick: 'random', count: 1 } },
  {
    at: '10m',
    do: 'Attack',
    target: { kind: 'Customer', pick: 'busiest' },
    class: 'Volumetric',
    magnitude: 1.9,
    for: '2h',
  },
]

/** The world four minutes after the faults. */
function worldAfter(troubles: readonly object[]): TableWorld {
  const scenario = { name: 'troubles', title: 'Troubles', description: 'One of each place.', spontaneity: 0 }
  const parsed = parseScenario(JSON.stringify({ ...scenario, steps: troubles }))
  if ('problem' in parsed) throw new Error(JSON.stringify(parsed.problem))
  const options = { seed: 13n, scale: 'medium', speed: 60, warmUp: 0 } as const
  const simulation = createSimulation({ ...options, scenario: parsed.scenario })
  for (let step = 0; step < 6 * 14; step++) simulation.step()
  return worldOf(frameOf(simulation.snapshot()))
}

describe('where an incident is, and who is hit', () => {
  let world: TableWorld
  let incidents: readonly Row[]

  beforeAll(async () => {
    world = worldAfter(steps)
    incidents = rowsNamed('incidents', world, { filters: new Map([['state', ['active']]]) })
  })

  const about = (symptom: RegExp): Row => incidents.find((row) => symptom.test(String(row['symptom'])))!

  test('a switch and a host are in their rack, a power feed is in its zone', () => {
    expect(about(/^Switch /)['place']).toMatch(/^Rack \S+, \w/)
    expect(about(/^Host .* does not respond/)['place']).toMatch(/^Rack \S+, \w/)
    expect(zoneNames(world)).toContain(about(/power feed/)['place'])
  })

  test('an attack comes through gateways, and hits its customer before all others', () => {
    const attack = about(/^Hostile traffic/)
    const zone = String(attack['place']).replace('Gateways of ', '')
    expect(attack['place']).toMatch(/^Gateways of /)
    expect(zoneNames(world)).toContain(zone)
    const [victim] = String(attack['hit']).split(/, | and /)
    expect(attack['symptom']).toContain(victim)
    const facts = rowsNamed('incident', world, {
      filters: new Map([['incident', [String(attack['incident_id'])]]]),
    })
    const said = facts.find(({ fact }) => fact === 'Customers')!['value']
    expect(said).toMatch(/^\d+ customers: /)
    expect(String(said).split(': ')[1].startsWith(victim)).toBe(true)
    expect(about(/^Host .* does not respond/)['hit']).not.toBe('')
  })

  test('what to do about an incident without a known cause names the suspect and the next step, unless it waits', async () => {
    const suspected = incidents.filter((row) => row['cause_state'] === 'suspected')
    const ids = new Set(suspected.map((row) => row['incident_id']))
    const tasks = rowsNamed('tasks', world).filter((task) => ids.has(task['incident_id']))
    const advice = tasks.map((task) => String(task['advice']))
    const named = advice.filter((text) => !/^Waits: a technician who is free\.$/.test(text))
    expect(named.length).toBeGreaterThan(0)
    for (const text of named) expect(text).toMatch(/^(?:Suspected: .* \(\d+ %\)|Most likely: [^.]+)\. \S/)
  })
})

test.each([false, true])(
  'a zone counts the incidents that are shown there, also if a team is blind: %s',
  (blind) => {
    const simulation = createSimulation({
      seed: 3n,
      scale: 'medium',
      speed: 60,
      scenario: null,
      warmUp: 0,
      blind,
    })
    const seen: string[] = []
    const counts = new Set<number>()
    for (let hour = 0; hour < 48; hour++) {
      for (let step = 0; step < 360; step++) simulation.step()
      const world = worldOf(frameOf(simulation.snapshot()))
      for (const { zone, incidents: count } of rowsNamed('zones', world)) {
        const filters = new Map([
          ['zone', [String(zone)]],
          ['state', ['active']],
        ])
        const shown = rowsNamed('incidents', world, { filters })
        counts.add(shown.length)
        if (shown.length !== count) seen.push(`hour ${hour}: ${zone} counts ${count} of ${shown.length}`)
      }
    }
    expect(seen).toEqual([])
    expect(Math.max(...counts)).toBeGreaterThan(1)
  },
)

test('where nothing is graver, what to do names an incident that is only worth knowing', async () => {
  const quiet = worldAfter(steps.slice(2, 3))
  const [incident] = rowsNamed('incidents', quiet)
  const task = rowsNamed('tasks', quiet).find(({ kind }) => kind === 'incident')!
  expect(incident['band']).toBe('Watch')
  expect(task).toMatchObject({ incident_id: incident['incident_id'], severity: 1 })
  expect(task['advice']).not.toBe('')
})

test('an incident that only a customer notices is at the zones of its units', () => {
  const surge = { at: '1m', do: 'DemandSurge', target: { kind: 'Customer', pick: 'busiest' }, magnitude: 20 }
  const world = worldAfter([{ ...surge, for: '2h' }])
  const zones = zoneNames(world)
  const felt = rowsNamed('incidents', world).filter(({ rack_id: rack }) => rack === null)
  expect(felt).not.toEqual([])
  for (const { place } of felt)
    for (const name of String(place).split(/, | and /)) expect(zones).toContain(name)
})

test('an incident is once at each of its zones and racks, however many of its hosts are there', () => {
  const failing = {
    at: '10m',
    do: 'HostFailure',
    target: { kind: 'Host', zone: 1, pick: 'random', count: 6 },
  }
  const world = worldAfter([failing, ...steps.slice(0, 2)])
  const places = world.records.all('incidents').map((incident) => placesOfIncident(incident, world))
  expect(places).not.toEqual([])
  for (const { zones, racks } of places) {
    expect(zones).toHaveLength(new Set(zones.map(({ id }) => id)).size)
    expect(racks).toHaveLength(new Set(racks.map(({ rack }) => rack.id)).size)
  }
})

test('a filter by a zone finds its cooling units, feeds and links, and their events', () => {
  const world = worldAfter([
    { at: '10m', do: 'CoolingFailure', target: { kind: 'CoolingUnit', zone: 1, pick: 'first' } },
    { at: '10m', do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 1, side: 'A' } },
    { at: '10m', do: 'CableCut', target: { kind: 'Cable', zone: 1, role: 'edge-uplink', pick: 'first' } },
  ])
  const [one, other] = zoneNames(world)
  for (const name of ['incidents', 'incident-groups', 'events'])
    for (const what of [/ooling unit \S+/, /power feed A/, /Link \S+/]) {
      const seen = (zone: string) =>
        rowsNamed(name, world, { filters: new Map([['zone', [zone]]]) }).filter((row) =>
          what.test(String(row['symptom'] ?? row['what'])),
        )
      expect(seen(one), `${name} ${what}`).not.toEqual([])
      expect(seen(other)).toEqual([])
    }
})
