/** The settings that say which world it is. */
import { anyText, Expected, oneOf, optional, timeSpan, wholeNumber } from './setting.ts'
import type { OnlyWith, Setting } from './setting.ts'

export const scaleNames = ['small', 'medium', 'large'] as const
const hostsMax = 50_000
const int64Max = 9223372036854775807n
const speedMax = 100_000
const warmupMaxDays = 400

const usualWarmup = '7d'
export const usualWarmupNs = 604_800_000_000_000n

export const sources = 'simulation, a server such as http://127.0.0.1:9741, or the file of a recording'

export const isServer = (source: string): boolean => /^https?:\/\//.test(source)

const isBuiltIn = (source: unknown): boolean => source === 'simulation'

const onlyBuiltIn: OnlyWith = {
  setting: 'source',
  holds: isBuiltIn,
  appliesTo: 'the built-in world',
}

const onlyLocal: OnlyWith = {
  setting: 'source',
  holds: (source) => !isServer(String(source)),
  appliesTo: 'the built-in world and recordings',
}

export const onlyRecordings: OnlyWith = {
  setting: 'source',
  holds: (source) => !isBuiltIn(source) && !isServer(String(source)),
  appliesTo: 'recordings',
}

/** A server is called by its origin alone, as all paths on it are known; whatever has no scheme is a file. */
function source(text: string): string | Expected {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1].toLowerCase()
  if (scheme === undefined) return text === '' ? new Expected(sources) : text
  if (scheme !== 'http' && scheme !== 'https')
    return new Expected(`http:// or https:// before the name of a server, not ${scheme}://`)
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return new Expected(sources)
  if (`${url.origin}/` === url.href) return url.origin
  return new Expected(`a server without a path or anything else behind its name: ${url.origin}`)
}

function seed(text: string): bigint | Expected {
  const value = /^[0-9]{1,19}$/.test(text) ? BigInt(text) : -1n
  return value >= 0n && value <= int64Max ? value : new Expected(`a whole number from 0 to ${int64Max}`)
}

export const usualSpeed = 60

function speed(text: string): number | Expected {
  const value = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  return value <= speedMax ? value : new Expected(`a number from 0 (paused) to ${speedMax}`)
}

function scale(text: string): (typeof scaleNames)[number] | number | Expected {
  const named = oneOf(scaleNames)(text)
  if (!(named instanceof Expected)) return named
  const hosts = wholeNumber(1, hostsMax)(text)
  const expected = new Expected(`${scaleNames.join(', ')} or a number of hosts from 1 to ${hostsMax}`)
  return hosts instanceof Expected ? expected : hosts
}

export const worldSettings = {
  source: {
    takes: 'SOURCE',
    fallback: 'simulation',
    meaning:
      'Where the world comes from: simulation is the one that is built in; http://HOST:PORT is a server that speaks ' +
      'the same API, the game or another mirror; FILE is a recorded session.',
    parse: source,
  },
  seed: {
    takes: 'N',
    fallback: '1',
    meaning: 'The same seed makes the same world.',
    only: onlyBuiltIn,
    parse: seed,
  },
  scale: {
    takes: 'SCALE',
    fallback: 'medium',
    meaning:
      'Size of the world: small (24 hosts), medium (120), large (1,000), or a number of hosts up to 50,000.',
    only: onlyBuiltIn,
    parse: scale,
  },
  speed: {
    takes: 'X',
    fallback: '',
    otherwise: '60',
    meaning:
      'Simulated seconds a wall second; 0 stands still. A recording goes as fast as it was recorded, unless told.',
    only: onlyLocal,
    parse: optional(speed),
  },
  warmup: {
    takes: 'TIME',
    fallback: '',
    otherwise: usualWarmup,
    meaning:
      'Simulated time that has passed before the first publish, so that there is history: 90s, 15m, 2h, 7d. A ' +
      'scenario may bring its own default.',
    only: onlyBuiltIn,
    parse: optional(timeSpan(warmupMaxDays)),
  },
  scenario: {
    takes: 'FILE',
    fallback: '',
    meaning: 'A scenario: the name of one that is built in, or a JSON file.',
    only: onlyBuiltIn,
    parse: anyText,
  },
} as const satisfies Record<string, Setting<unknown>>

export const collectorsSetting = {
  takes: 'LIST',
  fallback: '',
  meaning:
    'Groups of metrics on /metrics: names replace the usual choice, +name adds to it, -name takes away.',
  repeatable: true,
  parse: anyText,
} as const satisfies Setting<unknown>
