/** Parses the command line and the environment by a command's declaration. */
import { parseArgs } from 'node:util'
import { closestMatch } from '../text/closest-match.ts'
import { environmentVariable } from './command.ts'
import type { PositionalArgument, Command, InfoFlags, Settings, Values } from './command.ts'
import { ParseFailure } from './setting.ts'
import type { Setting } from './setting.ts'
import { quoted } from '../text/quoted.ts'

/** An invalid command line or environment, explained in one line. */
export class OptionError extends Error {}

export interface ParsedCommand<S extends Settings> {
  readonly options: Values<S>
  /** The positional argument; empty for a command without one. */
  readonly argument: string
  /** The flag or variable that set each option, for error messages; the flag for a default. */
  readonly origins: Readonly<Record<keyof S, string>>
}

/** The text of an option and its flag or variable. */
interface OptionText {
  readonly origin: string
  readonly text: string
}

interface CommandLine {
  readonly optionTexts: ReadonlyMap<string, OptionText>
  readonly argument: string | null
  readonly infoFlag: string | null
}

/** Validators that need modules on which the options must not depend. Each returns an error message, or null. */
export type Validators<S extends Settings> = Partial<Record<keyof S, (text: string) => string | null>>

export const shortFlags: Readonly<Record<string, string>> = { help: 'h', version: 'V' }
/** Other programs have it for their version. */
const otherShortFlags: Readonly<Record<string, string>> = { '-v': 'version' }

/** Names that other programs have for an option. */
const synonyms: Readonly<Record<string, string>> = {
  p: 'listen',
  port: 'listen',
  host: 'listen',
  bind: 'listen',
  address: 'listen',
  o: 'out',
  output: 'out',
  upstream: 'source',
}

function unknownOption({ settings, infoFlags }: Command, rawName: string): OptionError {
  const name = rawName.replace(/^-+/, '')
  const synonym = Object.hasOwn(synonyms, name) ? synonyms[name] : ''
  const advised = Object.hasOwn(settings, synonym)
    ? `--${synonym} ${settings[synonym].placeholder}`
    : closestFlag(name, [...Object.keys(settings), ...Object.keys(infoFlags)])
  const advice = advised === null ? 'run with --help for a list' : `did you mean ${advised}?`
  return new OptionError(`unknown option ${quoted(rawName)}; ${advice}`)
}

const missingArgument = ({
  placeholder,
  advice = 'run with --help for usage',
}: PositionalArgument): OptionError => new OptionError(`missing argument ${placeholder}; ${advice}`)

function closestFlag(name: string, names: readonly string[]): string | null {
  const closest = closestMatch(name, names)
  return closest === null ? null : `--${closest}`
}

/** The values of a setting in words, by its answer to a text that no setting takes. */
function expectedBy({ parse }: Setting<unknown>): string | null {
  const failure = parse('\u0000')
  return failure instanceof ParseFailure ? failure.expected : null
}

function unexpectedArgument({ settings }: Command, value: string): OptionError {
  const option = ['url', 'source'].find((name) => Object.hasOwn(settings, name))
  const advice =
    /^https?:/.test(value) && option !== undefined
      ? `did you mean --${option} ${value}?`
      : 'run with --help for usage'
  return new OptionError(`unexpected argument ${quoted(value)}; ${advice}`)
}

const switchValues: ReadonlySet<string> = new Set(['yes', 'no'])

function tokenize({ settings, infoFlags }: Command, words: readonly string[]) {
  const flags = Object.keys(infoFlags).map((name) => {
    const short = shortFlags[name]
    return [name, { type: 'boolean', ...(short === undefined ? {} : { short }) }] as const
  })
  const valued = Object.entries(settings).map(
    ([name, { isSwitch = false }]) => [name, { type: isSwitch ? 'boolean' : 'string' }] as const,
  )
  const options = Object.fromEntries([...valued, ...flags])
  return parseArgs({ args: [...words], options, strict: false, tokens: true }).tokens
}

