import { expect, test } from 'vitest'
import {
  ageHours,
  conditionPct,
  mtbfAt,
  resaleDollars,
} from '../../../../src/world/simulation/facility/depreciation.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { topologyOf } from './topologies.ts'

const { switches } = topologyOf({ name: '', seed: 1n, scale: 'small' })
const table = { ...switches, installed: Float64Array.from([0, -10_000 * hour]) }

test('age counts from installation, also from before the world began', () => {
  expect(ageHours(table, 0, 5 * hour)).toBe(5)
  expect(ageHours(table, 1, 5 * hour)).toBe(10_005)
})

test('condition falls from 100 to 0 over the mean time between failures, slowly at first', () => {
  expect(conditionPct(table, 0, 0, 20_000)).toBe(100)
  expect(conditionPct(table, 1, 0, 20_000)).toBeCloseTo(66.25, 6)
  expect(conditionPct(table, 1, 10_000 * hour, 20_000)).toBe(0)
  expect(conditionPct(table, 1, 90_000 * hour, 20_000)).toBe(0)
})

test('a worn-out device fails six times as often as a new one', () => {
  expect(mtbfAt(100, 60_000)).toBe(60_000)
  expect(mtbfAt(0, 60_000)).toBe(10_000)
})

test('a device loses half of its value in a year and a half, and more when it is worn', () => {
  expect(resaleDollars(1_000, 0, 100)).toBeCloseTo(850, 6)
  expect(resaleDollars(1_000, 13_149, 100)).toBeCloseTo(425, 6)
  expect(resaleDollars(1_000, 13_149, 0)).toBeCloseTo(170, 6)
})
