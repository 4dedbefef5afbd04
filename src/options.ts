/** Every setting of the service, each declared once: its flag, its variable, its default, what it takes, what it does. */

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** What is wrong with a setting: what was expected instead. */
export class Expected {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A setting that takes a value. */
export interface Setting<T> {
  /** The value's name in --help. */
  readonly takes: string
  /** As it would be written on the command line. */
  readonly fallback: string
  /** What happens without it, where that is not the fallback itself. */
  readonly otherwise?: string
  readonly meaning: string
  /** Whether it may be given several times; the values are joined by commas. */
  readonly repeatable?: boolean
  readonly parse: (text: string) => T | Expected
}

export const logLevels = ['quiet', 'info', 'debug'] as const
export const scaleNames = ['small', 'medium', 'large'] as const
const hostsMax = 50_000
const int64Max = 9223372036854775807n
const portMax = 65_535
const longestTimeMs = 86_400_000
const shortestCadenceMs = 50
const speedMax = 100_000

const oneOf =
  <const V extends readonly string[]>(values: V) =>
  (text: string): V[number] | Expected =>
    values.includes(text) ? text : new Expected(`one of ${values.join(', ')}`)

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number | Expected => {
    const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : new Expected(`a whole number from ${min} to ${max}`)
  }

function seed(text: string): bigint | Expected {
  const value = /^[0-9]{1,19}$/.test(text) ? BigInt(text) : -1n
  return value >= 0n && value <= int64Max ? value : new Expected(`a whole number from 0 to ${int64Max}`)
}

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

const unitNs: Readonly<Record<string, bigint>> = {
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
}
const warmupMaxDays = 400n

const usualWarmup = '7d'
export const usualWarmupNs = 604_800_000_000_000n

/** A span of simulated time such as 90s, 15m, 2h or 7d, in nanoseconds; null leaves it to the scenario. */
function warmup(text: string): bigint | null | Expected {
  if (text === '') return null
  const [, digits, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? []
  const span = digits === undefined ? -1n : BigInt(digits) * unitNs[unit]
  const within = span >= 0n && span <= warmupMaxDays * unitNs['d']
  return within ? span : new Expected(`a time such as 90s, 15m, 2h or 7d, at most ${warmupMaxDays}d`)
}

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

const anyText = (text: string): string => text

export const settings = {
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
  source: {
    takes: 'SOURCE',
    fallback: 'simulation',
    meaning: 'Where the world comes from: simulation is the one that is built in.',
    parse: oneOf(['simulation']),
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
    fallback: '60',
    meaning: 'Simulated seconds a wall second; 0 stands still.',
    parse: speed,
  },
  warmup: {
    takes: 'TIME',
    fallback: '',
    otherwise: usualWarmup,
    meaning:
      'Simulated time that has passed before the first publish, so that there is history: 90s, 15m, 2h, 7d. A ' +
      'scenario may bring its own default.',
    parse: warmup,
  },
  scenario: {
    takes: 'FILE',
    fallback: '',
    meaning: 'A scenario: the name of one that is built in, or a JSON file.',
    parse: anyText,
  },
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
  collectors: {
    takes: 'LIST',
    fallback: '',
    meaning:
      'Groups of metrics on /metrics: names replace the usual choice, +name adds to it, -name takes away.',
    repeatable: true,
    parse: anyText,
  },
  'log-level': {
    takes: 'LEVEL',
    fallback: 'info',
    meaning: 'quiet tells of faults alone, info also of the start and the end, debug of every publish.',
    parse: oneOf(logLevels),
  },
} as const satisfies Record<string, Setting<unknown>>

/** Flags that take no value and end the process once they are answered. */
export const questions = {
  'list-scenarios': 'List the scenarios that are built in.',
  help: 'Show this.',
  version: 'Show the version.',
} as const

export type SettingName = keyof typeof settings
export type Question = keyof typeof questions
export type Options = {
  readonly [S in SettingName]: Exclude<ReturnType<(typeof settings)[S]['parse']>, Expected>
}

export const settingNames = Object.keys(settings) as SettingName[]
const questionNames = Object.keys(questions) as Question[]

export const variableOf = (name: SettingName): string => `DCSIM_${name.toUpperCase().replaceAll('-', '_')}`

/** A command line or environment that cannot be followed, in one line. */
export class OptionError extends Error {}

/** Where a value was found, in the words that complain about it. */
interface Found {
  readonly where: string
  readonly text: string
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row.at(-1)!
}

const quotedMax = 80
const quoted = (text: string): string =>
  JSON.stringify(text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text)

function nearestFlag(flag: string): string {
  const name = flag.slice(2, quotedMax)
  const all: readonly string[] = [...settingNames, ...questionNames]
  return `--${all.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0]}`
}

/** The value that belongs to a flag: behind its equals sign, or the next word. */
function valueOf(flag: string, inline: string | undefined, next: string | undefined, takes: string): string {
  const text = inline ?? next
  if (text === undefined || (inline === undefined && text.startsWith('--'))) {
    throw new OptionError(`${flag}: got no value, expected ${takes}.`)
  }
  return text
}

interface CommandLine {
  readonly found: Map<SettingName, Found>
  readonly question: Question | null
}

function readCommandLine(words: readonly string[]): CommandLine {
  const found = new Map<SettingName, Found>()
  for (let at = 0; at < words.length; at++) {
    const [flag, ...rest] = words[at].split('=')
    const inline = rest.length > 0 ? rest.join('=') : undefined
    const name = flag.slice(2)
    if (!flag.startsWith('--') && flag !== '-h') {
      throw new OptionError(`Got ${quoted(words[at])}, expected a flag; --help lists them.`)
    }
    if (flag === '-h') return { found, question: 'help' }
    if (Object.hasOwn(questions, name)) return { found, question: name as Question }
    if (!Object.hasOwn(settings, name)) {
      throw new OptionError(`There is no flag ${quoted(flag)}; the nearest is ${nearestFlag(flag)}.`)
    }
    const setting: Setting<unknown> = settings[name as SettingName]
    const text = valueOf(flag, inline, words[at + 1], setting.takes)
    if (inline === undefined) at++
    const before = found.get(name as SettingName)
    if (before !== undefined && setting.repeatable !== true)
      throw new OptionError(`${flag}: given twice, expected once.`)
    found.set(name as SettingName, {
      where: flag,
      text: before === undefined ? text : `${before.text},${text}`,
    })
  }
  return { found, question: null }
}

/** What only the parts that a setting is for can tell about it: null where nothing is wrong with it. */
export type Complaints = Partial<Record<SettingName, (text: string) => string | null>>

function parsed(name: SettingName, found: Found | undefined, complaints: Complaints): unknown {
  const setting: Setting<unknown> = settings[name]
  const text = found?.text ?? setting.fallback
  const complaint = complaints[name]?.(text) ?? null
  if (complaint !== null) throw new OptionError(`${found!.where}: ${complaint}.`)
  const value = setting.parse(text)
  if (!(value instanceof Expected)) return value
  throw new OptionError(`${found!.where}: got ${quoted(found!.text)}, expected ${value.text}.`)
}

/** Reads the settings. A flag wins over its variable; an empty variable counts as none. */
export function readOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  complaints: Complaints = {},
): Options | Question {
  const { found, question } = readCommandLine(words)
  if (question !== null) return question
  const entries = settingNames.map((name) => {
    const variable = variableOf(name)
    const set = environment[variable]
    const fromEnvironment = set === undefined || set === '' ? undefined : { where: variable, text: set }
    return [name, parsed(name, found.get(name) ?? fromEnvironment, complaints)]
  })
  return Object.fromEntries(entries) as Options
}

const flagText = (name: SettingName): string => `--${name} ${settings[name].takes}`

/** What --help shows. */
export function helpText(): string {
  const width = Math.max(...settingNames.map((name) => flagText(name).length)) + 2
  const line = (flag: string, meaning: string): string => `  ${flag.padEnd(width)}${meaning}`
  const lines = settingNames.flatMap((name) => {
    const { fallback, otherwise = fallback, meaning }: Setting<unknown> = settings[name]
    const usual = otherwise === '' ? '' : ` Otherwise ${otherwise}.`
    return [line(flagText(name), meaning), line('', `${variableOf(name)}.${usual}`)]
  })
  return [
    'Usage: npm start -- [FLAGS]',
    '',
    'Mirrors a running data-center simulation over HTTP, for Prometheus, Grafana and other readers.',
    '',
    ...lines,
    ...questionNames.map((name) => line(`--${name}`, questions[name])),
    '',
    'Every flag but the last three can also be set by the variable below it; flags win.',
  ].join('\n')
}

/** The same as a table in Markdown. */
export function optionsTable(): string {
  const code = (text: string): string => (text === '' ? '' : `\`${text}\``)
  const rows = settingNames.map((name) => {
    const { fallback, otherwise = fallback, meaning }: Setting<unknown> = settings[name]
    return `| ${code(flagText(name))} | ${code(variableOf(name))} | ${code(otherwise)} | ${meaning} |`
  })
  const asked = questionNames.map((name) => `| ${code(`--${name}`)} | | | ${questions[name]} |`)
  return ['| Flag | Variable | Default | Meaning |', '| --- | --- | --- | --- |', ...rows, ...asked].join(
    '\n',
  )
}
