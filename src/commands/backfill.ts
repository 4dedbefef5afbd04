/** Writes the history of the built-in world before its first publish, for a Prometheus that did not scrape it. */
import { nsPerSecond } from '../contract/time-units.ts'
import { defaultSpeed } from '../contract/thresholds.ts'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { processClock as clock } from '../process/clock.ts'
import { createExposition } from '../metrics/exposition/exposition.ts'
import type { CollectorName } from '../metrics/declaration/collectors.ts'
import { commonInfoFlags } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { backfillSettings } from '../options/backfill-settings.ts'
import { parseCommand } from '../options/parse-options.ts'
import type { ParsedCommand } from '../options/parse-options.ts'
import { sessionSettings } from '../options/session-settings.ts'
import { logLevelSetting } from '../options/service-settings.ts'
import { cacheSetting, collectorsSetting, worldSettings } from '../options/world-settings.ts'
import { systemErrorText } from '../files/system-error.ts'
import { createBuiltInWorld, microsOf, second } from '../world/built-in-world.ts'
import type { TruthOptions } from '../world/built-in-world.ts'
import { generateBackfill, intervalsUntil, scrapeEveryNs, withoutMirrorMetrics } from '../backfill/scrapes.ts'
import type { BackfillScrape } from '../backfill/scrapes.ts'
import type { Scrapes } from '../sources/built-in/warm-up-scrapes.ts'
import { findScrapes } from '../sources/built-in/warm-up-cache.ts'
import { TruthRows } from '../sources/built-in/truth-rows.ts'
import { defaultLookbackSeconds, LastScrapes } from '../backfill/ended-series.ts'
import { BackfillWriter } from '../backfill/writer.ts'
import { durationText } from '../text/duration.ts'
import { wallSecondsOf } from './running-world.ts'
import { commandFrom, exitCodes } from '../command-line/command-line.ts'
import { checkFile, checkWorldFiles } from '../command-line/files/check-files.ts'
import { ownForWriting } from './own-session-file.ts'
import { Logger } from '../command-line/logger.ts'
import { progressOf } from '../command-line/progress.ts'
import { formatCount, formatDuration } from '../command-line/formats.ts'
import {
  resolveCache,
  resolveScenario,
  resolveCollectors,
  resolveSessions,
  validators,
} from '../command-line/select-source.ts'
import type { ScenarioChoice } from '../command-line/select-source.ts'
import { fileOfSession, sessionEnvironment, sessionWords } from './sessions/serve-sessions.ts'
import { sessionNameOf } from './sessions/session-name.ts'

export const backfillCommand = {
  name: 'backfill',
  usage: 'backfill --out PATH [OPTIONS]',
  summary:
    'Writes the history of the built-in world as OpenMetrics text with timestamps, for `promtool tsdb ' +
    'create-blocks-from openmetrics`: what a Prometheus would have scraped before the first publish.',
  settings: {
    ...sessionSettings,
    ...backfillSettings,
    ...worldSettings,
    source: {
      ...worldSettings.source,
      placeholder: 'simulation',
      help: 'The built-in world. Any other source has a history of its own: nothing is written.',
      brief: false,
    },
    cache: cacheSetting,
    collectors: collectorsSetting,
    'log-level': logLevelSetting,
  },
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror backfill --out past/ --job dcsim --instance 127.0.0.1:9740'],
} as const

type Options = Values<typeof backfillCommand.settings>

/** Every run is a new world, whose truth needs an id of its own. */
const truthOptions = (path: string, log: Logger) => ({
  path,
  worldId: randomBytes(8).toString('hex'),
  onProblem: (message: string) => log.error(message),
})

/** The reason why the world has no history to write; null if it has one. */
function whyNoHistory({ source, speed }: Options): string | null {
  if (source !== 'simulation')
    return `Nothing was written: ${source} has a history of its own, which cannot be generated.`
  if (speed === 0) return 'Nothing was written: at --speed 0 no wall time corresponds to simulated time.'
  return null
}

/** Says how much of a world's past the bound on samples left out; empty for less than a scrape. */
export function leftOutText(writtenNs: bigint, endNs: bigint, everyNs: bigint): string {
  if (endNs - writtenNs < 2n * everyNs) return ''
  const [written, all] = [writtenNs, endNs].map((ns) => durationText(Number(ns / nsPerSecond)))
  return ` It is the last ${written} of the world's ${all}; --span ${all.replaceAll(' ', '')} writes all.`
}

