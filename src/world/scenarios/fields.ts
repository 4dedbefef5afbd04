import type { Micros } from '../simulation/time.ts'
import { day, second } from '../simulation/time.ts'
import { closestMatch } from '../../text/closest-match.ts'
import { parseDuration } from '../../text/duration.ts'
import { ScenarioError } from './json-document.ts'
import type { JsonNode } from './json-document.ts'
import { quoted } from '../../text/quoted.ts'

const spanMax: Micros = 400 * day

function describeValue({ value, items, members }: JsonNode): string {
  if (items !== undefined) return 'a list'
  if (members !== undefined) return 'an object'
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
}

export function fail(node: JsonNode, expected: string): never {
  throw new ScenarioError(node.offset, `expected ${expected}, got ${describeValue(node)}`)
}

const quoteAll = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ')

function unknownWord(
  what: string,
  node: JsonNode & { readonly value: string },
  known: readonly string[],
): ScenarioError {
  const match = closestMatch(node.value, known)
  const hint = match === null ? `expected one of ${quoteAll(known)}` : `did you mean "${match}"?`
  return new ScenarioError(node.offset, `unknown ${what} ${describeValue(node)}; ${hint}`)
}

/** Reads the members of an object; unknown and repeated keys are errors. */
export class ObjectReader {
  readonly #node: JsonNode
  readonly #values = new Map<string, JsonNode>()

  constructor(node: JsonNode, what: string, keys: readonly string[]) {
    this.#node = node
    for (const { key, value } of node.members ?? fail(node, `${what} as an object`)) {
      if (!keys.includes(key.value)) throw unknownWord(`key of ${what}`, key, keys)
      if (this.#values.has(key.value)) throw new ScenarioError(key.offset, `duplicate key "${key.value}"`)
      this.#values.set(key.value, value)
    }
  }

  optional(key: string): JsonNode | null {
    return this.#values.get(key) ?? null
  }

  required(key: string, expected: string): JsonNode {
    const value = this.#values.get(key)
    if (value !== undefined) return value
    throw new ScenarioError(this.#node.offset, `missing "${key}": expected ${expected}`)
  }

  read<T>(key: string, reader: (node: JsonNode) => T, defaultValue: T): T {
    const node = this.optional(key)
    return node === null ? defaultValue : reader(node)
  }
}

export function parseTextField(node: JsonNode, lengthMax: number): string {
  const { value } = node
  if (typeof value === 'string' && value.trim() !== '' && value.length <= lengthMax) return value
  return fail(node, `a text of 1 to ${lengthMax} characters`)
}

export function readWord<const W extends string>(node: JsonNode, what: string, known: readonly W[]): W {
  const { offset, value } = node
  if (typeof value !== 'string') return fail(node, `one of ${quoteAll(known)}`)
  const word = known.find((candidate) => candidate === value)
  if (word === undefined) throw unknownWord(what, { offset, value }, known)
  return word
}

export function parseNumberField(node: JsonNode, min: number, max: number): number {
  const { value } = node
  return typeof value === 'number' && value >= min && value <= max
    ? value
    : fail(node, `a number from ${min} to ${max}`)
}

export function readInteger(node: JsonNode, min: number, max: number): number {
  const { value } = node
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : fail(node, `an integer from ${min} to ${max}`)
}

/** A span of simulated time such as "2d 4h", "36h", "90m" or "10s". */
export function readSpan(node: JsonNode, min: Micros): Micros {
  const expected = 'a time such as "2d 4h", "36h", "90m" or "45s"'
  const { value } = node
  const seconds = typeof value === 'string' ? parseDuration(value) : null
  if (seconds === null) return fail(node, expected)
  const span = seconds * second
  if (span > spanMax) return fail(node, `${expected}, of at most ${spanMax / day} days`)
  if (span < min) return fail(node, `${expected}, of at least ${min / second} seconds`)
  return span
}
