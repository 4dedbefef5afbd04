import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Logger, repeatIntervalMs } from '../../src/command-line/logger.ts'

/** A stream that records its text. */
class Lines {
  readonly isTTY: boolean
  text = ''

  constructor(isTTY = false) {
    this.isTTY = isTTY
  }

  write(text: string): boolean {
    this.text += text
    return true
  }

  get stream(): NodeJS.WriteStream {
    return this as unknown as NodeJS.WriteStream
  }
}

function logging(isTTY = false) {
  const out = new Lines(isTTY)
  const err = new Lines()
  return { out, err, logger: new Logger({ level: 'info', out: out.stream, err: err.stream }) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['a line end', 'up\nforged: down', 'up\\u000aforged: down\n'],
  ['an escape sequence', '\x1b[2Jcleared', '\\u001b[2Jcleared\n'],
  ['an operating system command', '\x1b]0;title\x07', '\\u001b]0;title\\u0007\n'],
  ['a C1 control', '\x9b31m', '\\u009b31m\n'],
  ['a line separator', 'a\u2028b', 'a\\u2028b\n'],
  ['a bidirectional override', 'a\u202eb', 'a\\u202eb\n'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b\n'],
  ['text in any language', 'Zürich, 東京, 🙂', 'Zürich, 東京, 🙂\n'],
])('%s is written as part of one line', (_, text, written) => {
  const { out, err, logger } = logging()
  logger.error(text)
  logger.info(text)
  expect([err.text, out.text]).toEqual([written, written])
})

test('progress on a terminal is escaped, too', () => {
  const { out, logger } = logging(true)
  logger.progress('50 %\x1b[1A')
  expect(out.text).toBe('\r\x1b[K50 %\\u001b[1A')
})

test('a line of any length is cut', () => {
  const { err, logger } = logging()
  logger.error('x'.repeat(1_000_000))
  expect(err.text).toBe(`${'x'.repeat(2_000)}…\n`)
})

test('the same error is logged once a minute, with how often it came', () => {
  const { err, logger } = logging()
  for (let times = 0; times < 1000; times++) logger.error('no luck')
  logger.error('other trouble')
  expect(err.text).toBe('no luck\nother trouble\n')
  vi.advanceTimersByTime(repeatIntervalMs)
  expect(err.text).toBe('no luck\nother trouble\nRepeated 999 more times in the last 60 s: no luck\n')
  logger.error('no luck')
  vi.advanceTimersByTime(repeatIntervalMs)
  expect(err.text.split('\n').at(-2)).toBe('Repeated once more in the last 60 s: no luck')
})

test('an error that stopped for a while is logged at once when it comes back', () => {
  const { err, logger } = logging()
  logger.error('no luck')
  vi.advanceTimersByTime(repeatIntervalMs)
  logger.error('no luck')
  expect(err.text).toBe('no luck\nno luck\n')
})

test('no number of different errors takes memory without bound, and none is lost', () => {
  const { err, logger } = logging()
  for (let number = 0; number < 10_000; number++) logger.error(`error ${number}`)
  expect(err.text.split('\n')).toHaveLength(10_001)
  expect(vi.getTimerCount()).toBe(100)
})

test('progress elsewhere is a line when it changed, and none that repeats the error just logged', () => {
  const { out, logger } = logging()
  logger.progress('10 %')
  logger.progress('10 %')
  logger.progress('20 %')
  logger.error('The world stopped.')
  logger.progress('The world stopped.')
  expect(out.text).toBe('10 %\n20 %\n')
})
