import { expect, test } from 'vitest'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'

test('hands a buffer that was given back to the next that needs about as much', () => {
  const pool = new BufferPool()
  const buffer = pool.take(100_000)
  pool.give(buffer)
  expect(pool.take(101_000)).toBe(buffer)
  expect(pool.idleBytes).toBe(0)
})

test('of several that fit, takes the smallest', () => {
  const pool = new BufferPool()
  const [larger, smaller] = [pool.take(150_000), pool.take(100_000)]
  pool.give(larger)
  pool.give(smaller)
  expect(pool.take(90_000)).toBe(smaller)
})

test('does not spend a large buffer on something small', () => {
  const pool = new BufferPool()
  const large = pool.take(1_000_000)
  pool.give(large)
  expect(pool.take(1_000).byteLength).toBeLessThan(10_000)
})

test('keeps no more than its bound, and lets go of the longest idle first', () => {
  const pool = new BufferPool()
  const length = 2 ** 27
  const buffers = Array.from({ length: 4 }, () => pool.take(length))
  for (const buffer of buffers) pool.give(buffer)
  expect(pool.idleBytes).toBeLessThanOrEqual(2 ** 29)
  expect(buffers.slice(1).map(() => pool.take(length))).toEqual(buffers.slice(1))
  expect(pool.idleBytes).toBe(0)
})
