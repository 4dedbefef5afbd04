import { nsPerSecond } from '../contract/time-units.ts'
/** Settings of the command that writes history. */
import {
  anyText,
  duration,
  durationDaysMax,
  mapped,
  nonEmpty,
  optional,
  ParseFailure,
  positiveDuration,
} from './setting.ts'
import type { Setting } from './setting.ts'
import { defaultIntervalSeconds } from '../backfill/scrapes.ts'

const intervalDaysMax = 1

/** Seconds since 1970, or the origin of a mirror; null means now. */
function endMoment(text: string): number | string | null | ParseFailure {
  if (text === 'now') return null
  if (/^[0-9]{10}$/.test(text)) return Number(text)
  const url = /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : null
  return url !== null && url.href === `${url.origin}/`
    ? url.origin
    : new ParseFailure(
        'now, seconds since 1970 such as 1764547200, or the address of a mirror such as http://127.0.0.1:9740',
      )
}

export const backfillSettings = {
  out: {
    placeholder: 'PATH',
    defaultText: '',
    help:
      'Where to write: a directory, which gets one file for each two hours of wall time, like the blocks of ' +
      'Prometheus; or a file.',
    brief: 'Where to write: a directory, or a file.',
    parse: nonEmpty('a directory (ending in a slash if it does not exist), or a file'),
  },
  span: {
    placeholder: 'TIME',
    defaultText: '',
    defaultHelp: 'the warm-up, up to eight million samples',
    help:
      'Simulated time to write. If it exceeds the warm-up, the world runs that long, and a mirror that is to ' +
      'continue the history needs the same --warmup.',
    brief: 'Simulated time to write.',
    parse: optional(duration(durationDaysMax)),
  },
  'truth-file': {
    placeholder: 'FILE',
    defaultText: '',
    help: 'File of a session to which the truth about the faults of the history is written, for `report`.',
    parse: anyText,
  },
  'ends-at': {
    placeholder: 'WHEN',
    defaultText: 'now',
    help:
      'Wall time at which the warm-up ends: now; seconds since 1970; or the address of the mirror that runs the same ' +
      'world, which is asked, so that it continues the history.',
    parse: endMoment,
  },
  interval: {
    placeholder: 'TIME',
    defaultText: `${defaultIntervalSeconds}s`,
    help: 'Wall time between two samples of a series.',
    parse: mapped(positiveDuration(intervalDaysMax), (ns) => Number(ns / nsPerSecond)),
  },
  unchanged: {
    placeholder: 'TIME',
    defaultText: '60s',
    help:
      'Wall time after which a gauge that has not changed is written again. With the interval, every sample is ' +
      'written, as rules need that are evaluated with a short lookback.',
    parse: mapped(positiveDuration(intervalDaysMax), (ns) => Number(ns / nsPerSecond)),
  },
  job: {
    placeholder: 'NAME',
    defaultText: 'dcsim',
    help: 'Job under which Prometheus scrapes the mirror.',
    brief: true,
    parse: nonEmpty('a name'),
  },
  instance: {
    placeholder: 'HOST:PORT',
    defaultText: 'mirror:9740',
    help: 'Target that Prometheus scrapes.',
    brief: true,
    parse: nonEmpty('a name'),
  },
} as const satisfies Record<string, Setting<unknown>>
