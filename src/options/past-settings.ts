/** The settings that say which part of a world's past is written, and how it is stamped. */
import { Expected, optional, timeSpan } from './setting.ts'
import type { Setting } from './setting.ts'

const spanMaxDays = 400
const intervalMaxDays = 1
const nsASecond = 1_000_000_000n

function place(text: string): string | Expected {
  return text === ''
    ? new Expected('a folder (with a slash at its end if it is new), a file, or - for standard output')
    : text
}

/** A second of the clock; null is the present one. */
function second(text: string): number | null | Expected {
  if (text === 'now') return null
  return /^[0-9]{10}$/.test(text)
    ? Number(text)
    : new Expected('now, or seconds since 1970 such as 1764547200')
}

/** Wall time in whole seconds, one at least. */
function interval(text: string): number | Expected {
  const span = timeSpan(intervalMaxDays)(text)
  if (span instanceof Expected) return span
  return span < nsASecond ? new Expected('a time of at least 1s') : Number(span / nsASecond)
}

function word(text: string): string | Expected {
  return text === '' ? new Expected('a name') : text
}

export const pastSettings = {
  out: {
    takes: 'PLACE',
    fallback: '',
    meaning:
      'Where to write: a folder, which gets a file for each two hours of the clock as Prometheus has its blocks; ' +
      'a file; or - for standard output.',
    parse: place,
  },
  span: {
    takes: 'TIME',
    fallback: '',
    otherwise: 'the whole warm-up, as far as eight million samples reach back',
    meaning:
      'Simulated time to write. Where it is longer than the warm-up, the world lives that long, and a mirror that ' +
      'is to go on from there needs the same --warmup.',
    parse: optional(timeSpan(spanMaxDays)),
  },
  'ends-at': {
    takes: 'WHEN',
    fallback: 'now',
    meaning: 'When, by the clock, the world has reached the end of its warm-up: now, or seconds since 1970.',
    parse: second,
  },
  interval: {
    takes: 'TIME',
    fallback: '20s',
    meaning: 'Wall time between two samples of a series.',
    parse: interval,
  },
  job: {
    takes: 'NAME',
    fallback: 'dcsim',
    meaning: 'The job that Prometheus scrapes the mirror as.',
    parse: word,
  },
  instance: {
    takes: 'HOST:PORT',
    fallback: 'mirror:9740',
    meaning: 'The target that Prometheus scrapes.',
    parse: word,
  },
} as const satisfies Record<string, Setting<unknown>>
