/** The settings of the service that are not the world's. */
import { Expected, oneOf, wholeNumber } from './setting.ts'
import type { Setting } from './setting.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

export const logLevels = ['quiet', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]
const portMax = 65_535
const longestTimeMs = 86_400_000
const shortestCadenceMs = 50

/** `host:port`, the host in brackets where it holds colons itself. */
function listenAddress(text: string): ListenAddress | Expected {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+)):([0-9]{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host === undefined || port > portMax)
    return new Expected('HOST:PORT, such as 127.0.0.1:9740 or [::1]:9740')
  return { host, port }
}

const hostName = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)$/

function hostNames(text: string): readonly string[] | Expected {
  const names = text === '' ? [] : text.split(',').map((name) => name.trim())
  return names.every((name) => hostName.test(name))
    ? names
    : new Expected('host names without ports, such as mirror.lan')
}

export const readingSettings = {
  listen: {
    takes: 'HOST:PORT',
    fallback: '127.0.0.1:9740',
    meaning:
      'Where to listen. Port 0 takes any free one. Nobody is asked who they are, so keep it on this machine.',
    parse: listenAddress,
  },
  'allow-host': {
    takes: 'NAME',
    fallback: '',
    meaning: 'Names that readers may call this machine by, besides localhost, 127.0.0.0/8 and [::1].',
    repeatable: true,
    parse: hostNames,
  },
} as const satisfies Record<string, Setting<unknown>>

export const publishingSettings = {
  'cadence-ms': {
    takes: 'MS',
    fallback: '1000',
    meaning: 'Time between publishes while something reads.',
    parse: wholeNumber(shortestCadenceMs, longestTimeMs),
  },
  'idle-ms': {
    takes: 'MS',
    fallback: '60000',
    meaning: 'Publishing pauses after this long without a read.',
    parse: wholeNumber(1, longestTimeMs),
  },
} as const satisfies Record<string, Setting<unknown>>

export const logLevelSetting = {
  takes: 'LEVEL',
  fallback: 'info',
  meaning: 'quiet tells of faults alone, info also of the start and the end, debug of every publish.',
  parse: oneOf(logLevels),
} as const satisfies Setting<unknown>
