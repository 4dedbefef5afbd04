import { expect, test } from 'vitest'
import { clickRow } from './clicks.ts'

test('a row has the medians of its clicks, and the slowest', () => {
  const clicks = [
    { ms: 1_234, requests: 31, kilobytes: 80 },
    { ms: 840, requests: 29, kilobytes: 95 },
    { ms: 2_516, requests: 30, kilobytes: 70 },
  ]
  expect(clickRow('Session', clicks)).toBe('| Session | 1.23 s | 2.52 s | 30 | 80 kB |')
})
