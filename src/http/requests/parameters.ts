import { parameters, routes } from '../../contract/routes.ts'
import type { Parameter, ParameterName, RouteName } from '../../contract/routes.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'

/** The type of each parameter's value. */
export interface ParameterValues {
  readonly id: bigint
  readonly offset: number
  readonly limit: number
  readonly eventLimit: number
  readonly sinceNs: bigint | null
  readonly metricPath: string
  readonly pathPrefix: string
  readonly familyNames: readonly string[]
  readonly table: string
  readonly picture: string
  readonly alert: string
  readonly tableLimit: number
  /** Empty for the usual order. */
  readonly sort: string
  /** The values of every other parameter of the request, by its name. */
  readonly filters: ReadonlyMap<string, readonly string[] | Problem>
}

/** The parameters of one route. */
export type ParametersOf<R extends RouteName> = Pick<
  ParameterValues,
  (typeof routes)[R]['parameters'][number]
>

/** The decoded values of one parameter in their order. */
type Occurrences = readonly string[]

type Reader<P extends ParameterName> = (values: Occurrences, name: P) => ParameterValues[P] | Problem

const decimalInteger = /^-?[0-9]+$/
const int64Digits = 19
const beyondInt64 = 2n ** 64n

/** The integer, or a value beyond any int64: longer digit strings are never converted. */
function integerOf(text: string): bigint {
  if (text.length <= int64Digits) return BigInt(text)
  const negative = text.startsWith('-')
  const digits = text.slice(negative ? 1 : 0).replace(/^0+(?=.)/, '')
  const magnitude = digits.length > int64Digits ? beyondInt64 : BigInt(digits)
  return negative ? -magnitude : magnitude
}

function expectation(name: ParameterName): string {
  const parameter: Parameter = parameters[name]
  if (parameter.type === 'string') return 'expected text'
  const { min, max, outside } = parameter.range
  return outside === 'clamp'
    ? 'expected a decimal integer'
    : `expected a decimal integer from ${min} to ${max}`
}

const malformed = (name: ParameterName, came: string): Problem =>
  new Problem('MalformedParameter', `${parameters[name].name}: ${came}, ${expectation(name)}.`)

/** The only value, or null if there is none. */
function single(values: Occurrences, name: ParameterName): string | null | Problem {
  if (values.length > 1) {
    return malformed(name, `given ${values.length} times (${quoted(values[0])}, ${quoted(values[1])})`)
  }
  return values.length === 0 ? null : values[0]
}

const integerText = (text: string, name: ParameterName): Problem | null =>
  decimalInteger.test(text) ? null : malformed(name, text === '' ? 'is empty' : `got ${quoted(text)}`)

/** An integer, clamped to its range. */
function clamped(
  values: Occurrences,
  name: 'offset' | 'limit' | 'eventLimit' | 'tableLimit',
): number | Problem {
  const text = single(values, name)
  if (text instanceof Problem) return text
  if (text === null) return parameters[name].default
  const problem = integerText(text, name)
  if (problem !== null) return problem
  const { min, max } = parameters[name].range
  const value = integerOf(text)
  if (value < min) return Number(min)
  return Number(value > max ? max : value)
}

/** An integer that must lie in its range. */
function exact(text: string, name: 'id' | 'sinceNs'): bigint | Problem {
  const problem = integerText(text, name)
  if (problem !== null) return problem
  const { min, max } = parameters[name].range
  const value = integerOf(text)
  return value < min || value > max ? malformed(name, `got ${quoted(text)}`) : value
}

const readers: { readonly [P in Exclude<ParameterName, 'filters'>]: Reader<P> } = {
  id: ([text = ''], name) => exact(text, name),
  offset: clamped,
  limit: clamped,
  eventLimit: clamped,
  sinceNs(values, name) {
    const text = single(values, name)
    return typeof text === 'string' ? exact(text, name) : text
  },
  metricPath(values, name) {
    const text = single(values, name)
    if (text === null) return malformed(name, 'is missing')
    return text === '' ? malformed(name, 'is empty') : text
  },
  pathPrefix: (values, name) => single(values, name) ?? '',
  familyNames: (values) => values,
  table: ([text = '']) => text,
  picture: ([text = '']) => text,
  alert: ([text = '']) => text,
  tableLimit: clamped,
  sort(values, name) {
    const text = single(values, name)
    return text === '' ? malformed(name, 'is empty') : (text ?? '')
  },
}

/** Decodes form encoding, in which a plus is a space. Null if the percent-encoding is broken. */
export function decodeFormText(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** The part of a request that Fastify validates. */
export type ParameterPart = 'params' | 'querystring'

/** Raw values: those of the path are decoded, those of the query are not. */
type RawParameters = Readonly<Record<string, string | readonly string[]>>

const noParameters: RawParameters = {}

/** The values of each name of a query, still encoded. */
export function parseQuery(text: string): RawParameters {
  if (text === '') return noParameters
  const values: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  const [query] = text.split('#', 1)
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const key = equals < 0 ? pair : pair.slice(0, equals)
    ;(values[decodeFormText(key) ?? key] ??= []).push(equals < 0 ? '' : pair.slice(equals + 1))
  }
  return values
}

/** The decoded values of a parameter; broken if the percent-encoding of one is invalid. */
function decodedValues(encoded: string | readonly string[] = []): Occurrences | { readonly broken: string } {
  if (typeof encoded === 'string') return [encoded]
  const values: string[] = []
  for (const text of encoded) {
    const value = decodeFormText(text)
    if (value === null) return { broken: text }
    values.push(value)
  }
  return values
}

function occurrencesOf(name: ParameterName, raw: RawParameters): Occurrences | Problem {
  const values = decodedValues(raw[parameters[name].name])
  return 'broken' in values ? malformed(name, brokenEncoding(values.broken)) : values
}

const brokenEncoding = (text: string): string => `got ${quoted(text)} with broken percent-encoding`

/**
 * The values of the parameters that the route does not declare. Only those that a table declares must have valid
 * percent-encoding.
 */
function filtersIn(raw: RawParameters, others: readonly ParameterName[]): ParameterValues['filters'] {
  const otherNames = new Set(others.map((name) => parameters[name].name))
  const filters = new Map<string, readonly string[] | Problem>()
  for (const [name, encoded] of Object.entries(raw)) {
    if (otherNames.has(name)) continue
    const values = decodedValues(encoded)
    const detail = 'broken' in values ? `${name}: ${brokenEncoding(values.broken)}, expected text.` : ''
    filters.set(name, 'broken' in values ? new Problem('MalformedParameter', detail) : values)
  }
  return filters
}

/** Reads a route's parameters in one part of a URL. The first malformed one is the error. */
export function parameterValidator(route: RouteName, part: ParameterPart) {
  const location = part === 'params' ? 'path' : 'query'
  const names = routes[route].parameters.filter((name) => parameters[name].in === location)
  return (raw: RawParameters): { value: Partial<ParameterValues> } | { error: Problem } => {
    const values: Partial<Record<ParameterName, ParameterValues[ParameterName]>> = {}
    for (const name of names) {
      if (name === 'filters') {
        values.filters = filtersIn(raw, names)
        continue
      }
      const occurrences = occurrencesOf(name, raw)
      if (occurrences instanceof Problem) return { error: occurrences }
      const value = (readers[name] as Reader<typeof name>)(occurrences, name)
      if (value instanceof Problem) return { error: value }
      values[name] = value
    }
    return { value: values as Partial<ParameterValues> }
  }
}