function parseCommandLine(command: Command, words: readonly string[]): CommandLine {
  const { settings, infoFlags } = command
  const optionTexts = new Map<string, OptionText>()
  let argument: string | null = null
  let infoFlag: string | null = null
  /** A switch may have its value as the next word. */
  let switched: { readonly index: number; readonly name: string; readonly rawName: string } | null = null
  for (const token of tokenize(command, words)) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      if (command.argument?.isRest === true && argument !== null) {
        argument = `${argument} ${token.value}`
        continue
      }
      const isArgument = command.argument !== undefined && argument === null
      if (
        switched !== null &&
        token.index === switched.index + 1 &&
        (!isArgument || switchValues.has(token.value))
      ) {
        optionTexts.set(switched.name, { origin: switched.rawName, text: token.value })
        continue
      }
      if (!isArgument) throw unexpectedArgument(command, token.value)
      argument = token.value
      continue
    }
    const { rawName, inlineValue } = token
    const name = otherShortFlags[rawName] ?? token.name
    if (Object.hasOwn(infoFlags, name)) {
      if (token.value !== undefined)
        throw new OptionError(`${rawName}: got ${quoted(token.value)}, expected no value`)
      if (infoFlag === null || name === 'all') infoFlag = name
      continue
    }
    if (!Object.hasOwn(settings, name)) throw unknownOption(command, rawName)
    const { placeholder, repeatable = false, isSwitch = false } = settings[name]
    if (isSwitch && token.value === undefined) switched = token
    const value = token.value ?? (isSwitch ? 'yes' : undefined)
    if (value === undefined || (inlineValue === false && value.startsWith('--')))
      throw new OptionError(`${rawName}: got no value, expected ${expectedBy(settings[name]) ?? placeholder}`)
    const earlier = optionTexts.get(name)
    if (earlier !== undefined && !repeatable)
      throw new OptionError(`${rawName}: given more than once, expected once`)
    const text = earlier === undefined ? value : `${earlier.text},${value}`
    optionTexts.set(name, { origin: rawName, text })
  }
  return { optionTexts, argument, infoFlag }
}

function parseValue(
  name: string,
  setting: Setting<unknown>,
  optionText: OptionText | undefined,
  validate: ((text: string) => string | null) | undefined,
): unknown {
  const text = optionText?.text ?? setting.defaultText
  const problem = validate?.(text) ?? null
  if (problem !== null) throw new OptionError(`${optionText?.origin ?? `--${name}`}: ${problem}`)
  const value = setting.parse(text)
  if (!(value instanceof ParseFailure)) return value
  if (optionText === undefined) throw new OptionError(`--${name} is required: expected ${value.expected}`)
  throw new OptionError(`${optionText.origin}: got ${quoted(optionText.text)}, expected ${value.expected}`)
}

/** Refuses flags without an effect. Variables may be set for another source. */
function checkRequirements(
  { settings }: Command,
  flags: Iterable<string>,
  { options, origins }: ParsedCommand<Settings>,
): void {
  for (const name of flags) {
    const { requires } = settings[name]
    if (requires === undefined || requires.isMet(options[requires.setting])) continue
    const other = `${origins[requires.setting]} is ${quoted(String(options[requires.setting]))}`
    throw new OptionError(`--${name}: applies only to ${requires.appliesTo}, but ${other}`)
  }
}

/**
 * Returns the options of a command, or the first info flag on its command line. A flag overrides its environment
 * variable; an empty variable counts as unset.
 */
export function parseCommand<S extends Settings, F extends InfoFlags>(
  command: Command<S, F>,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  validators: Validators<S> = {},
): ParsedCommand<S> | Extract<keyof F, string> {
  const { optionTexts, argument, infoFlag } = parseCommandLine(command, words)
  if (infoFlag !== null) return infoFlag as Extract<keyof F, string>
  if (command.argument !== undefined && command.argument.isOptional !== true && argument === null)
    throw missingArgument(command.argument)
  const options: Record<string, unknown> = {}
  const origins: Record<string, string> = {}
  for (const [name, setting] of Object.entries(command.settings)) {
    const variable = environmentVariable(setting.variableOf ?? name)
    const text = environment[variable] ?? ''
    const source = optionTexts.get(name) ?? (text === '' ? undefined : { origin: variable, text })
    options[name] = parseValue(name, setting, source, validators[name])
    origins[name] = source?.origin ?? `--${name}`
  }
  const parsed = { options, argument: argument ?? '', origins }
  checkRequirements(command, optionTexts.keys(), parsed)
  return parsed as ParsedCommand<S>
}
