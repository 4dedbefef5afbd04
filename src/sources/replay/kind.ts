import { basename, extname } from 'node:path'
import type { SourceKind } from '../source-kind.ts'
import type { ReplayRange } from './timeline.ts'

/** A recorded session. */
export interface RecordingSpec {
  readonly kind: 'recording'
  readonly file: string
  /** Simulated seconds per wall second; 0 means paused, null the recorded pace. */
  readonly speed: number | null
  readonly span: ReplayRange
  readonly loop: boolean
}

export const recordingKind: SourceKind<RecordingSpec> = {
  usage: 'the file of a recorded session',
  help: 'FILE, a recorded session',
  noun: 'recordings',
  matches: () => true,
  describe: ({ file, speed, loop }) => {
    const pace = speed === null ? 'at its recorded speed' : `at speed ${speed}`
    return `the recording ${file}, ${pace}${loop ? ', in a loop' : ''}`
  },
  sessionName: ({ source }) => basename(source, extname(source)),
  open: async ({ file, speed, span, loop }, { exposition, clock, reachNs }) => {
    const { readingWhileOthersWrite } = await import('../../store/read-session-file.ts')
    const { RecordedFrames } = await import('../../store/recording/recorded-frames.ts')
    const { ReplaySource } = await import('./source.ts')
    const frames = new RecordedFrames(readingWhileOthersWrite(file))
    return new ReplaySource({ title: file, frames, exposition, clock, speed, span, loop, reachNs })
  },
}
