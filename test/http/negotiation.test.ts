import { expect, test } from 'vitest'
import { negotiateCoding } from '../../src/http/content-coding/negotiation.ts'

test.each([
  ['', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['gzip, deflate, br', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['deflate', null],
  ['identity', null],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip ; q=0.2 , br ; q=0.3', 'br'],
  ['gzip;q=0', null],
  ['gzip;q=0, *', 'zstd'],
  ['*', 'gzip'],
  ['*;q=0', null],
  ['*;q=0.1, gzip;q=0.2', 'gzip'],
  ['zstd;q=0, *;q=0.5', 'gzip'],
  ['gzip, identity;q=0.5', 'gzip'],
  ['gzip;q=0.5, identity', null],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['identity;q=0', null],
  ['gzip;q=nonsense', null],
  [';;;,,,', null],
  ['gzip;level=9;q=0.5, br', 'br'],
  ['zstd, br', 'zstd'],
] as const)('Accept-Encoding: %s is answered with %s', (header, coding) => {
  expect(negotiateCoding(header)).toBe(coding)
})
