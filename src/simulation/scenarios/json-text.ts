/**
 * JSON read with the place of every value, so that whatever is wrong with a scenario can be told by line and
 * column.
 */

export type JsonNode =
  | { readonly kind: 'object'; readonly at: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly at: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly at: number; readonly value: string }
  | { readonly kind: 'number'; readonly at: number; readonly value: number }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'null'; readonly at: number }

export interface JsonMember {
  readonly at: number
  readonly key: string
  readonly value: JsonNode
}

/** Says where in the text something is wrong. */
export class JsonProblem extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** Deeper than any scenario goes. */
const deepest = 16

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const stringPattern = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const wordPattern = /[A-Za-z]+/y

class Reader {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  whole(): JsonNode {
    const node = this.value(0)
    this.space()
    if (this.at < this.text.length) this.fail(`${this.came()} after the end of the scenario`)
    return node
  }

  private value(depth: number): JsonNode {
    this.space()
    if (depth > deepest) this.fail(`nesting deeper than ${deepest} levels`)
    const { at } = this
    switch (this.text[at]) {
      case '{':
        return { kind: 'object', at, members: this.members(depth) }
      case '[':
        return { kind: 'array', at, items: this.items(depth) }
      case '"':
        return { kind: 'string', at, value: this.string() }
      default:
        return this.word() ?? this.number()
    }
  }

  private word(): JsonNode | null {
    const { at } = this
    switch (this.match(wordPattern)) {
      case null:
        return null
      case 'true':
        return { kind: 'boolean', at, value: true }
      case 'false':
        return { kind: 'boolean', at, value: false }
      case 'null':
        return { kind: 'null', at }
      default:
        this.at = at
        return this.fail(`expected a value, but ${this.came()} came`)
    }
  }

  private number(): JsonNode {
    const { at } = this
    const digits = this.match(numberPattern)
    if (digits === null) return this.fail(`expected a value, but ${this.came()} came`)
    return { kind: 'number', at, value: Number(digits) }
  }

  private string(): string {
    const quoted = this.match(stringPattern)
    if (quoted === null) return this.fail('this text does not end on its line, or holds a bad escape')
    return JSON.parse(quoted) as string
  }

  private members(depth: number): JsonMember[] {
    const members: JsonMember[] = []
    this.at++
    if (this.takes('}')) return members
    do {
      this.space()
      const { at } = this
      if (this.text[at] !== '"') this.fail(`expected a key in double quotes, but ${this.came()} came`)
      const key = this.string()
      if (members.some((member) => member.key === key)) throw new JsonProblem(at, `"${key}" is given twice`)
      if (!this.takes(':')) this.fail(`expected ":" after "${key}", but ${this.came()} came`)
      members.push({ at, key, value: this.value(depth + 1) })
    } while (this.takes(','))
    if (!this.takes('}')) this.fail(`expected "," or "}", but ${this.came()} came`)
    return members
  }

  private items(depth: number): JsonNode[] {
    const items: JsonNode[] = []
    this.at++
    if (this.takes(']')) return items
    do items.push(this.value(depth + 1))
    while (this.takes(','))
    if (!this.takes(']')) this.fail(`expected "," or "]", but ${this.came()} came`)
    return items
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found === null) return null
    this.at += found[0].length
    return found[0]
  }

  private takes(mark: string): boolean {
    this.space()
    if (this.text[this.at] !== mark) return false
    this.at++
    return true
  }

  private space(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? '-')) this.at++
  }

  private came(): string {
    const point = this.text.codePointAt(this.at)
    return point === undefined ? 'the end of the file' : JSON.stringify(String.fromCodePoint(point))
  }

  private fail(message: string): never {
    throw new JsonProblem(this.at, message)
  }
}

export const readJson = (text: string): JsonNode => new Reader(text).whole()

/** Line and column, both from 1, of a place in a text. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - lineStart + 1 }
}
