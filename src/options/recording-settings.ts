/** Settings for recording, replaying and inspecting sessions. */
import {
  duration,
  durationDaysMax,
  mapped,
  nonEmpty,
  oneOfValues,
  optional,
  positiveDuration,
  yesNo,
} from './setting.ts'
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
    help: 'File to record to. An existing file is never overwritten.',
    brief: true,
    parse: nonEmpty('the name of a file'),
  },
  append: {
    placeholder: 'yes/no',
    defaultText: 'no',
    help: 'Whether to append to an existing recording.',
    choices: ['yes', 'no'],
    parse: yesNo,
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
    choices: ['yes', 'no'],
    parse: yesNo,
  },
  damaged: {
    placeholder: 'refuse/read',
    defaultText: 'refuse',
    help: 'Whether to refuse a damaged recording, or to read it up to the damage.',
    requires: requiresRecording,
    choices: ['refuse', 'read'],
    parse: oneOfValues(['refuse', 'read']),
  },
} as const satisfies Record<string, Setting<unknown>>

export const inspectionSettings = {
  frames: {
    placeholder: 'check/read',
    defaultText: 'check',
    help: 'Whether only to check all frames for damage, or also to read them and describe their content, which takes far longer.',
    choices: ['check', 'read'],
    parse: oneOfValues(['check', 'read']),
  },
} as const satisfies Record<string, Setting<unknown>>
