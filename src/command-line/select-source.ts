/** Turns the options that several commands share into the selected world. */
import { defaultSpeed } from '../contract/thresholds.ts'
import { createHash, randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { nsPerSecond } from '../contract/time-units.ts'
import { chooseCollectors } from '../metrics/declaration/collectors.ts'
import type { CollectorName } from '../metrics/declaration/collectors.ts'
import type { Values } from '../options/command.ts'
import { closestMatch } from '../text/closest-match.ts'
import { durationText } from '../text/duration.ts'
import { quoted } from '../text/quoted.ts'
import { OptionError } from '../options/parse-options.ts'
import type { ParsedCommand } from '../options/parse-options.ts'
import type { replaySettings } from '../options/recording-settings.ts'
import { readSessionList } from '../options/session-list.ts'
import type { ListedSession } from '../options/session-list.ts'
import { defaultWarmupNs, noCache, sourceForms } from '../options/world-settings.ts'
import type { worldSettings } from '../options/world-settings.ts'
import { ownVersion } from '../process/version.ts'
import { readTextFile } from '../files/regular-file.ts'
import { errorCode, systemErrorText } from '../files/system-error.ts'
import type { CacheSpec, SessionFileSpec } from '../sources/built-in/simulation-spec.ts'
import { listScenarios, parseScenario, shippedScenario } from '../world/scenario-language.ts'
import type { Scenario } from '../world/scenario-language.ts'
import { RecordedFrames } from '../store/recording/recorded-frames.ts'
import { readSessionFile } from '../store/read-session-file.ts'
import type { ReplayRange } from '../sources/replay/timeline.ts'
import type { RecordingSpec } from '../sources/replay/kind.ts'
import { sourceKindOf } from '../sources/registry.ts'
import type { SourceKindName, SourceSpec } from '../sources/registry.ts'
import { cacheFolder, shippedWorlds } from './files/cache-folder.ts'
import { formatCount, shownMax } from './formats.ts'
import type { Logger } from './logger.ts'

const nsPerMicrosecond = 1000n

type SourceSettings = typeof worldSettings & typeof replaySettings
type WorldOptions = Values<typeof worldSettings>
type SourceOptions = Pick<ParsedCommand<SourceSettings>, 'options' | 'origins'>

function describeReadError(nameOrFile: string, error: unknown): string {
  const name = quoted(nameOrFile)
  if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error)))
    return `cannot read ${name}: ${systemErrorText(error)}; expected a JSON file or the name of a scenario`
  const names = listScenarios().map((scenario) => scenario.name)
  const suggestion = closestMatch(nameOrFile, names)
  return suggestion === null
    ? `unknown scenario ${name}: no such file, and --list-scenarios does not list it`
    : `unknown scenario ${name}; did you mean "${suggestion}"?`
}

/** Returns a scenario by its name or from a file, or an error message. */
function readScenario(nameOrFile: string): Scenario | null | string {
  if (nameOrFile === '') return null
  const shipped = shippedScenario(nameOrFile)
  if (shipped !== null) return shipped
  let text
  try {
    text = readTextFile(nameOrFile)
  } catch (error) {
    return describeReadError(nameOrFile, error)
  }
  const parsed = parseScenario(text)
  if ('scenario' in parsed) return parsed.scenario
  const { line, column, message } = parsed.problem
  return `${nameOrFile}, line ${line}, column ${column}: ${message}${describeOtherLines(parsed.otherLines)}`
}

function describeOtherLines(lines: readonly number[]): string {
  if (lines.length === 0) return ''
  const more = lines.length - shownMax
  const listed = lines.slice(0, shownMax).map(String)
  const all = new Intl.ListFormat('en').format(more > 0 ? [...listed, `${more} more`] : listed)
  return ` (mistakes also in ${lines.length === 1 ? 'line' : 'lines'} ${all})`
}

const validatorOf =
  (read: (text: string) => unknown) =>
  (text: string): string | null => {
    const result = read(text)
    return typeof result === 'string' ? result : null
  }

export const validators = {
  scenario: validatorOf(readScenario),
  collectors: validatorOf(chooseCollectors),
  sessions: validatorOf(readSessionList),
}

/** The result of a reader whose validator has passed; the file may have changed since. */
function unwrapOrThrow<T>(result: T | string): T {
  if (typeof result === 'string') throw new OptionError(result)
  return result
}

interface ScenarioChoice {
  readonly scenario: Scenario | null
  /** Simulated time before the first publish. */
  readonly warmupNs: bigint
}

/** Files of a built-in world; an empty path means no file. */
export interface WorldFiles {
  readonly actions?: string
  /** The folder of `--cache`. */
  readonly cache?: string
}

/** With the file of the session, which this process owns; null for none. */
interface SourceFiles extends WorldFiles {
  readonly session?: Omit<SessionFileSpec, 'identity'> | null
  /** The same file if it keeps the truth; null if it does not. */
  readonly truth?: string | null
}

