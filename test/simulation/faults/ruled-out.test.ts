import { expect, test } from 'vitest'
import type { Symptom } from '../../../src/simulation/faults/board.ts'
import { clear, suspect } from '../../../src/simulation/faults/reasoning.ts'
import { minute } from '../../../src/simulation/time.ts'
import { liveWorld } from './live-world.ts'

test('what was ruled out is not thought of again, though likelier causes have taken its place', () => {
  const { state, faults, incidents, run } = liveWorld(1n, 'small')
  run(5 * minute)
  faults.inject({ kind: 'FanFailure', target: { kind: 'Host', row: 0 }, magnitude: 1, lasts: null })
  run(3 * minute)
  const [at] = incidents.book.open.values()
  const bias = state.random.stream('test.bias')
  const silent = (row: number): Symptom => ({
    key: row,
    signal: 'host-silent',
    subject: { kind: 'Host', row },
    since: state.now,
    seen: state.now,
    reading: 1,
    turned: state.now,
    best: 1,
    case: at,
  })
  const isFirstHost = ({ target }: (typeof at.causes)[number]): boolean =>
    target.kind === 'Host' && target.row === 0
  suspect(state, at, silent(0), bias)
  expect(at.causes.filter(isFirstHost).length).toBeGreaterThan(2)
  for (const cause of at.causes.filter(isFirstHost)) clear(state, at, cause)
  for (let row = 1; row < 8; row++) suspect(state, at, silent(row), bias)
  suspect(state, at, silent(0), bias)
  expect(at.causes.filter((cause) => isFirstHost(cause) && !cause.cleared)).toEqual([])
})
