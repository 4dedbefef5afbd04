import { expect, test } from 'vitest'
import { rhythm } from '../../../../src/world/simulation/faults/hazards/rhythm.ts'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'

const flap = (port: number): FaultSpec => ({
  kind: 'PortFlap',
  target: { kind: 'Port', row: port },
  magnitude: 1,
  lasts: null,
  rhythm: rhythm(10, 40),
})

test('an intermittent fault has effects for some minutes, then none, again and again', () => {
  const { state, faults, run } = createRunningWorld(3n, 'small')
  run(5 * minute)
  const port = state.topology.hosts.firstPort[0]
  const fault = faults.inject(flap(port))
  const phases: string[] = []
  let minutesShown = 0
  let contradictions = 0
  for (let i = 0; i < 5 * 60 && fault.ended === null; i++) {
    run(minute)
    const phase = fault.isDormant ? 'rests' : 'shows'
    if (phases.at(-1) !== phase) phases.push(phase)
    if (fault.ended === null && state.condition.portFlapping[port] !== (fault.isDormant ? 0 : 1))
      contradictions++
    if (phase === 'shows') minutesShown++
  }
  expect(contradictions).toBe(0)
  expect(phases.slice(0, 3)).toEqual(['shows', 'rests', 'shows'])
  expect(minutesShown).toBeGreaterThan(5)
})

test('an inspection finds nothing once its symptom has passed, and finds it when it shows', () => {
  const { state, faults, incidents, run } = createRunningWorld(3n, 'small')
  run(5 * minute)
  const fault = faults.inject(flap(state.topology.hosts.firstPort[0]))
  run(5 * minute)
  const [incident] = incidents.state.open.values()
  expect(incident.headline.kind).toBe('LinkErrors')
  while (!fault.isDormant) run(minute)
  run(8 * minute)
  expect(incidents.diagnose(incident.id, null)).toBeNull()
  expect(incident.confirmed).toBe(false)
  expect(incident.timeline.at(-1)?.detail).toBe(
    'An inspection found no active fault at that moment, so it comes and goes. The next one is due in 2 h.',
  )
  while (fault.isDormant) run(minute)
  run(2 * minute)
  expect(incidents.diagnose(incident.id, null)).toBe(fault)
  expect(incident.rootKind).toBe('PortFlap')
})

test('a link that has flapped a moment ago keeps its suspect, and an inspection finds it', () => {
  const { state, faults, incidents, run } = createRunningWorld(3n, 'small')
  run(5 * minute)
  const target = { kind: 'Port', row: state.topology.ports.peer[state.topology.hosts.firstPort[0]] } as const
  const fault = faults.inject({ ...flap(target.row), target })
  run(8 * minute)
  const [incident] = incidents.state.open.values()
  const suspects = new Set<number>()
  for (let phases = 0; phases < 3; phases++) {
    while (!fault.isDormant) run(minute)
    while (fault.isDormant) {
      run(minute)
      if (incident.suspect?.kind === 'Port') suspects.add(incident.suspect.row)
    }
  }
  expect([...suspects]).toEqual([target.row])
  while (!fault.isDormant) run(minute)
  expect(incident.symptoms.size).toBeGreaterThan(0)
  expect(incidents.diagnose(incident.id, null)).toBe(fault)
})

test('the cause of an intermittent fault is sought for longer than that of one that stays', () => {
  const minutesToConfirm = (spec: (port: number) => FaultSpec): number => {
    const { state, faults, incidents, run } = createRunningWorld(3n, 'small')
    run(10 * hour)
    const fault = faults.inject(spec(state.topology.hosts.firstPort[0]))
    for (let minutes = 1; minutes <= 24 * 60; minutes++) {
      run(minute)
      const lists = [...incidents.state.open.values(), ...incidents.state.resolved]
      if (lists.some(({ root }) => root?.id === fault.id)) return minutes
    }
    return 24 * 60
  }
  const steady = minutesToConfirm((port) => ({
    kind: 'PortFlap',
    target: { kind: 'Port', row: port },
    magnitude: 1,
    lasts: null,
  }))
  const comesAndGoes = minutesToConfirm((port) => ({ ...flap(port), rhythm: rhythm(5, 45) }))
  expect(steady).toBeLessThan(40)
  expect(comesAndGoes).toBeGreaterThan(90)
})
