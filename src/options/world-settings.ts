/** Settings that select the world. */
import { defaultSpeed } from '../contract/thresholds.ts'
import { int64Max } from '../contract/routes.ts'
import { sourceKindNames, sourceKindOf, sourceKinds } from '../sources/registry.ts'
import type { SourceKindName } from '../sources/registry.ts'
import {
  anyText,
  duration,
  durationDaysMax,
  integer,
  oneOfValues,
  optional,
  ParseFailure,
  yesNo,
} from './setting.ts'
import type { RequiresOption, Setting } from './setting.ts'

const scaleNames = ['small', 'medium', 'large'] as const
const hostsMax = 50_000
const speedMax = 100_000

const defaultWarmup = '7d'
export const defaultWarmupNs = duration(durationDaysMax)(defaultWarmup) as bigint

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })
const enumeration = new Intl.ListFormat('en', { type: 'conjunction' })

/** The values of `--source`. */
export const sourceForms = alternatives.format(sourceKindNames.map((name) => sourceKinds[name].usage))

/** Semicolons separate the forms, as they contain commas. */
const sourceHelp = sourceKindNames
  .map((name) => sourceKinds[name].help)
  .join('; ')
  .replace(/; (?=[^;]*$)/, '; or ')

const requiresSource = (...kinds: readonly SourceKindName[]): RequiresOption => ({
  setting: 'source',
  isMet: (source) => kinds.includes(sourceKindOf(String(source))),
  appliesTo: enumeration.format(kinds.map((kind) => sourceKinds[kind].noun)),
})

export const requiresBuiltIn = requiresSource('simulation')
const requiresLocalSource = requiresSource('simulation', 'recording')
export const requiresRecording = requiresSource('recording')

/** The setting for an upstream is only its origin, as the contract defines all paths. */
function source(text: string): string | ParseFailure {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1].toLowerCase()
  if (scheme === undefined) return text === '' ? new ParseFailure(sourceForms) : text
  if (scheme !== 'http' && scheme !== 'https') return new ParseFailure('a URL with the scheme http or https')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return new ParseFailure(sourceForms)
  return `${url.origin}/` === url.href ? url.origin : new ParseFailure(`a URL without a path: ${url.origin}`)
}

function seed(text: string): bigint | ParseFailure {
  const value = /^[0-9]{1,19}$/.test(text) ? BigInt(text) : -1n
  return value >= 0n && value <= int64Max ? value : new ParseFailure(`an integer from 0 to ${int64Max}`)
}

function speed(text: string): number | ParseFailure {
  const value = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  return value <= speedMax ? value : new ParseFailure(`a number from 0 (paused) to ${speedMax}`)
}

function scale(text: string): (typeof scaleNames)[number] | number | ParseFailure {
  const name = oneOfValues(scaleNames)(text)
  if (!(name instanceof ParseFailure)) return name
  const hosts = integer(1, hostsMax)(text)
  return hosts instanceof ParseFailure
    ? new ParseFailure(`${scaleNames.join(', ')} or a number of hosts from 1 to ${hostsMax}`)
    : hosts
}

export const worldSettings = {
  source: {
    placeholder: 'SOURCE',
    defaultText: 'simulation',
    help: `Where the world comes from: ${sourceHelp}.`,
    brief: 'World to mirror: simulation, http://HOST:PORT, or FILE.',
    parse: source,
  },
  seed: {
    placeholder: 'N',
    defaultText: '13',
    help: 'Seed of the world. Equal seeds give equal worlds.',
    brief: true,
    requires: requiresBuiltIn,
    parse: seed,
  },
  scale: {
    placeholder: 'SCALE',
    defaultText: 'medium',
    help: 'Size of the world: small (24 hosts), medium (120), large (1,000), or a number of hosts up to 50,000.',
    brief: 'Size: small, medium, large, or a number of hosts.',
    requires: requiresBuiltIn,
    parse: scale,
  },
  speed: {
    placeholder: 'X',
    defaultText: '',
    defaultHelp: `${defaultSpeed}`,
    help: 'Simulated seconds per second of wall time; 0 pauses. A recording is replayed at its own speed by default.',
    brief: 'Simulated seconds per second of wall time; 0 pauses.',
    requires: requiresLocalSource,
    parse: optional(speed),
  },
  warmup: {
    placeholder: 'TIME',
    defaultText: '',
    defaultHelp: defaultWarmup,
    help:
      'Simulated time before the first publish, which gives the world a history: 90s, 1h30m, 4d12h. A scenario may ' +
      'set its own default.',
    requires: requiresBuiltIn,
    parse: optional(duration(durationDaysMax)),
  },
  scenario: {
    placeholder: 'NAME',
    defaultText: '',
    help: 'Scenario to run: the name of a built-in one, or a file.',
    brief: true,
    requires: requiresBuiltIn,
    parse: anyText,
  },
  blind: {
    placeholder: 'yes/no',
    defaultText: 'no',
    help:
      'Whether a team takes over after the warm-up: operators only observe, repairs are what `act` orders, and nothing ' +
      'that is published names a cause, a suspect, an injection or the scenario.',
    isSwitch: true,
    requires: requiresBuiltIn,
    parse: yesNo,
  },
} as const satisfies Record<string, Setting<unknown>>

export const noCache = 'none'

export const cacheSetting = {
  placeholder: 'FOLDER',
  defaultText: '',
  defaultHelp: `dcsim-mirror in the user's folder of caches; ${noCache} for none`,
  help:
    'Folder in which a built-in world is kept at the end of its warm-up, so that its next start does not simulate ' +
    'it again: up to 32 files, 512 MiB. The default world comes with the program.',
  requires: requiresBuiltIn,
  parse: anyText,
} as const satisfies Setting<unknown>

export const collectorsSetting = {
  placeholder: 'LIST',
  defaultText: '',
  help: 'Groups of metrics on /metrics: names replace the default ones, +name adds one, -name removes one.',
  repeatable: true,
  parse: anyText,
} as const satisfies Setting<unknown>
