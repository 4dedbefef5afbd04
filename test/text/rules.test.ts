import { describe, expect, test } from 'vitest'
import { formatBytes, formatCount, formatDuration } from '../../src/command-line/formats.ts'
import { closestMatch } from '../../src/text/closest-match.ts'
import { durationText, parseDuration } from '../../src/text/duration.ts'
import { timeLeft } from '../../src/text/time-left.ts'
import { wrapText } from '../../src/text/wrap-text.ts'

describe('durations', () => {
  test.each([
    ['0s', 0],
    ['1s', 1],
    ['59s', 59],
    ['90s', 90],
    ['1m', 60],
    ['1h', 3_600],
    ['1d', 86_400],
    ['1d2h3m4s', 93_784],
    ['4d 12h', 388_800],
    ['1h 30m 5s', 5_405],
    ['999999999d', 86_399_999_913_600],
    ['', null],
    ['5', null],
    ['s', null],
    ['1.5h', null],
    ['-1s', null],
    ['1m1h', null],
    ['1h1h', null],
    ['1d ', null],
    ['1d  1h', null],
    [' 1d', null],
    ['1000000000s', null],
  ])('%j are %s seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  test.each([
    [0, '0s'],
    [0.9, '0s'],
    [1, '1s'],
    [59.9, '59s'],
    [60, '1m'],
    [61, '1m 1s'],
    [3_599, '59m 59s'],
    [3_600, '1h'],
    [86_399, '23h 59m 59s'],
    [86_400, '1d'],
    [86_404, '1d 4s'],
    [93_784, '1d 2h 3m 4s'],
  ])('%s seconds are printed as %j', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
    expect(parseDuration(text)).toBe(Math.floor(seconds))
  })

  test.each([
    [0, '0s'],
    [-5, '0s'],
    [59, '59s'],
    [60, '1m'],
    [119, '1m 59s'],
    [3_600, '1h'],
    [3_661, '1h 1m'],
    [86_399, '23h 59m'],
    [86_400, '1d'],
    [86_459, '1d'],
    [90_000, '1d 1h'],
    [172_799, '1d 23h'],
  ])('%s seconds are summed up as %j', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})

test.each([
  [0, '0 bytes'],
  [1, '1 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [1_000_000, '1.0 MB'],
  [1_500_000_000, '1.5 GB'],
  [2e12, '2.0 TB'],
  [3e15, '3000.0 TB'],
])('%s bytes are printed as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [0, 'frame', '0 frames'],
  [1, 'frame', '1 frame'],
  [2, 'frame', '2 frames'],
  [1_234_567, 'byte', '1,234,567 bytes'],
])('%s %s is printed as %s', (count, name, text) => {
  expect(formatCount(count, name)).toBe(text)
})

test.each([
  [0.049, 5_000, ''],
  [0.05, 5_000, ', about 2 min left'],
  [1, 5_000, ''],
  [0.5, 999, ''],
  [0.5, 1_000, ', about 5 s left'],
  [0.5, 5_000, ', about 5 s left'],
  [0.5, 5_001, ', about 10 s left'],
  [0.25, 20_000, ', about 60 s left'],
  [0.5, 90_000, ', about 90 s left'],
  [0.5, 90_001, ', about 2 min left'],
  [0.1, 60_000, ', about 9 min left'],
  [0.99, 10_000, ', about 5 s left'],
])('of work of which %s took %s ms is said%s', (done, elapsedMs, text) => {
  expect(timeLeft(done, elapsedMs)).toBe(text)
})

test.each([
  ['seed', ['seed', 'speed'], 'seed'],
  ['sede', ['seed', 'speed'], 'seed'],
  ['log', ['log-level', 'loop'], 'log-level'],
  ['lo', ['log-level'], null],
  // Two of six letters differ, which is a third.
  ['abc', ['abd'], null],
  ['abcd', ['abce'], 'abce'],
  ['x'.repeat(80), ['x'.repeat(79)], 'x'.repeat(79)],
  ['x'.repeat(81), ['x'.repeat(80)], null],
  ['scale', [], null],
])('%s of %j means %s', (word, names, meant) => {
  expect(closestMatch(word, names)).toBe(meant)
})

test('lines are wrapped at a hundred columns, and later ones indented', () => {
  const words = `${'x'.repeat(49)} ${'y'.repeat(49)}`
  expect(wrapText(`${words}y`, 2)).toBe(`${words}y`)
  expect(wrapText(`${words}yy`, 2)).toBe(`${'x'.repeat(49)}\n  ${'y'.repeat(51)}`)
  expect(wrapText(`  ${words}`, 4)).toBe(`  ${'x'.repeat(49)}\n    ${'y'.repeat(49)}`)
  expect(wrapText('one', 2)).toBe('one')
})
