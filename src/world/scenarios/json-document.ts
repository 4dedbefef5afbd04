import { quoted } from '../../text/quoted.ts'
/** An error in the text of a scenario, with its offset. */
export class ScenarioError extends Error {
  readonly offset: number
  /** Offsets of further errors. */
  readonly otherOffsets: readonly number[]

  constructor(offset: number, message: string, otherOffsets: readonly number[] = []) {
    super(message)
    this.offset = offset
    this.otherOffsets = otherOffsets
  }
}

/** A value of a document, and the offset at which it begins, so that errors can name a line and column. */
export interface JsonNode {
  readonly offset: number
  /** Undefined for a list and an object. */
  readonly value?: string | number | boolean | null
  readonly items?: readonly JsonNode[]
  readonly members?: readonly JsonMember[]
}

interface JsonMember {
  readonly key: { readonly offset: number; readonly value: string }
  readonly value: JsonNode
}

/** Bounds the recursion of the parser. */
const nestingMax = 16

const blanks = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
const token = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"?|[^ \t\r\n{}[\],:"][^ \t\r\n{}[\],:"/]*|$/y

/** Reads a document token by token, in linear time. */
class DocumentReader {
  readonly #text: string
  #offset = 0
  #token = ''

  constructor(text: string) {
    this.#text = text
    this.#advance(0)
  }

  document(): JsonNode {
    const root = this.#value(0)
    return this.#token === '' ? root : this.#fail('the end of the text')
  }

  #advance(from: number): void {
    blanks.lastIndex = from
    blanks.test(this.#text)
    token.lastIndex = this.#offset = blanks.lastIndex
    this.#token = token.exec(this.#text)![0]
  }

  /** Whether the next token is this one, which is then read. */
  #takes(wanted: string): boolean {
    const isNext = this.#token === wanted
    if (isNext) this.#advance(this.#offset + wanted.length)
    return isNext
  }

  #fail(expected: string): never {
    const got = this.#token.replace(/^"(.*)"$/, '$1')
    const found = this.#token === '' ? 'the end of the text' : quoted(got)
    throw new ScenarioError(this.#offset, `expected ${expected}, got ${found}`)
  }

  #value(depth: number): JsonNode {
    const offset = this.#offset
    if (depth === nestingMax) throw new ScenarioError(offset, `nesting is deeper than ${nestingMax} levels`)
    if (this.#takes('{')) return { offset, members: this.#list('}', () => this.#member(depth)) }
    if (this.#takes('[')) return { offset, items: this.#list(']', () => this.#value(depth + 1)) }
    return { offset, value: this.#scalar('a value') }
  }

  #list<T>(end: string, read: () => T): T[] {
    if (this.#takes(end)) return []
    const items = [read()]
    while (this.#takes(',')) items.push(read())
    return this.#takes(end) ? items : this.#fail(`"," or "${end}"`)
  }

  #member(depth: number): JsonMember {
    const offset = this.#offset
    if (!this.#token.startsWith('"')) this.#fail('a key in quotes')
    const key = { offset, value: String(this.#scalar('a key in quotes')) }
    if (!this.#takes(':')) this.#fail('":"')
    return { key, value: this.#value(depth + 1) }
  }

  #scalar(expected: string): string | number | boolean | null {
    try {
      const value = JSON.parse(this.#token) as string | number | boolean | null
      this.#takes(this.#token)
      return value
    } catch {
      return this.#fail(expected)
    }
  }
}

/** Parses JSON with comments. */
export const parseDocument = (text: string): JsonNode => new DocumentReader(text).document()
