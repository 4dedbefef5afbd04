/** Records a session: world thread → mirror → file. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { processClock as clock } from '../process/clock.ts'
import { Mirror } from '../mirror/mirror.ts'
import { commonInfoFlags } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { actionsSetting, truthSetting } from '../options/game-day-settings.ts'
import { recordingSettings, replaySettings } from '../options/recording-settings.ts'
import { logLevelSetting } from '../options/service-settings.ts'
import { cacheSetting, worldSettings } from '../options/world-settings.ts'
import { ownVersion } from '../process/version.ts'
import { Recorder, wallTimesOf } from '../store/recording/recorder.ts'
import { RecordingError } from '../store/recording/recording-error.ts'
import { openSession, removeSessionFile } from '../store/session-file.ts'
import { describeSource, upstreamOriginOf } from '../sources/registry.ts'
import type { SourceSpec } from '../sources/registry.ts'
import { commandFrom, exitCodes } from '../command-line/command-line.ts'
import { Logger } from '../command-line/logger.ts'
import { sqliteErrorText } from '../store/sqlite-error.ts'
import { checkFile, checkWorldFiles } from '../command-line/files/check-files.ts'
import { ownForWriting } from './own-session-file.ts'
import { formatBytes, formatCount, formatDuration } from '../command-line/formats.ts'
import { resolveSource, validators } from '../command-line/select-source.ts'
import { exitWhenEnded, setShutdownHandler } from './shutdown.ts'
import { startWorldThread } from './world-thread.ts'

export const recordCommand = {
  name: 'record',
  usage: 'record --out FILE [OPTIONS]',
  summary: 'Records a session in a file, which --source FILE replays. Runs until it is interrupted.',
  settings: {
    ...recordingSettings,
    ...worldSettings,
    cache: cacheSetting,
    actions: actionsSetting,
    truth: truthSetting,
    ...replaySettings,
    'log-level': logLevelSetting,
  },
  infoFlags: commonInfoFlags,
  examples: [
    'dcsim-mirror record --out evening.dcsim --for 2h',
    'dcsim-mirror record --source http://127.0.0.1:9740 --out game.dcsim',
  ],
} as const

type Options = Values<typeof recordCommand.settings>

const progressEveryMs = { terminal: 1_000, log: 60_000 } as const

/** The file, which this process owns. */
interface Output {
  readonly owned: ReturnType<typeof ownForWriting>
  readonly database: DatabaseSync
  /** Whether the file did not exist before. */
  readonly isNew: boolean
}

function openOutput({ out }: Options, log: Logger): Output {
  const isNew = !existsSync(out)
  const owned = ownForWriting(out, log)
  return { owned, database: openSession(owned.path), isNew }
}

/** A mirror whose only client is the recorder. */
function createMirror(spec: SourceSpec, everyMs: number, log: Logger): Mirror {
  // No scraper reads this mirror.
  const supply = startWorldThread({ spec, cadenceMs: everyMs, collectors: [] }, clock)
  return new Mirror({
    supply,
    clock,
    cadenceMs: everyMs,
    idleAfterMs: Infinity,
    isEachRead: true,
    log: (line) => log.error(line),
  })
}

/** Writes every frame of a mirror to a file. */
class SessionWriter {
  readonly #options: Options
  readonly #log: Logger
  readonly #output: Output
  readonly #spec: SourceSpec
  readonly #mirror: Mirror
  /** Null until the first frame: a session without frames is not written. */
  #recorder: Recorder | null = null
  readonly #wallTimeOf = wallTimesOf(clock)
  readonly #exitCode = Promise.withResolvers<number>()
  #reportedMs = -Infinity
  #firstFrameMs = 0
  #frames = 0
  #bytes = 0
  #simulatedNs = 0n
  #lastSimTimeNs: bigint | null = null
  #eventGaps = 0

  constructor(options: Options, spec: SourceSpec, output: Output, log: Logger) {
    this.#options = options
    this.#log = log
    this.#spec = spec
    this.#output = output
    this.#mirror = createMirror(spec, options.every, log)
  }

