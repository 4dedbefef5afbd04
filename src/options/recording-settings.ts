/** The settings that say how a session is recorded, and which part of a recorded one is shown. */
import { Expected, oneOf, optional, timeSpan } from './setting.ts'
import type { Setting } from './setting.ts'
import { onlyRecordings } from './world-settings.ts'

const spanMaxDays = 400
const dayMaxDays = 1
const nsAMs = 1_000_000n
const shortestMs = 1_000

const yesOrNo = (text: string): boolean | Expected => {
  const answer = oneOf(['yes', 'no'])(text)
  return answer instanceof Expected ? answer : answer === 'yes'
}

function file(text: string): string | Expected {
  return text === '' ? new Expected('the name of a file') : text
}

/** Wall time in milliseconds. */
const wallTime =
  (maxDays: number) =>
  (text: string): number | Expected => {
    const span = timeSpan(maxDays)(text)
    if (span instanceof Expected) return span
    return span < BigInt(shortestMs) * nsAMs ? new Expected('a time of at least 1s') : Number(span / nsAMs)
  }

export const recordingSettings = {
  out: {
    takes: 'FILE',
    fallback: '',
    meaning: 'The file to record to. One that is there already is not touched.',
    parse: file,
  },
  append: {
    takes: 'yes/no',
    fallback: 'no',
    meaning: 'Whether to add to a recording that is there already.',
    parse: yesOrNo,
  },
  every: {
    takes: 'TIME',
    fallback: '1s',
    meaning: 'Wall time from one recorded frame to the next.',
    parse: wallTime(dayMaxDays),
  },
  for: {
    takes: 'TIME',
    fallback: '',
    otherwise: 'until it is ended',
    meaning: 'Wall time after which recording ends by itself.',
    parse: optional(wallTime(spanMaxDays)),
  },
} as const satisfies Record<string, Setting<unknown>>

export const replaySettings = {
  from: {
    takes: 'TIME',
    fallback: '0s',
    meaning: 'Where the replay of a recording begins, in simulated time since its beginning.',
    only: onlyRecordings,
    parse: timeSpan(spanMaxDays),
  },
  until: {
    takes: 'TIME',
    fallback: '',
    otherwise: 'its end',
    meaning: 'Where the replay ends.',
    only: onlyRecordings,
    parse: optional(timeSpan(spanMaxDays)),
  },
  loop: {
    takes: 'yes/no',
    fallback: 'no',
    meaning: 'Whether the replay begins again at its end.',
    only: onlyRecordings,
    parse: yesOrNo,
  },
  damaged: {
    takes: 'refuse/read',
    fallback: 'refuse',
    meaning: 'What to do with a recording that is damaged: refuse it, or read it up to the damage.',
    only: onlyRecordings,
    parse: oneOf(['refuse', 'read']),
  },
} as const satisfies Record<string, Setting<unknown>>

export const inspectionSettings = {
  frames: {
    takes: 'read/check',
    fallback: 'read',
    meaning:
      'Whether all frames are read, to tell what is in them, or only checked for damage, which is much faster.',
    parse: oneOf(['read', 'check']),
  },
} as const satisfies Record<string, Setting<unknown>>
