/** The settings that say which world it is. */
import { anyText, Expected, oneOf, optional, timeSpan, wholeNumber } from './setting.ts'
import type { Setting } from './setting.ts'

export const scaleNames = ['small', 'medium', 'large'] as const
const hostsMax = 50_000
const int64Max = 9223372036854775807n
const speedMax = 100_000
const warmupMaxDays = 400

const usualWarmup = '7d'
export const usualWarmupNs = 604_800_000_000_000n

export const sources = 'simulation, a server such as http://127.0.0.1:9741, or the file of a recording'

export const isServer = (source: string): boolean => /^https?:\/\//.test(source)

/** A server is called by its origin alone, as all paths on it are known; whatever is no server is a file. */
function source(text: string): string | Expected {
  if (text !== '' && !isServer(text)) return text
  const url = URL.canParse(text) ? new URL(text) : null
  const isBare = url !== null && `${url.origin}/` === url.href
  return isBare ? url.origin : new Expected(sources)
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
    parse: seed,
  },
  scale: {
    takes: 'SCALE',
    fallback: 'medium',
    meaning:
      'Size of the world: small (24 hosts), medium (120), large (1,000), or a number of hosts up to 50,000.',
    parse: scale,
  },
  speed: {
    takes: 'X',
    fallback: '',
    otherwise: '60',
    meaning:
      'Simulated seconds a wall second; 0 stands still. A recording goes as fast as it was recorded, unless told.',
    parse: optional(speed),
  },
  warmup: {
    takes: 'TIME',
    fallback: '',
    otherwise: usualWarmup,
    meaning:
      'Simulated time that has passed before the first publish, so that there is history: 90s, 15m, 2h, 7d. A ' +
      'scenario may bring its own default.',
    parse: optional(timeSpan(warmupMaxDays)),
  },
  scenario: {
    takes: 'FILE',
    fallback: '',
    meaning: 'A scenario: the name of one that is built in, or a JSON file.',
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
