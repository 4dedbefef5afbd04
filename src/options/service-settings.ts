/** Settings of the service that apply to every source. */
import { isIPv6 } from 'node:net'
import { defaultCadenceMs, defaultIdleMs } from '../contract/thresholds.ts'
import { integer, oneOfValues, ParseFailure } from './setting.ts'
import type { Setting } from './setting.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

const logLevels = ['quiet', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

export const portMax = 65_535
const intervalMsMax = 86_400_000
const cadenceMsMin = 50

/** `host:port`, the host in brackets if it contains colons. */
export function hostAndPort(text: string): ListenAddress | ParseFailure {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+)):([0-9]{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host === undefined) return new ParseFailure('HOST:PORT, such as 127.0.0.1:9740 or [::1]:9740')
  if (port > portMax) return new ParseFailure(`a port from 0 to ${portMax}`)
  return { host, port }
}

const hostNamePattern = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)$/

/**
 * The form of a Host header, with brackets around an IPv6 address. Kubernetes has addresses of pods without brackets.
 */
const asInHeader = (name: string): string => (isIPv6(name) ? `[${name}]` : name)

function hostNames(text: string): readonly string[] | ParseFailure {
  const names = text === '' ? [] : text.split(',').map((name) => asInHeader(name.trim()))
  return names.every((name) => hostNamePattern.test(name))
    ? names
    : new ParseFailure('host names without ports, such as mirror.lan')
}

export const listenSettings = {
  listen: {
    placeholder: 'HOST:PORT',
    defaultText: '127.0.0.1:9740',
    help: 'Address to listen on; port 0 selects a free one. There is no authentication, so keep it on the loopback.',
    brief: 'Address to listen on; port 0 selects a free one.',
    parse: hostAndPort,
  },
  'allow-host': {
    placeholder: 'NAME',
    defaultText: '',
    help: 'Host names that requests may use besides localhost, 127.0.0.0/8 and [::1].',
    repeatable: true,
    parse: hostNames,
  },
} as const satisfies Record<string, Setting<unknown>>

export const publishingSettings = {
  'cadence-ms': {
    placeholder: 'MS',
    defaultText: `${defaultCadenceMs}`,
    help: 'Time between publishes while clients read.',
    parse: integer(cadenceMsMin, intervalMsMax),
  },
  'idle-ms': {
    placeholder: 'MS',
    defaultText: `${defaultIdleMs}`,
    help: 'Time without a request after which publishing pauses.',
    parse: integer(1, intervalMsMax),
  },
} as const satisfies Record<string, Setting<unknown>>

export const logLevelSetting = {
  placeholder: 'LEVEL',
  defaultText: 'info',
  help: 'quiet logs errors only, info also start and shutdown, debug also every publish.',
  parse: oneOfValues(logLevels),
} as const satisfies Setting<unknown>