  /** Records until it is stopped, then ends the process. */
  async run(): Promise<never> {
    const { for: forMs } = this.#options
    this.#mirror.onPublish(() => this.#recordFrame())
    this.#mirror.onSessionReport((report) => {
      if (report.kind !== 'note') return
      if (report.isProblem) this.#log.error(report.message)
      else this.#log.info(report.message)
    })
    this.#mirror.onFault((fault) => {
      if (fault === 'ended') this.stop(0)
    })
    this.#mirror.start()
    this.#reportWarmUp()
    // A long warm-up or a long scan of a recording is not a failure; an upstream that never answers is.
    if (forMs !== null && upstreamOriginOf(this.#spec) !== null) this.#giveUpAfter(forMs)
    const exitCode = await this.#exitCode.promise
    return exitWhenEnded(exitCode, {
      threads: this.#mirror.close(),
      beforeExit: () => {
        this.#reportEnd()
        this.#closeOutput()
      },
    })
  }

  /** A new file without a frame is removed. */
  #closeOutput(): void {
    const { owned, database, isNew } = this.#output
    database.close()
    if (isNew && this.#frames === 0) removeSessionFile(owned.path)
    owned.release()
  }

  stop(exitCode: number): void {
    this.#exitCode.resolve(exitCode)
  }

  #giveUpAfter(ms: number): void {
    clock.after(ms, () => {
      if (this.#frames > 0) return
      this.#log.error(`No frame within ${formatDuration(ms / 1000)}. ${this.#mirror.status().reason}`)
      this.stop(exitCodes.failed)
    })
  }

  #createRecorder(): Recorder {
    return new Recorder(this.#output.database, {
      source: describeSource(this.#spec),
      software: ownVersion(),
      beganMs: clock.wallMs(),
      everyMs: this.#options.every,
    })
  }

  #recordFrame(): void {
    const frame = this.#mirror.read()!
    try {
      this.#recorder ??= this.#createRecorder()
      const { kind, bytes, hasEventGap } = this.#recorder.record(frame, this.#wallTimeOf(frame.capturedAtMs))
      this.#countFrame(frame.simTimeNs)
      this.#bytes += bytes
      this.#log.debug(`Frame ${this.#frames}: ${kind}, ${bytes} bytes.`)
      if (hasEventGap) this.#reportEventGap()
    } catch (error) {
      const reason = error instanceof RecordingError ? error.message : `${sqliteErrorText(error)}.`
      this.#log.error(`Cannot write to ${this.#options.out}: ${reason} What was recorded before is kept.`)
      this.stop(exitCodes.failed)
      return
    }
    this.#reportProgress()
  }

  /** The duration counts from the first frame. */
  #begin(): void {
    const { every, for: forMs } = this.#options
    this.#firstFrameMs = clock.nowMs()
    if (forMs !== null) clock.after(forMs + every / 2, () => this.stop(0))
  }

  #countFrame(simTimeNs: bigint): void {
    if (this.#frames++ === 0) this.#begin()
    const last = this.#lastSimTimeNs
    if (last !== null && simTimeNs > last) this.#simulatedNs += simTimeNs - last
    this.#lastSimTimeNs = simTimeNs
  }

  #summarize(): string {
    const wall = formatDuration(this.#frames === 0 ? 0 : (clock.nowMs() - this.#firstFrameMs) / 1000)
    const simulated = formatDuration(Number(this.#simulatedNs / 1_000_000_000n))
    const size = formatBytes(this.#bytes)
    return `${formatCount(this.#frames, 'frame')}, ${simulated} of simulated time in ${wall}, ${size}`
  }

  #reportEventGap(): void {
    this.#eventGaps++
    this.#log.error(
      'The recording lacks events: more occurred between two frames than the event window holds. Use a shorter --every.',
    )
  }

  #reportProgress(): void {
    const everyMs = process.stdout.isTTY ? progressEveryMs.terminal : progressEveryMs.log
    if (clock.nowMs() - this.#reportedMs < everyMs) return
    this.#reportedMs = clock.nowMs()
    this.#log.progress(`Recording: ${this.#summarize()}.`)
  }

  #reportWarmUp(): void {
    if (this.#frames > 0) return
    this.#log.progress(this.#mirror.status().reason)
    clock.after(this.#log.progressIntervalMs, () => this.#reportWarmUp())
  }

  #reportEnd(): void {
    if (this.#frames === 0) {
      this.#log.info(`Nothing was recorded to ${this.#options.out}.`)
      return
    }
    const gaps =
      this.#eventGaps === 0 ? '' : `; events are missing in ${formatCount(this.#eventGaps, 'place')}`
    this.#log.info(`Recorded to ${this.#options.out}: ${this.#summarize()}${gaps}.`)
  }
}

export async function runRecord(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(recordCommand, words, environment, { validators })
  if (command === null) return
  const { options, origins } = command
  const log = new Logger({ level: options['log-level'] })
  const { actions, truth, cache } = options
  checkFile(origins.out, options.out)
  checkWorldFiles(command)
  const spec = resolveSource(command, log, { actions, truth: truth ? resolve(options.out) : null, cache })
  try {
    const writer = new SessionWriter(options, spec, openOutput(options, log), log)
    log.info(`Recording to ${options.out} from ${describeSource(spec)}.`)
    setShutdownHandler(() => writer.stop(0))
    await writer.run()
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    log.error(error.message)
    process.exitCode = exitCodes.failed
  }
}
