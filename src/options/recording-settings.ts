/** Settings for recording, replaying and inspecting sessions. */
import { duration, durationDaysMax, mapped, nonEmpty, optional, positiveDuration, yesNo } from './setting.ts'
import type { ValueParser, Setting } from './setting.ts'
import { requiresRecording } from './world-settings.ts'

const frameIntervalDaysMax = 1
const nsPerMs = 1_000_000n

const positiveMs = (daysMax: number): ValueParser<number> =>
  mapped(positiveDuration(daysMax), (ns) => Number(ns / nsPerMs))

export const recordingSettings = {
  out: {
    placeholder: 'FILE',
    defaultText: '',
    help: 'File of a session to record to. Frames are added to those that it has.',
    brief: true,
    parse: nonEmpty('the name of a file'),
  },
  every: {
    placeholder: 'TIME',
    defaultText: '1s',
    help: 'Wall time between two frames.',
    brief: true,
    parse: positiveMs(frameIntervalDaysMax),
  },
  for: {
    placeholder: 'TIME',
    defaultText: '',
    defaultHelp: 'until interrupted',
    help: 'Wall time after which recording stops.',
    brief: true,
    parse: optional(positiveMs(durationDaysMax)),
  },
} as const satisfies Record<string, Setting<unknown>>

export const replaySettings = {
  from: {
    placeholder: 'TIME',
    defaultText: '0s',
    help: 'Where the replay starts, in simulated time since the start of the recording.',
    requires: requiresRecording,
    parse: duration(durationDaysMax),
  },
  until: {
    placeholder: 'TIME',
    defaultText: '',
    defaultHelp: 'its end',
    help: 'Where the replay stops.',
    requires: requiresRecording,
    parse: optional(duration(durationDaysMax)),
  },
  loop: {
    placeholder: 'yes/no',
    defaultText: 'no',
    help: 'Whether the replay starts over at its end.',
    requires: requiresRecording,
    parse: yesNo,
  },
} as const satisfies Record<string, Setting<unknown>>