function* scrapesOf(scrapes: Iterable<BackfillScrape>, onEnd: () => void): Scrapes['each'] {
  for (const { chunks } of scrapes) yield withoutMirrorMetrics(chunks)
  onEnd()
}

class HistoryWriter {
  readonly #options: Options
  readonly #choice: ScenarioChoice
  readonly #log: Logger
  /** Simulated time at which the history ends. */
  readonly #endNs: bigint
  readonly #everyNs: bigint
  readonly #collectors: readonly CollectorName[]
  readonly #truth: TruthRows | null
  readonly #endSeconds: number
  readonly #writer: BackfillWriter

  constructor(
    options: Options,
    choice: ScenarioChoice,
    endSeconds: number,
    truth: TruthRows | null,
    log: Logger,
  ) {
    const { span, interval, job, instance, out, collectors } = options
    const { warmupNs } = choice
    this.#options = options
    this.#choice = choice
    this.#log = log
    this.#endSeconds = endSeconds
    this.#endNs = span !== null && span > warmupNs ? span : warmupNs
    this.#everyNs = scrapeEveryNs(interval, options.speed ?? defaultSpeed)
    this.#collectors = resolveCollectors(collectors)
    this.#writer = new BackfillWriter(out, { job, instance, session: sessionNameOf(options) })
    this.#truth = truth
    if (this.#endNs > warmupNs)
      log.info('The history is longer than the warm-up: start the mirror with the same --warmup.')
  }

  /** Writes the history up to its end; the last sample has the timestamp of that second. */
  write(): void {
    try {
      this.#write(this.#cached() ?? this.#simulated(), this.#endSeconds)
    } catch (error) {
      this.#writer.discard()
      throw error
    }
  }

  /** The scrapes that an earlier start has kept; null if there are none, or too few. */
  #cached(): Scrapes | null {
    const { cache, span } = this.#options
    const { warmupNs } = this.#choice
    const spec = resolveCache(this.#options, this.#choice, cache)
    if (spec === null || this.#truth !== null || this.#endNs > warmupNs) return null
    const kept = findScrapes(spec, warmupNs, { everyNs: this.#everyNs, collectors: this.#collectors })
    if (kept === null || span === null) return kept
    const count = Number(span / this.#everyNs) + 1
    return count > kept.count ? null : { count, each: Iterator.from(kept.each).drop(kept.count - count) }
  }

  /** The scrapes of a world that simulates its warm-up. */
  #simulated(): Scrapes {
    const { seed, scale, blind, span } = this.#options
    const speed = this.#options.speed ?? defaultSpeed
    const end = microsOf(this.#endNs)
    const truth: TruthOptions = {
      wallOf: (at) => this.#endSeconds - (end - at) / second / speed,
      onComplete: (fault) => this.#truth?.write([fault], true),
    }
    const world = createBuiltInWorld({
      seed,
      scale,
      speed,
      scenario: this.#choice.scenario,
      blind,
      warmUpNs: this.#endNs,
      ...(this.#truth !== null && { truth }),
    })
    const exposition = createExposition({
      collectors: this.#collectors,
      onFailure(collector, error) {
        throw new Error(`the collector ${collector} failed: ${String(error)}`, { cause: error })
      },
    })
    const intervals =
      span === null
        ? intervalsUntil(this.#endNs, this.#everyNs, exposition.render(world.snapshot()))
        : Number(span / this.#everyNs)
    const onProgress = progressOf(this.#log, 'Simulating history')
    const scrapes = generateBackfill({
      world,
      exposition,
      fromNs: this.#endNs - BigInt(intervals) * this.#everyNs,
      untilNs: this.#endNs,
      everyNs: this.#everyNs,
      onStep: (simTimeNs) => onProgress(Number(simTimeNs) / Number(this.#endNs)),
    })
    const onEnd = (): void => this.#truth?.write(world.openFaults(), false)
    return { count: intervals + 1, each: scrapesOf(scrapes, onEnd) }
  }

  #write({ count, each }: Scrapes, endSeconds: number): void {
    const { interval, unchanged } = this.#options
    const length = (count - 1) * interval
    // Within this time an unchanged gauge is written once only, which halves the text.
    const unchangedEvery = Math.max(1, Math.floor(unchanged / interval)) * interval
    const startedMs = clock.nowMs()
    let secondsLeft = length
    const lookback = unchanged > interval ? defaultLookbackSeconds : 0
    const last = new LastScrapes()
    for (const chunks of each) {
      const changesOnly = secondsLeft % unchangedEvery > 0
      const scrape = [chunks, endSeconds - secondsLeft, changesOnly] as const
      if (secondsLeft > lookback) this.#writer.add(...scrape)
      else last.hold(...scrape)
      secondsLeft -= interval
    }
    for (const { chunks, atSeconds, changesOnly } of last.lasting())
      this.#writer.add(chunks, atSeconds, changesOnly)
    this.#writer.end()
    const took = ((clock.nowMs() - startedMs) / 1000).toFixed(1)
    const written = BigInt(count - 1) * this.#everyNs
    const bound = this.#options.span === null ? leftOutText(written, this.#endNs, this.#everyNs) : ''
    this.#log.info(
      `Wrote ${formatDuration(length)} of history by the clock, ${formatCount(this.#writer.samples, 'sample')} ${interval} s apart, in ${took} s.${bound}`,
    )
  }
}

export async function runBackfill(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(backfillCommand, words, environment, { validators })
  if (command === null) return
  const { options, origins } = command
  const log = new Logger({ level: options['log-level'], out: process.stderr })
  // The directory for several files is created.
  if (options.sessions === '' && !options.out.endsWith('/')) checkFile(origins.out, options.out, true)
  checkWorldFiles(command)
  checkFile(origins['truth-file'], options['truth-file'])
  if (options.sessions === '') await writeHistory(options, log)
  else await writeHistories(options, sessionEnvironment(environment), log)
}

/** Writes the history of every listed session of a built-in world to a directory of its own. */
async function writeHistories(common: Options, environment: NodeJS.ProcessEnv, log: Logger): Promise<void> {
  for (const session of resolveSessions(common.sessions)) {
    if (!session.isBuiltIn) {
      log.info(`${session.name}: its world is not generated, so it has no history to write.`)
      continue
    }
    const words = [...sessionWords(session), `--out=${join(common.out, session.name)}/`]
    const { options } = parseCommand(backfillCommand, words, environment, validators) as ParsedCommand<
      typeof backfillCommand.settings
    >
    const { job, instance, span, interval, unchanged, cache, 'ends-at': endsAt } = common
    const truthFile = common['truth-file']
    const ownTruth = truthFile === '' ? '' : fileOfSession(truthFile, session.name)
    await writeHistory(
      {
        ...options,
        'truth-file': ownTruth,
        job,
        instance,
        span,
        interval,
        unchanged,
        cache,
        'ends-at': endsAt,
      },
      log,
    )
  }
}

async function writeHistory(options: Options, log: Logger): Promise<void> {
  const reason = whyNoHistory(options)
  if (reason !== null) {
    log.info(reason)
    return
  }
  const choice = resolveScenario(options)
  try {
    const endSeconds = await endOf(options, choice, log)
    withTruth(options['truth-file'], log, (truth) =>
      new HistoryWriter(options, choice, endSeconds, truth, log).write(),
    )
  } catch (error) {
    log.error(`Cannot write the history to ${options.out}: ${systemErrorText(error)}.`)
    process.exitCode = exitCodes.failed
  }
}

/** An empty path means that no truth is written. */
function withTruth(file: string, log: Logger, write: (truth: TruthRows | null) => void): void {
  if (file === '') return write(null)
  const { path, release } = ownForWriting(file, log)
  const truth = new TruthRows(truthOptions(path, log))
  try {
    write(truth)
  } finally {
    truth.close()
    release()
  }
}

/** The wall time at which the history ends, in seconds since 1970. */
async function endOf(
  { 'ends-at': endsAt, session, speed, span }: Options,
  { warmupNs }: ScenarioChoice,
  log: Logger,
): Promise<number> {
  if (typeof endsAt !== 'string') return endsAt ?? Math.floor(clock.wallMs() / 1000)
  const endNs = span !== null && span > warmupNs ? span : warmupNs
  const end = await wallSecondsOf(endNs, {
    origin: endsAt,
    session,
    speed: speed ?? defaultSpeed,
    onProgress: (text) => log.progress(text),
  })
  log.info(
    `The history ends at ${new Date(end * 1000).toISOString()}, where the world of ${endsAt} continues it.`,
  )
  return end
}
