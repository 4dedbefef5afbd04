import { parameters, routes } from '../../contract/routes.ts'
import type { IntegerRange, Parameter, ParameterName, RouteName } from '../../contract/routes.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'

type ValueOf<P> = P extends { readonly type: 'string' }
  ? string
  : P extends { readonly range: { readonly outside: 'clamp' } }
    ? number
    : P extends { readonly required: true }
      ? bigint
      : bigint | null

/** The type of each parameter's value; a text that is left out is empty. */
export type ParameterValues = {
  readonly [N in Exclude<ParameterName, 'familyNames' | 'filters'>]: ValueOf<(typeof parameters)[N]>
} & {
  readonly familyNames: readonly string[]
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

const decimalInteger = /^-?[0-9]+$/

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

function readInteger(text: string, name: ParameterName, range: IntegerRange): number | bigint | Problem {
  if (!decimalInteger.test(text)) return malformed(name, text === '' ? 'is empty' : `got ${quoted(text)}`)
  const { min, max, outside } = range
  const value = BigInt(text)
  if (value >= min && value <= max) return outside === 'clamp' ? Number(value) : value
  return outside === 'clamp' ? Number(value < min ? min : max) : malformed(name, `got ${quoted(text)}`)
}

function readValue(values: Occurrences, name: ParameterName): unknown {
  if (name === 'familyNames') return values
  const text = single(values, name)
  if (text instanceof Problem) return text
  const parameter: Parameter = parameters[name]
  if (parameter.type === 'integer')
    return text === null ? (parameter.default ?? null) : readInteger(text, name, parameter.range)
  if (text === null && parameter.required) return malformed(name, 'is missing')
  return text === '' && parameter.minLength !== undefined ? malformed(name, 'is empty') : (text ?? '')
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
    const values: Partial<Record<ParameterName, unknown>> = {}
    for (const name of names) {
      if (name === 'filters') {
        values.filters = filtersIn(raw, names)
        continue
      }
      const occurrences = occurrencesOf(name, raw)
      if (occurrences instanceof Problem) return { error: occurrences }
      const value = readValue(occurrences, name)
      if (value instanceof Problem) return { error: value }
      values[name] = value
    }
    return { value: values as Partial<ParameterValues> }
  }
}
