/** Writes the history of the built-in world before its first publish, for a Prometheus that did not scrape it. */
import { nsPerSecond } from '../contract/time-units.ts'
import { defaultSpeed } from '../contract/thresholds.ts'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { processClock as clock } from '../process/clock.ts'
import { createExposition } from '../metrics/exposition/exposition.ts'
import { commonInfoFlags } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { backfillSettings } from '../options/backfill-settings.ts'
import { parseCommand } from '../options/parse-options.ts'
import type { ParsedCommand } from '../options/parse-options.ts'
import { sessionSettings } from '../options/session-settings.ts'
import { logLevelSetting } from '../options/service-settings.ts'
import { collectorsSetting, worldSettings } from '../options/world-settings.ts'
import { systemErrorText } from '../files/system-error.ts'
import { createBuiltInWorld, microsOf, second } from '../world/built-in-world.ts'
import type { Scenario } from '../world/scenario-language.ts'
import { generateBackfill, intervalsUntil, scrapeEveryNs, withoutMirrorMetrics } from '../backfill/scrapes.ts'
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
  resolveScenario,
  resolveCollectors,
  resolveSessions,
  validators,
} from '../command-line/select-source.ts'
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

/** A history to write, by the options of one session. */
interface Plan {
  readonly options: Options
  readonly scenario: Scenario | null
  readonly speed: number
  /** Simulated time at which the history ends, and between two scrapes. */
  readonly endNs: bigint
  readonly everyNs: bigint
  /** The timestamp of the last sample. */
  readonly endSeconds: number
  readonly truth: TruthRows | null
  readonly log: Logger
}

/** The scrapes of the world, the number of intervals between them, and what follows the last one. */
function scrapesOf({ options, scenario, speed, endNs, everyNs, endSeconds, truth, log }: Plan) {
  const { seed, scale, blind, span } = options
  const end = microsOf(endNs)
  const world = createBuiltInWorld({
    seed,
    scale,
    speed,
    scenario,
    blind,
    warmUpNs: endNs,
    ...(truth !== null && {
      truth: {
        wallOf: (at) => endSeconds - (end - at) / second / speed,
        onComplete: (fault) => truth.write([fault], true),
      },
    }),
  })
  const exposition = createExposition({
    collectors: resolveCollectors(options.collectors),
    onFailure(collector, error) {
      throw new Error(`the collector ${collector} failed: ${String(error)}`, { cause: error })
    },
  })
  const intervals =
    span === null
      ? intervalsUntil(endNs, everyNs, exposition.render(world.snapshot()))
      : Number(span / everyNs)
  const onProgress = progressOf(log, 'Simulating history')
  const scrapes = generateBackfill({
    world,
    exposition,
    fromNs: endNs - BigInt(intervals) * everyNs,
    untilNs: endNs,
    everyNs,
    onStep: (simTimeNs) => onProgress(Number(simTimeNs) / Number(endNs)),
  })
  return { intervals, scrapes, onEnd: () => truth?.write(world.openFaults(), false) }
}

/** Writes the history up to its end. */
function writePlanned(plan: Plan, writer: BackfillWriter): void {
  const { endNs, everyNs, endSeconds, log } = plan
  const { interval, unchanged, span } = plan.options
  const { intervals, scrapes, onEnd } = scrapesOf(plan)
  const length = intervals * interval
  // Within this time an unchanged gauge is written once only, which halves the text.
  const unchangedEvery = Math.max(1, Math.floor(unchanged / interval)) * interval
  const startedMs = clock.nowMs()
  let secondsLeft = length
  const lookback = unchanged > interval ? defaultLookbackSeconds : 0
  const last = new LastScrapes()
  for (const { chunks } of scrapes) {
    const changesOnly = secondsLeft % unchangedEvery > 0
    const scrape = [withoutMirrorMetrics(chunks), endSeconds - secondsLeft, changesOnly] as const
    if (secondsLeft > lookback) writer.add(...scrape)
    else last.hold(...scrape)
    secondsLeft -= interval
  }
  onEnd()
  for (const { chunks, atSeconds, changesOnly } of last.lasting()) writer.add(chunks, atSeconds, changesOnly)
  writer.end()
  const took = ((clock.nowMs() - startedMs) / 1000).toFixed(1)
  const bound = span === null ? leftOutText(BigInt(intervals) * everyNs, endNs, everyNs) : ''
  log.info(
    `Wrote ${formatDuration(length)} of history by the clock, ${formatCount(writer.samples, 'sample')} ${interval} s apart, in ${took} s.${bound}`,
  )
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
    const { job, instance, span, interval, unchanged, 'ends-at': endsAt } = common
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
  const { scenario, warmupNs } = resolveScenario(options)
  const { span, interval, job, instance, out } = options
  const speed = options.speed ?? defaultSpeed
  const endNs = span !== null && span > warmupNs ? span : warmupNs
  try {
    const endSeconds = await endOf(options, endNs, log)
    withTruth(options['truth-file'], log, (truth) => {
      const everyNs = scrapeEveryNs(interval, speed)
      const writer = new BackfillWriter(out, {
        job,
        instance,
        session: sessionNameOf(options),
      })
      if (endNs > warmupNs)
        log.info('The history is longer than the warm-up: start the mirror with the same --warmup.')
      try {
        writePlanned({ options, scenario, speed, endNs, everyNs, endSeconds, truth, log }, writer)
      } catch (error) {
        writer.discard()
        throw error
      }
    })
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
  { 'ends-at': endsAt, session, speed }: Options,
  endNs: bigint,
  log: Logger,
): Promise<number> {
  if (typeof endsAt !== 'string') return endsAt ?? Math.floor(clock.wallMs() / 1000)
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
