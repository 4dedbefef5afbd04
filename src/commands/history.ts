/** Writes the past that the built-in world has before its first publish, for a Prometheus that was not there. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { clockOf } from '../contract/clock.ts'
import { createExposition } from '../metrics/exposition.ts'
import type { ExpositionChunk } from '../metrics/exposition.ts'
import { usualQuestions } from '../options/command.ts'
import type { Values } from '../options/command.ts'
import { pastSettings } from '../options/past-settings.ts'
import { readCommand } from '../options/read.ts'
import { logLevelSetting } from '../options/service-settings.ts'
import { collectorsSetting, usualSpeed, worldSettings } from '../options/world-settings.ts'
import { createSimulation } from '../simulation/world.ts'
import type { Simulation } from '../simulation/world.ts'
import { past } from '../sources/past.ts'
import { PastFolder, writeAll } from '../sources/past-folder.ts'
import { PastTexts } from '../sources/past-texts.ts'
import type { TextSink } from '../sources/past-texts.ts'
import { answer, exitCodes } from './command-line.ts'
import { spanText } from './recordings.ts'
import { Reporter } from './reporter.ts'
import { chooseWorld, collectorsOf, complaints } from './world-choice.ts'
import type { WorldChoice } from './world-choice.ts'

export const history = {
  name: 'history',
  usage: 'npm start -- history --out PLACE [FLAGS]',
  summary:
    'Writes the past of the built-in world as OpenMetrics with times, for `promtool tsdb create-blocks-from ' +
    'openmetrics`: what a Prometheus would have scraped while the world lived up to its first publish.',
  settings: {
    ...pastSettings,
    ...worldSettings,
    collectors: collectorsSetting,
    'log-level': logLevelSetting,
  },
  questions: usualQuestions,
} as const

type Options = Values<typeof history.settings>

/** As many samples as are loaded in some seconds. Unless a span is asked for, the past reaches no further back. */
const samplesMax = 8_000_000

/** Gauges of which none changes are written anew within this time only, which halves the past. */
const settledWithinSeconds = 60

const nsASecond = 1_000_000_000
const stepsATold = 64
const newline = 10
const linesOfHead = 2
const standardOutput = 1

/** The mirror did not run in the past of its world, so nothing is said about it. */
const ofMirror = /^dcsim_mirror_/
const ofWorld = (chunks: readonly ExpositionChunk[]): ExpositionChunk[] =>
  chunks.filter(({ family }) => !ofMirror.test(family))

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)

function countSamples(chunks: readonly ExpositionChunk[]): number {
  let lines = 0
  for (const { bytes } of chunks) {
    for (const byte of bytes) if (byte === newline) lines++
    lines -= linesOfHead
  }
  return lines
}

class PastFile implements TextSink {
  readonly #file: number

  constructor(file: number) {
    this.#file = file
  }

  open(): void {}

  write(bytes: Uint8Array): void {
    writeAll(this.#file, bytes)
  }

  close(): void {
    if (this.#file !== standardOutput) closeSync(this.#file)
  }
}

function sinkFor(place: string): { sink: TextSink; isParted: boolean } {
  if (place === '-') return { sink: new PastFile(standardOutput), isParted: false }
  const isFolder = place.endsWith('/') || (existsSync(place) && statSync(place).isDirectory())
  if (isFolder) return { sink: new PastFolder(place), isParted: true }
  return { sink: new PastFile(openSync(place, 'w')), isParted: false }
}

/** Why there is no past to write; empty where there is one. */
function whyNone({ source, speed }: Options): string {
  if (source !== 'simulation')
    return `The past of ${source} is its own and cannot be made up: nothing is written.`
  if (speed === 0) return 'At speed 0 the world stands still, so that no clock has run: nothing is written.'
  return ''
}

/** How many samples of a series there are, before the one at the end. */
function momentsBefore(options: Options, spanNs: bigint, everyNs: bigint, samples: number): number {
  const all = Number(spanNs / everyNs)
  return options.span === null ? Math.min(all, Math.floor(samplesMax / samples)) : all
}

class PastWriter {
  readonly #options: Options
  readonly #report: Reporter
  readonly #livesNs: bigint
  readonly #world: Simulation
  readonly #everyNs: bigint
  readonly #texts: PastTexts
  #toldMs = clock.nowMs()
  #steps = 0

  constructor(options: Options, { scenario, warmupNs }: WorldChoice, report: Reporter) {
    const { seed, scale, span, interval, job, instance, out } = options
    const speed = options.speed ?? usualSpeed
    this.#options = options
    this.#report = report
    this.#livesNs = span !== null && span > warmupNs ? span : warmupNs
    this.#everyNs = BigInt(Math.round(interval * speed * nsASecond))
    const warmUp = Number(this.#livesNs / 1000n)
    this.#world = createSimulation({ seed, scale, speed, scenario, warmUp })
    const { sink, isParted } = sinkFor(out)
    this.#texts = new PastTexts(sink, { job, instance }, isParted)
    if (this.#livesNs > warmupNs) report.info('A mirror that goes on from there needs the same --warmup.')
  }

  write(untilSeconds: number): void {
    const { interval, span, collectors } = this.#options
    const exposition = createExposition({
      collectors: collectorsOf(collectors),
      onFailure(collector, error) {
        throw new Error(`the collector ${collector} failed: ${String(error)}`, { cause: error })
      },
    })
    const series = countSamples(ofWorld(exposition.render(this.#world.snapshot())))
    const moments = momentsBefore(this.#options, span ?? this.#livesNs, this.#everyNs, series)
    const fromNs = this.#livesNs - BigInt(moments) * this.#everyNs
    const settledEvery = Math.max(1, Math.floor(settledWithinSeconds / interval)) * interval
    const beganMs = clock.nowMs()
    let before = moments * interval
    for (const { chunks } of past({
      world: this.#world,
      exposition,
      fromNs,
      untilNs: this.#livesNs,
      everyNs: this.#everyNs,
      onStep: (simTimeNs) => this.#tellProgress(simTimeNs),
    })) {
      this.#texts.add(ofWorld(chunks), untilSeconds - before, before % settledEvery > 0)
      before -= interval
    }
    this.#texts.end()
    const took = ((clock.nowMs() - beganMs) / 1000).toFixed(1)
    const length = spanText(moments * interval)
    this.#report.info(
      `Wrote ${length} of the past, ${this.#texts.samples} samples ${interval} s apart, in ${took} s.`,
    )
  }

  #tellProgress(simTimeNs: bigint): void {
    if (++this.#steps % stepsATold !== 0) return
    const nowMs = clock.nowMs()
    if (nowMs - this.#toldMs < this.#report.progressEveryMs) return
    this.#toldMs = nowMs
    const share = Math.floor((Number(simTimeNs) / Number(this.#livesNs)) * 100)
    this.#report.progress(`The world lives through its past: ${share} %, ${this.#texts.samples} samples.`)
  }
}

export async function runHistory(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const told = readCommand(history, words, environment, complaints)
  if (typeof told === 'string') {
    console.log(answer(history, told))
    return
  }
  const { options } = told
  const report = new Reporter(options['log-level'], process.stderr)
  const none = whyNone(options)
  if (none !== '') {
    report.info(none)
    return
  }
  const untilSeconds = options['ends-at'] ?? Math.floor(Date.now() / 1000)
  try {
    new PastWriter(options, chooseWorld(options), report).write(untilSeconds)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    report.fault(`The past cannot be written to ${options.out}: ${why}.`)
    process.exitCode = exitCodes.failed
  }
}
