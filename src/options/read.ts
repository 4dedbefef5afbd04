/** Reads what a command was told, by its words and by the environment. */
import { variableOf } from './command.ts'
import type { Command, Questions, Settings, Values } from './command.ts'
import { nearest } from './nearest.ts'
import { Expected } from './setting.ts'
import type { Setting } from './setting.ts'

/** A command line or environment that cannot be followed, in one line. */
export class OptionError extends Error {}

export interface Told<S extends Settings> {
  readonly options: Values<S>
  /** The word without a flag; empty for a command that takes none. */
  readonly argument: string
  /** What each setting was found under, its flag or its variable: the flag where it was not found. */
  readonly found: Readonly<Record<keyof S, string>>
}

/** Where a value was found, in the words that complain about it. */
interface Found {
  readonly where: string
  readonly text: string
}

interface CommandLine {
  readonly found: Map<string, Found>
  readonly argument: string | null
  readonly question: string | null
}

/** What only the parts that a setting is for can tell about it: null where nothing is wrong with it. */
export type Complaints<S extends Settings> = Partial<Record<keyof S, (text: string) => string | null>>

const quotedMax = 80
export const quoted = (text: string): string =>
  JSON.stringify(text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text)

const shortFlags: ReadonlyMap<string, string> = new Map([
  ['-h', '--help'],
  ['-v', '--version'],
])

/** The value that belongs to a flag: behind its equals sign, or the next word. */
function valueOf(flag: string, inline: string | undefined, next: string | undefined, takes: string): string {
  const text = inline ?? next
  if (text === undefined || (inline === undefined && text.startsWith('--'))) {
    throw new OptionError(`${flag}: got no value, expected ${takes}.`)
  }
  return text
}

function unexpectedWord({ argument }: Command, word: string, isSecond: boolean): OptionError {
  if (argument === undefined)
    return new OptionError(`Got ${quoted(word)}, expected a flag; --help lists them.`)
  const expected = isSecond ? `only one ${argument.takes}` : 'a flag'
  return new OptionError(`Got ${quoted(word)}, expected ${expected}; --help tells more.`)
}

function unknownFlag({ name, settings, questions }: Command, flag: string): OptionError {
  const near = nearest(flag.slice(2), [...Object.keys(settings), ...Object.keys(questions)])
  const [has, asks] = name === undefined ? ['There is', '--help'] : [`${name} has`, `${name} --help`]
  const next = near === null ? `${asks} lists those there are` : `the nearest is --${near}`
  return new OptionError(`${has} no flag ${quoted(flag)}; ${next}.`)
}

function readCommandLine(command: Command, words: readonly string[]): CommandLine {
  const { settings, questions } = command
  const found = new Map<string, Found>()
  let argument: string | null = null
  let question: string | null = null
  for (let at = 0; at < words.length; at++) {
    const [written, ...rest] = words[at].split('=')
    const flag = shortFlags.get(written) ?? written
    const inline = rest.length > 0 ? rest.join('=') : undefined
    const name = flag.slice(2)
    if (!flag.startsWith('--')) {
      const takesIt = command.argument !== undefined && argument === null && !flag.startsWith('-')
      if (!takesIt) throw unexpectedWord(command, words[at], argument !== null)
      argument = words[at]
    } else if (Object.hasOwn(questions, name)) {
      if (inline !== undefined) throw new OptionError(`${written}: got ${quoted(inline)}, expected no value.`)
      question ??= name
    } else {
      if (!Object.hasOwn(settings, name)) throw unknownFlag(command, flag)
      const setting: Setting<unknown> = settings[name]
      const text = valueOf(flag, inline, words[at + 1], setting.takes)
      if (inline === undefined) at++
      const before = found.get(name)
      if (before !== undefined && setting.repeatable !== true)
        throw new OptionError(`${flag}: given twice, expected once.`)
      found.set(name, { where: flag, text: before === undefined ? text : `${before.text},${text}` })
    }
  }
  return { found, argument, question }
}

function parsed(
  name: string,
  setting: Setting<unknown>,
  found: Found | undefined,
  complain: ((text: string) => string | null) | undefined,
): unknown {
  const text = found?.text ?? setting.fallback
  const complaint = complain?.(text) ?? null
  if (complaint !== null) throw new OptionError(`${found!.where}: ${complaint}.`)
  const value = setting.parse(text)
  if (!(value instanceof Expected)) return value
  if (found === undefined) throw new OptionError(`--${name} is missing; expected ${value.text}.`)
  throw new OptionError(`${found.where}: got ${quoted(found.text)}, expected ${value.text}.`)
}

/** A flag without any effect is a misunderstanding; a variable may be there for the sake of another world. */
function refuseMisplaced(
  { settings }: Command,
  found: ReadonlyMap<string, Found>,
  told: Told<Settings>,
): void {
  for (const name of found.keys()) {
    const { only } = settings[name]
    if (only === undefined || only.holds(told.options[only.setting])) continue
    const other = `${told.found[only.setting]} is ${quoted(String(told.options[only.setting]))}`
    throw new OptionError(`--${name}: applies to ${only.appliesTo} alone, and ${other}.`)
  }
}

/** What a command was told, or what it was asked. A flag wins over its variable; an empty variable counts as none. */
export function readCommand<S extends Settings, Q extends Questions>(
  command: Command<S, Q>,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  complaints: Complaints<S> = {},
): Told<S> | Extract<keyof Q, string> {
  const { found, argument, question } = readCommandLine(command, words)
  if (question !== null) return question as Extract<keyof Q, string>
  if (command.argument !== undefined && argument === null) {
    throw new OptionError(`Got no ${command.argument.takes}; expected ${command.usage}.`)
  }
  const options: Record<string, unknown> = {}
  const places: Record<string, string> = {}
  for (const [name, setting] of Object.entries(command.settings)) {
    const variable = variableOf(name)
    const set = environment[variable]
    const fromEnvironment = set === undefined || set === '' ? undefined : { where: variable, text: set }
    const at = found.get(name) ?? fromEnvironment
    options[name] = parsed(name, setting, at, complaints[name])
    places[name] = at?.where ?? `--${name}`
  }
  const told = { options, argument: argument ?? '', found: places }
  refuseMisplaced(command, found, told)
  return told as Told<S>
}
