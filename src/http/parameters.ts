import { int64Max, parameters, parameterSpelling, routes } from '../contract/routes.ts'
import type { Parameter, ParameterName, RouteName } from '../contract/routes.ts'
import { Problem, quoted } from './problems.ts'

/** What each parameter is once it has been read. */
export interface ParameterValues {
  readonly id: bigint
  readonly offset: number
  readonly limit: number
  readonly eventLimit: number
  readonly sinceNs: bigint | null
  readonly metricPath: string
  readonly pathPrefix: string
  readonly familyNames: readonly string[]
}

/** The parameters of one route. */
export type Given<R extends RouteName> = Pick<ParameterValues, (typeof routes)[R]['parameters'][number]>

/** What was given for one parameter, decoded, in the order given. */
type Occurrences = readonly string[]

type Reader<P extends ParameterName> = (given: Occurrences, name: P) => ParameterValues[P] | Problem

const decimalInteger = /^-?[0-9]+$/
const int64Digits = 19

const clampedTo = (value: bigint, min: bigint, max: bigint): bigint => {
  if (value < min) return min
  return value > max ? max : value
}

/** The integer, or a bound beyond which it lies: the digits of a huge one are never converted. */
function integerWithin(text: string, min: bigint, max: bigint): bigint {
  if (text.length <= int64Digits) return clampedTo(BigInt(text), min, max)
  const negative = text.startsWith('-')
  const digits = text.slice(negative ? 1 : 0).replace(/^0+(?=.)/, '')
  if (digits.length > int64Digits) return negative ? min : max
  return clampedTo(negative ? -BigInt(digits) : BigInt(digits), min, max)
}

function rangeOf(name: ParameterName): { min: bigint; max: bigint } {
  const { range }: Parameter = parameters[name]
  return range ?? { min: 0n, max: int64Max }
}

function expectation(name: ParameterName): string {
  const parameter: Parameter = parameters[name]
  if (parameter.type === 'str') return 'expected text'
  if (parameter.range?.outside !== 'refuse') return 'expected a decimal integer'
  return `expected a decimal integer from ${parameter.range.min} to ${parameter.range.max}`
}

const malformed = (name: ParameterName, came: string): Problem =>
  new Problem('MalformedParameter', `${parameterSpelling[name]}: ${came}, ${expectation(name)}.`)

/** The one value given, or null for none. */
function single(given: Occurrences, name: ParameterName): string | null | Problem {
  if (given.length > 1) {
    return malformed(name, `given ${given.length} times (${quoted(given[0])}, ${quoted(given[1])})`)
  }
  return given.length === 0 ? null : given[0]
}

const integerText = (text: string, name: ParameterName): Problem | null =>
  decimalInteger.test(text) ? null : malformed(name, text === '' ? 'is empty' : `got ${quoted(text)}`)

/** An integer that is moved into its range wherever it lies outside. */
function clamped(given: Occurrences, name: 'offset' | 'limit' | 'eventLimit'): number | Problem {
  const text = single(given, name)
  if (text instanceof Problem) return text
  if (text === null) return parameters[name].fallback
  const { min, max } = rangeOf(name)
  return integerText(text, name) ?? Number(integerWithin(text, min, max))
}

/** An integer that is refused outside its range. */
function exact(text: string, name: 'id' | 'sinceNs'): bigint | Problem {
  const problem = integerText(text, name)
  if (problem !== null) return problem
  const { min, max } = rangeOf(name)
  const value = integerWithin(text, min - 1n, max + 1n)
  return value < min || value > max ? malformed(name, `got ${quoted(text)}`) : value
}

const readers: { readonly [P in ParameterName]: Reader<P> } = {
  id: ([text = ''], name) => exact(text, name),
  offset: clamped,
  limit: clamped,
  eventLimit: clamped,
  sinceNs(given, name) {
    const text = single(given, name)
    return typeof text === 'string' ? exact(text, name) : text
  },
  metricPath(given, name) {
    const text = single(given, name)
    if (text === null) return malformed(name, 'is missing')
    return text === '' ? malformed(name, 'is empty') : text
  },
  pathPrefix: (given, name) => single(given, name) ?? '',
  familyNames: (given) => given,
}

/** Form decoding: a plus is a space. Null where the percent-encoding is broken. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** Every value that the query gives a parameter; those of other names are passed over. */
function occurrences(query: string, name: ParameterName): Occurrences | Problem {
  const found: string[] = []
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const key = equals < 0 ? pair : pair.slice(0, equals)
    if (key !== parameterSpelling[name] && decoded(key) !== parameterSpelling[name]) continue
    const raw = equals < 0 ? '' : pair.slice(equals + 1)
    const value = decoded(raw)
    if (value === null) return malformed(name, `got ${quoted(raw)} with broken percent-encoding`)
    found.push(value)
  }
  return found
}

/** Reads a route's parameters; the first that is malformed is the answer. */
export function readParameters<R extends RouteName>(
  route: R,
  pathId: string | undefined,
  query: string,
): Given<R> | Problem {
  const values: Partial<Record<ParameterName, ParameterValues[ParameterName]>> = {}
  for (const name of routes[route].parameters as readonly ParameterName[]) {
    const given = parameters[name].in === 'path' ? [pathId ?? ''] : occurrences(query, name)
    if (given instanceof Problem) return given
    const value = (readers[name] as Reader<ParameterName>)(given, name)
    if (value instanceof Problem) return value
    values[name] = value
  }
  return values as unknown as Given<R>
}
