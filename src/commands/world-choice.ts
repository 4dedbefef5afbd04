/** Which world a command was asked for, by the settings that several commands share. */
import { readFileSync } from 'node:fs'
import { chooseCollectors } from '../metrics/collectors.ts'
import type { CollectorName } from '../metrics/collectors.ts'
import type { Values } from '../options/command.ts'
import { nearest } from '../options/nearest.ts'
import { OptionError, quoted } from '../options/read.ts'
import type { Told } from '../options/read.ts'
import type { replaySettings } from '../options/recording-settings.ts'
import { isServer, sources, usualSpeed, usualWarmupNs } from '../options/world-settings.ts'
import type { worldSettings } from '../options/world-settings.ts'
import { parseScenario } from '../simulation/scenarios/parse-scenario.ts'
import type { Scenario } from '../simulation/scenarios/scenario.ts'
import type { RecordingIndex } from '../recording/recording-index.ts'
import { listScenarios, shippedScenario } from '../simulation/scenarios/shipped.ts'
import { Timeline } from '../sources/replay/timeline.ts'
import type { Span } from '../sources/replay/timeline.ts'
import type { MirroredWorld, RecordedWorldChoice } from '../sources/world-thread-data.ts'
import { damageText, readIndex, spanText } from './recordings.ts'
import type { Reporter } from './reporter.ts'

const nsAMicrosecond = 1000n
const nsASecond = 1_000_000_000n

type MirroredSettings = typeof worldSettings & typeof replaySettings
type Mirrored = Pick<Told<MirroredSettings>, 'options' | 'found'>

function whyNoScenario(nameOrFile: string, { code, message }: NodeJS.ErrnoException): string {
  const told = quoted(nameOrFile)
  if (code === 'EISDIR')
    return `got ${told}, which is a folder; expected a JSON file or the name of a scenario`
  if (code === 'EACCES') return `got ${told}, a file that this user may not read`
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `got ${told}, which cannot be read: ${message}`
  const near = nearest(
    nameOrFile,
    listScenarios().map(({ name }) => name),
  )
  const hint = near === null ? '' : `; the nearest is ${near}`
  return `there is no file ${told}, nor a built-in scenario of that name${hint}; npm start -- --list-scenarios lists them`
}

/** A scenario by its name or out of a file, or what is wrong with it. */
function readScenario(nameOrFile: string): Scenario | null | string {
  if (nameOrFile === '') return null
  const shipped = shippedScenario(nameOrFile)
  if (shipped !== null) return shipped
  let text
  try {
    text = readFileSync(nameOrFile, 'utf8')
  } catch (error) {
    return whyNoScenario(nameOrFile, error as NodeJS.ErrnoException)
  }
  const reading = parseScenario(text)
  if ('scenario' in reading) return reading.scenario
  const { line, column, message } = reading.problem
  return `${nameOrFile}, line ${line}, column ${column}: ${message}`
}

const complaintAbout =
  (read: (text: string) => unknown) =>
  (text: string): string | null => {
    const outcome = read(text)
    return typeof outcome === 'string' ? outcome : null
  }

export const complaints = {
  scenario: complaintAbout(readScenario),
  collectors: complaintAbout(chooseCollectors),
}

/** What was read without complaint before. */
function sound<T>(outcome: T | string): T {
  if (typeof outcome === 'string') throw new OptionError(outcome)
  return outcome
}

export interface WorldChoice {
  readonly scenario: Scenario | null
  /** Simulated time that passes before the first publish. */
  readonly warmupNs: bigint
}

/** Which world was asked for. A recording is looked through before anything begins. */
export function chooseMirrored(told: Mirrored, report: Reporter): MirroredWorld {
  const { options } = told
  const { source, seed, scale, speed } = options
  if (isServer(source)) return { kind: 'server', origin: source }
  if (source !== 'simulation') return chooseRecording(told, report)
  return { kind: 'simulation', ...chooseWorld(options), seed, scale, speed: speed ?? usualSpeed }
}

/** A world in a few words, for people. */
export function mirroredText(world: MirroredWorld): string {
  if (world.kind === 'server') return `the world at ${world.origin}`
  if (world.kind === 'recording') {
    const pace = world.speed === null ? 'as it was recorded' : `${world.speed} simulated seconds a second`
    return `the recording ${world.file}, ${pace}${world.loop ? ', again and again' : ''}`
  }
  const { scale, seed, speed, scenario } = world
  const size = typeof scale === 'number' ? `${scale} hosts` : `scale ${scale}`
  const told = scenario === null ? '' : `, scenario ${scenario.name}`
  return `the built-in simulation: ${size}, seed ${seed}, ${speed} simulated seconds a second${told}`
}

function chooseRecording({ options, found }: Mirrored, report: Reporter): RecordedWorldChoice {
  const { source: file, speed, from, until, loop, damaged } = options
  const index = indexOfSource(file, found.source, report)
  const damage = damageText(file, index)
  if (damage !== null && (damaged === 'refuse' || index.frames.length === 0)) {
    const advice = index.frames.length === 0 ? '' : ' Show those with --damaged read.'
    throw new OptionError(`${found.source}: ${damage}${advice}`)
  }
  const span = { fromNs: from, untilNs: until }
  if (new Timeline(index, span, null).isEmpty) throw new OptionError(nothingIn(file, index, span, found))
  return { kind: 'recording', file, speed, span, loop }
}

function indexOfSource(file: string, where: string, report: Reporter): RecordingIndex {
  try {
    return readIndex(file, report)
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    throw new OptionError(`${where}: got ${quoted(file)}, expected ${sources}. ${error.message}`)
  }
}

function nothingIn(
  file: string,
  { frames }: RecordingIndex,
  { fromNs, untilNs }: Span,
  found: Mirrored['found'],
): string {
  const last = frames.at(-1)
  if (last === undefined) return `${found.source}: ${file} holds no frame yet.`
  const from = timeText(fromNs)
  const end = timeText(last.elapsedNs)
  if (last.elapsedNs < fromNs)
    return `${found.from}: got "${from}", expected 0s to ${end}, the length of ${file}.`
  const { elapsedNs } = frames.find((frame) => frame.elapsedNs >= fromNs)!
  const first = timeText(elapsedNs + nsASecond - 1n)
  return `${found.until}: got "${timeText(untilNs!)}", expected ${first} or more, as ${found.from} is ${from}.`
}

/** Days, hours, minutes and seconds. */
const timeText = (ns: bigint): string => spanText(Number(ns / nsASecond), 4)

/** The scenario and the warm-up that suits it. */
export function chooseWorld({ scenario, warmup }: Values<typeof worldSettings>): WorldChoice {
  const chosen = sound(readScenario(scenario))
  const suited = chosen?.warmup ?? null
  const suitedNs = suited === null ? usualWarmupNs : BigInt(suited) * nsAMicrosecond
  return { scenario: chosen, warmupNs: warmup ?? suitedNs }
}

export const collectorsOf = (list: string): readonly CollectorName[] => sound(chooseCollectors(list))
