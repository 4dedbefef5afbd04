import { expect, test } from 'vitest'
import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import { ruleOut, suspectCauses } from '../../../../src/world/simulation/incidents/diagnosis/confidence.ts'
import { indexSuspicions } from '../../../../src/world/simulation/incidents/diagnosis/suspicion.ts'
import { minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'
import { symptomAt } from './symptom-fixture.ts'

test('what was ruled out is not thought of again, though likelier causes have taken its place', () => {
  const { state, faults, incidents, run } = createRunningWorld(1n, 'small')
  run(5 * minute)
  faults.inject({ kind: 'FanFailure', target: { kind: 'Host', row: 0 }, magnitude: 1, lasts: null })
  run(3 * minute)
  const [at] = incidents.state.open.values()
  const suspects = indexSuspicions(incidents.context.catalog)
  const bias = state.random.stream('test.bias')
  const silent = (row: number): Symptom => symptomAt('host-silent', { kind: 'Host', row })
  const isFirstHost = ({ target }: (typeof at.causes)[number]): boolean =>
    target.kind === 'Host' && target.row === 0
  suspectCauses(state, suspects, at, silent(0), bias)
  expect(at.causes.filter(isFirstHost).length).toBeGreaterThan(2)
  ruleOut(incidents.context, at, at.causes.filter(isFirstHost))
  for (let row = 1; row < 8; row++) suspectCauses(state, suspects, at, silent(row), bias)
  suspectCauses(state, suspects, at, silent(0), bias)
  expect(at.causes.filter((cause) => isFirstHost(cause) && !cause.cleared)).toEqual([])
})
