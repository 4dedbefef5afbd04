/** Records a session: world in a thread of its own → mirror → file. */
import { Worker } from 'node:worker_threads'
import { clockOf } from '../contract/clock.ts'
import { Mirror } from '../mirror/mirror.ts'
import { WorldSupply } from '../mirror/world-supply.ts'
import { usualQuestions } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { OptionError, readCommand } from '../options/read.ts'
import { recordingSettings, replaySettings } from '../options/recording-settings.ts'
import { logLevelSetting } from '../options/service-settings.ts'
import { worldSettings } from '../options/world-settings.ts'
import { ownVersion } from '../own-version.ts'
import { RecordingError } from '../recording/frame-cursor.ts'
import { Recorder } from '../recording/recorder.ts'
import { GrowingFile } from '../recording/recording-file.ts'
import type { MirroredWorld, WorldThreadData } from '../sources/world-thread-data.ts'
import { answer, exitCodes } from './command-line.ts'
import { onEnding } from './ending.ts'
import { countText, damageText, readIndex, sizeText, spanText } from './recordings.ts'
import { Reporter } from './reporter.ts'
import { chooseMirrored, complaints, mirroredText } from './world-choice.ts'

export const record = {
  name: 'record',
  usage: 'npm start -- record --out FILE [FLAGS]',
  summary:
    'Records a session, for `--source FILE` to show it again. It goes on until it is ended or told to end.',
  settings: { ...recordingSettings, ...worldSettings, ...replaySettings, 'log-level': logLevelSetting },
  questions: usualQuestions,
} as const

type Options = Values<typeof record.settings>

/** How often a log is told how far the recording is. A terminal is told each second. */
const toldEveryMs = { terminal: 1_000, log: 60_000 } as const

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)

/** The file to record to, with the number of blocks that it has already. */
function fileFor({ out, append }: Options, report: Reporter): { file: GrowingFile; blocks: number } {
  try {
    if (!append) return { file: GrowingFile.create(out), blocks: 0 }
    const index = readIndex(out, report)
    const damage = damageText(out, index)
    if (damage !== null) throw new OptionError(`Cannot add to a recording that is damaged: ${damage}`)
    return { file: GrowingFile.goOn(out, index.soundBytes), blocks: index.soundBlocks }
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    throw new OptionError(error.message)
  }
}

/** A mirror that nobody reads but the recorder. */
function mirrorOf(world: MirroredWorld, everyMs: number, report: Reporter): Mirror {
  const supply = new WorldSupply({
    spawn: (reachNs) =>
      new Worker(new URL('../world-thread.ts', import.meta.url), {
        // Nobody scrapes it.
        workerData: { world, cadenceMs: everyMs, collectors: [], reachNs } satisfies WorldThreadData,
      }),
    clock,
    onHistory: () => {},
  })
  const log = (line: string): void => report.fault(line)
  return new Mirror({ supply, clock, cadenceMs: everyMs, idleAfterMs: Infinity, log })
}

/** Takes every frame of a mirror down. */
class SessionWriter {
  readonly #options: Options
  readonly #report: Reporter
  readonly #file: GrowingFile
  /** How many blocks the file had before. */
  readonly #blocks: number
  readonly #world: MirroredWorld
  readonly #mirror: Mirror
  /** A session begins with its first frame: without one, nothing is written. */
  #recorder: Recorder | null = null
  readonly #ended = Promise.withResolvers<number>()
  readonly #sizeBefore: number
  #toldMs = -Infinity
  /** When the first frame was taken. */
  #beganMs = 0
  #frames = 0
  #simulatedNs = 0n
  #lastNs: bigint | null = null
  #gaps = 0

  constructor(options: Options, world: MirroredWorld, report: Reporter) {
    this.#options = options
    this.#report = report
    this.#world = world
    const { file, blocks } = fileFor(options, report)
    this.#file = file
    this.#blocks = blocks
    this.#sizeBefore = file.size
    this.#mirror = mirrorOf(world, options.every, report)
  }

