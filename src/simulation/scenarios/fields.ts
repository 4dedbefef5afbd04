import { day, hour, type Micros, minute, second } from '../time.ts'
import { type JsonNode, JsonProblem } from './json-text.ts'
import { longestSpan } from './scenario.ts'

/** Reads the values of a scenario, and says of whatever does not fit what came and what was expected. */

const names = { object: 'an object', array: 'a list', null: 'null' } as const
/** Longer texts are cut off where they are shown. */
const longestShown = 60

/** What came, in words. */
function shown(node: JsonNode): string {
  if (node.kind === 'string') {
    return JSON.stringify(
      node.value.length > longestShown ? `${node.value.slice(0, longestShown)}…` : node.value,
    )
  }
  return node.kind === 'number' || node.kind === 'boolean' ? String(node.value) : names[node.kind]
}

export const refuse = (node: JsonNode, expected: string): never => {
  throw new JsonProblem(node.at, `expected ${expected}, but ${shown(node)} came`)
}

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ')

/** How many letters must be changed, added or taken away to make one word of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row[b.length]
}

/** The known word that is most like what came; null where none is much like it. */
function nearest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far)
  const [best] = ranked
  return best !== undefined && best.far <= Math.max(2, word.length / 2) ? best.candidate : null
}

function unknownWord(what: string, word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === null
    ? `unknown ${what} ${JSON.stringify(word)}; known are ${quoted(known)}`
    : `unknown ${what} ${JSON.stringify(word)}; the nearest known is "${near}"`
}

/** The members of an object, of which none may be unknown. */
export class ObjectReader {
  readonly node: JsonNode
  private readonly values = new Map<string, JsonNode>()

  constructor(node: JsonNode, what: string, known: readonly string[]) {
    this.node = node
    if (node.kind !== 'object') {
      refuse(node, `${what} as an object`)
      return
    }
    for (const { at, key, value } of node.members) {
      if (!known.includes(key)) throw new JsonProblem(at, unknownWord(`key of ${what}`, key, known))
      this.values.set(key, value)
    }
  }

  optional(key: string): JsonNode | null {
    return this.values.get(key) ?? null
  }

  required(key: string, expected: string): JsonNode {
    const value = this.values.get(key)
    if (value === undefined)
      throw new JsonProblem(this.node.at, `"${key}" is missing here: expected ${expected}`)
    return value
  }

  /** The value read, or what stands for it where it is left out. */
  read<T>(key: string, reader: (node: JsonNode) => T, otherwise: T): T {
    const node = this.optional(key)
    return node === null ? otherwise : reader(node)
  }
}

export function readText(node: JsonNode, most: number): string {
  if (node.kind !== 'string' || node.value.trim() === '' || node.value.length > most) {
    return refuse(node, `a text of 1 to ${most} characters`)
  }
  return node.value
}

export function readWord<const W extends string>(node: JsonNode, what: string, known: readonly W[]): W {
  if (node.kind !== 'string') return refuse(node, `one of ${quoted(known)}`)
  const word = known.find((candidate) => candidate === node.value)
  if (word === undefined) throw new JsonProblem(node.at, unknownWord(what, node.value, known))
  return word
}

export function readNumber(node: JsonNode, lowest: number, highest: number): number {
  if (node.kind !== 'number' || node.value < lowest || node.value > highest) {
    return refuse(node, `a number from ${lowest} to ${highest}`)
  }
  return node.value
}

export function readWhole(node: JsonNode, lowest: number, highest: number): number {
  if (
    node.kind !== 'number' ||
    !Number.isInteger(node.value) ||
    node.value < lowest ||
    node.value > highest
  ) {
    return refuse(node, `a whole number from ${lowest} to ${highest}`)
  }
  return node.value
}

const spanPattern = /^(?:(\d{1,6})d)? ?(?:(\d{1,6})h)? ?(?:(\d{1,6})m)? ?(?:(\d{1,7})s)?$/
const units = [day, hour, minute, second] as const

/** A span of simulated time such as "2d 4h", "36h", "90m" or "10s". */
export function readSpan(node: JsonNode, shortest: Micros): Micros {
  const expected = 'a time such as "2d 4h", "36h", "90m" or "45s"'
  if (node.kind !== 'string' || node.value.trim() !== node.value || node.value === '')
    return refuse(node, expected)
  const parts = spanPattern.exec(node.value)
  if (parts === null) return refuse(node, expected)
  const span = units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0)
  if (span > longestSpan) return refuse(node, `${expected}, of at most ${longestSpan / day} days`)
  if (span < shortest) return refuse(node, `${expected}, of at least ${shortest / second} seconds`)
  return span
}