/** The source of each kind for the given options. A kind that is missing here does not compile. */
const specs: {
  readonly [K in SourceKindName]: (command: SourceOptions, log: Logger, files: SourceFiles) => SourceSpec
} = {
  simulation: ({ options }, _, { session = null, actions = '', truth = null, cache = noCache }) => {
    const { seed, scale, speed, blind } = options
    const choice = resolveScenario(options)
    const state =
      session === null
        ? null
        : { path: session.path, isMended: session.isMended, identity: identityOf(options, choice) }
    const world = {
      kind: 'simulation',
      ...choice,
      seed,
      scale,
      speed: speed ?? defaultSpeed,
      blind,
      state,
      cache: resolveCache(options, choice, cache),
    } as const
    if (actions === '' && truth === null) return world
    const worldId = randomBytes(8).toString('hex')
    return {
      ...world,
      gameDay: {
        worldId,
        scenario: options.scenario,
        actions: actions === '' ? null : resolve(actions),
        truth,
      },
    }
  },
  upstream: ({ options }) => ({ kind: 'upstream', origin: options.source }),
  file: ({ options }) => ({ kind: 'file', path: resolve(options.source) }),
  recording: resolveRecording,
}

/**
 * Resolves --source and the options that go with it. Scans a recording from end to end. `files` are those
 * of the built-in world.
 */
export const resolveSource = (command: SourceOptions, log: Logger, files: SourceFiles = {}): SourceSpec =>
  specs[sourceKindOf(command.options.source)](command, log, files)

/** The identity of a scenario in a saved world: empty without one. */
export const scenarioHash = (scenario: Scenario | null): string =>
  scenario === null ? '' : createHash('sha256').update(JSON.stringify(scenario)).digest('hex')

/** Where the world is kept at the end of its warm-up; null for nowhere. */
export function resolveCache(options: WorldOptions, choice: ScenarioChoice, cache: string): CacheSpec | null {
  const folder = cacheFolder(cache, process.env)
  return folder === null ? null : { folder, shipped: shippedWorlds, identity: identityOf(options, choice) }
}

function identityOf(
  { seed, scale, blind }: WorldOptions,
  { scenario }: ScenarioChoice,
): SessionFileSpec['identity'] {
  return {
    version: ownVersion(),
    seed: String(seed),
    scale: String(scale),
    scenario: `${blind ? 'blind ' : ''}${scenarioHash(scenario)}`.trim(),
  }
}

function resolveRecording({ options, origins }: SourceOptions, log: Logger): RecordingSpec {
  const { source: file, speed, from, until, loop } = options
  const span = { fromNs: from, untilNs: until }
  const { count, lastNs, firstNs, damage } = recordedSpan(file, origins.source, span)
  if (damage !== null)
    log.error(
      `${file}: ${damage} ${count === 0 ? 'No frame' : `The ${formatCount(count, 'frame')}`} before it can be read.`,
    )
  if (count === 0)
    throw new OptionError(
      `${origins.source}: ${file} has no frames to replay, which \`record --out FILE\` writes; --session-file ${file} ` +
        `continues its world, and \`chronicle ${file}\` prints what happened`,
    )
  if (firstNs === null)
    throw new OptionError(
      `${origins.from}: got "${formatNs(from)}", expected 0s to ${formatNs(lastNs)}, the length of ${file}`,
    )
  if (until !== null && firstNs > until) {
    const first = formatNs(firstNs + nsPerSecond - 1n)
    throw new OptionError(
      `${origins.until}: got "${formatNs(until)}", expected ${first} or more, as ${origins.from} is ${formatNs(from)}`,
    )
  }
  return { kind: 'recording', file, speed, span, loop }
}

/** The frames of a file that can be read, and the time of the first one at or after the beginning of the range. */
function recordedSpan(file: string, origin: string, { fromNs }: ReplayRange) {
  const found = { count: 0, lastNs: 0n, firstNs: null as bigint | null, damage: null as string | null }
  const onDamage = ({ message }: Error): void => {
    found.damage = message
  }
  try {
    readSessionFile(file, (database) => {
      for (const { elapsedNs } of new RecordedFrames(() => database).rows(onDamage)) {
        found.count++
        found.lastNs = elapsedNs
        if (elapsedNs >= fromNs) found.firstNs ??= elapsedNs
      }
    })
    return found
  } catch (error) {
    if (/^[\w.-]+:\d+(?:\/.*)?$/.test(file))
      throw new OptionError(`${origin}: got ${quoted(file)}; did you mean http://${file}?`)
    const reason = error instanceof Error ? error.message : String(error)
    throw new OptionError(`${origin}: got ${quoted(file)}, expected ${sourceForms}; ${reason}`)
  }
}

/** Days, hours, minutes and seconds. */
const formatNs = (ns: bigint): string => durationText(Number(ns / nsPerSecond))

export const scenarioNamed = (nameOrFile: string): Scenario | null => unwrapOrThrow(readScenario(nameOrFile))

/** Resolves --scenario, and --warmup, whose default a scenario may set. */
export function resolveScenario({ scenario, warmup }: WorldOptions): ScenarioChoice {
  const chosen = scenarioNamed(scenario)
  const microseconds = chosen?.warmup ?? null
  const defaultNs = microseconds === null ? defaultWarmupNs : BigInt(microseconds) * nsPerMicrosecond
  return { scenario: chosen, warmupNs: warmup ?? defaultNs }
}

export const resolveSessions = (list: string): readonly ListedSession[] =>
  unwrapOrThrow(readSessionList(list))

export const resolveCollectors = (list: string): readonly CollectorName[] =>
  unwrapOrThrow(chooseCollectors(list))
