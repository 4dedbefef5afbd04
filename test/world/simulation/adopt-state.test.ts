import { expect, test } from 'vitest'
import { adoptState } from '../../../src/world/simulation/adopt-state.ts'

test('Worlds share no column with the bytes that they are made from, nor with each other', () => {
  // Decoded columns are views of the bytes, where these are aligned.
  const bytes = Int32Array.of(1, 2, 3, 4)
  const column = bytes.subarray(1)
  const saved = { fixed: bytes.subarray(0, 1), grown: column, columns: [column] }
  const live = () => ({ fixed: Int32Array.of(0), grown: new Int32Array(1), columns: [] as Int32Array[] })
  const [one, other] = [live(), live()]
  const { fixed } = one
  for (const world of [one, other]) adoptState(world, saved, 'world')
  expect(one.fixed).toBe(fixed)
  expect(one.columns[0]).toBe(one.grown)
  one.fixed[0] = one.grown[0] = 99
  expect(bytes).toEqual(Int32Array.of(1, 2, 3, 4))
  expect(other).toEqual({ fixed: Int32Array.of(1), grown: column, columns: [column] })
})
