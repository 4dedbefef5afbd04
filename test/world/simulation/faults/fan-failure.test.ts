import { expect, test } from 'vitest'
import { fanFailure } from '../../../../src/world/simulation/faults/kinds/hosts/fan-failure.ts'
import { causeWording, causeNoun } from '../../../../src/world/simulation/incidents/wording.ts'
import { minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'

const target = { kind: 'Host', row: 3 } as const

/** The readings at a host and the repair plan, after a fault of this magnitude. */
function readAndPlan(magnitude: number) {
  const { state, faults, run } = createRunningWorld(3n, 'small', 0, 0)
  run(minute)
  const fault = faults.inject({ kind: 'FanFailure', target, magnitude, lasts: null })
  const readings = fanFailure.diagnosis.checks.map((check) =>
    check.observe(state, target, { demandRatio: () => 1, recentFlaps: () => 0 }),
  )
  const { label, steps } = fanFailure.planRepair(
    { name: 'h-1', fault, topology: state.topology },
    state.random.stream('plans'),
  )
  return { readings: readings.map(({ value, detail }) => `${value}: ${detail}`), label, steps }
}

test('a fan that stands still is replaced, and is why air is missing', () => {
  const { readings, label, steps } = readAndPlan(1)
  expect(readings).toEqual([
    '**0 rpm**: A fan is not turning although it is driven.',
    '**52 % of the usual**: The other fans do not make up for the one that stands still.',
  ])
  expect(label).toBe('Replace the fan tray of h-1')
  expect(steps.map(({ kind }) => kind)).toContain('FetchSpare')
})

test('a blocked airway is cleared, without a spare part', () => {
  const { readings, label, steps } = readAndPlan(0.5)
  expect(readings).toEqual([
    '4,460 rpm: All fans turn at the speed set.',
    '**52 % of the usual**: Dust or a missing blanking panel keeps cold air from the host.',
  ])
  expect(label).toBe('Clear the airway of h-1')
  expect(steps.map(({ kind }) => kind)).toEqual(['Assign', 'Travel', 'Clean', 'Test'])
})

test('the cause is worded for both: fans may turn although too little air passes', () => {
  const { state, incidents } = createRunningWorld(3n, 'small', 0, 0)
  const name = state.topology.hosts.name[target.row]
  const context = { world: state, catalog: incidents.context.catalog }
  expect(causeWording(context, 'FanFailure', target).text).toBe(`The fans of ${name} move too little air.`)
  expect(causeNoun(context, 'FanFailure', target)).toBe(`too little airflow in ${name}`)
})