  /** Records until told to end. Returns the code to end the process with. */
  async run(): Promise<number> {
    const { every, for: forMs } = this.#options
    this.#mirror.onPublish(() => this.#guarded(() => this.#take()))
    this.#mirror.onFault((fault) => {
      if (fault === 'ended') this.end(0)
      if (this.#mirror.isLost) this.end(exitCodes.failed)
    })
    this.#mirror.start()
    this.#tellWarmUp()
    if (forMs !== null) {
      this.#endAfter(forMs + every / 2)
      // How long the built-in world takes to live up to its first frame, and a file to be read, is no fault.
      if (this.#world.kind === 'server') this.#giveUpAfter(forMs)
    }
    const code = await this.#ended.promise
    await this.#mirror.close()
    this.#file.close()
    this.#tellEnd()
    return code
  }

  end(code: number): void {
    this.#ended.resolve(code)
  }

  /** Time counts from the first frame. */
  #endAfter(ms: number): void {
    let isCounting = false
    this.#mirror.onPublish(() => {
      if (!isCounting) clock.after(ms, () => this.end(0))
      isCounting = true
    })
  }

  /** A server need not ever answer. */
  #giveUpAfter(ms: number): void {
    clock.after(ms, () => {
      if (this.#frames > 0) return
      this.#report.fault(`No frame came in ${spanText(ms / 1000)}. ${this.#mirror.status().reason}`)
      this.end(exitCodes.failed)
    })
  }

  #begin(): Recorder {
    return new Recorder({
      append: (bytes) => this.#file.append(bytes),
      session: {
        source: mirroredText(this.#world),
        software: ownVersion(),
        began: new Date().toISOString(),
        every_ms: this.#options.every,
      },
      blocks: this.#blocks,
    })
  }

  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
      this.#report.fault(error.message)
      this.end(exitCodes.failed)
    }
  }

  #take(): void {
    const frame = this.#mirror.read()!
    const wallMs = Date.now() - (clock.nowMs() - frame.capturedAtMs)
    this.#recorder ??= this.#begin()
    const { kind, bytes, hasEventGap } = this.#recorder.record(frame, wallMs)
    if (this.#frames++ === 0) this.#beganMs = clock.nowMs()
    if (this.#lastNs !== null && frame.simTimeNs > this.#lastNs)
      this.#simulatedNs += frame.simTimeNs - this.#lastNs
    this.#lastNs = frame.simTimeNs
    this.#report.debug(`Frame ${this.#frames}: ${kind}, ${bytes} bytes.`)
    if (hasEventGap) {
      this.#gaps++
      this.#report.fault(
        'More events came than the window holds: some are missing from the recording. Record more often.',
      )
    }
    const everyMs = process.stdout.isTTY ? toldEveryMs.terminal : toldEveryMs.log
    if (clock.nowMs() - this.#toldMs < everyMs) return
    this.#toldMs = clock.nowMs()
    this.#report.progress(`Recording: ${this.#sum()}.`)
  }

  #sum(): string {
    const wall = spanText(this.#frames === 0 ? 0 : (clock.nowMs() - this.#beganMs) / 1000)
    const simulated = spanText(Number(this.#simulatedNs / 1_000_000_000n))
    const size = sizeText(this.#file.size - this.#sizeBefore)
    return `${countText(this.#frames, 'frame')}, ${simulated} of simulated time in ${wall}, ${size}`
  }

  #tellWarmUp(): void {
    const tell = (): void => {
      if (this.#frames > 0) return
      this.#report.progress(this.#mirror.status().reason)
      clock.after(this.#report.progressEveryMs, tell)
    }
    tell()
  }

  #tellEnd(): void {
    if (this.#frames === 0) {
      this.#report.info(`Nothing was recorded to ${this.#options.out}.`)
      return
    }
    const gaps = this.#gaps === 0 ? '' : `; events are missing in ${countText(this.#gaps, 'place')}`
    this.#report.info(`Recorded to ${this.#options.out}: ${this.#sum()}${gaps}.`)
  }
}

export async function runRecord(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const told = readCommand(record, words, environment, complaints)
  if (typeof told === 'string') {
    console.log(answer(record, told))
    return
  }
  const { options } = told
  const report = new Reporter(options['log-level'])
  const world = chooseMirrored(told, report)
  const writer = new SessionWriter(options, world, report)
  report.info(`Recording to ${options.out}, from ${mirroredText(world)}.`)
  onEnding(() => writer.end(0))
  process.exit(await writer.run())
}
