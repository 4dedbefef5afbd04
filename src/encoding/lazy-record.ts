import type { RecordType } from '../contract/fields.ts'
import { recordReader } from './record-reader.ts'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
/** The bit in which square brackets differ from curly ones. */
const curly = 0x20
const opening = 0x7b
const closing = 0x7d

/** The position of the quote that ends the string which begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** The position of the comma or the bracket that ends the member which begins at `at`. */
function endOfMember(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if ((code | curly) === opening) depth++
    else if ((code | curly) === closing) {
      if (depth === 0) return index
      depth--
    } else if (code === comma && depth === 0) return index
  }
  return text.length
}

/** The members of a JSON object, found as far as one was looked for. */
class Members {
  readonly text: string
  /** Where each begins, and behind the last one where it ended. */
  readonly #starts: number[]

  constructor(text: string) {
    this.text = text
    this.#starts = [text.indexOf('{') + 1]
  }

  /** The member with a name, which is mostly the one at `index`; null if there is none. */
  find(quotedName: string, index: number): string | null {
    const expected = this.#at(index)
    if (expected?.trimStart().startsWith(quotedName) === true) return expected
    for (let other = 0; ; other++) {
      const member = this.#at(other)
      if (member === null || member.trimStart().startsWith(quotedName)) return member
    }
  }

  #at(index: number): string | null {
    const { text } = this
    const starts = this.#starts
    while (starts.length <= index + 1 && starts.at(-1)! < text.length)
      starts.push(endOfMember(text, starts.at(-1)!) + 1)
    return index + 1 < starts.length ? text.slice(starts[index], starts[index + 1] - 1) : null
  }
}

/**
 * Reads records as `recordReader` does, but each field only when it is asked for: of a long record, most readers need
 * a few. The fields are no properties of its own, so a record cannot be spread.
 */
export function lazyRecordReader(type: RecordType): (text: string) => object {
  const readWhole = recordReader(type)

  class LazyRecord {
    readonly #members: Members
    readonly #values: unknown[] = []
    #whole: Readonly<Record<string, unknown>> | null = null

    constructor(text: string) {
      this.#members = new Members(text)
    }

    field(index: number, name: string, quotedName: string, read: (text: string) => object): unknown {
      const known = this.#values[index]
      if (known !== undefined) return known
      const member = this.#members.find(quotedName, index)
      if (member === null) return this.wholly(name)
      const value = (read(`{${member}}`) as Readonly<Record<string, unknown>>)[name]
      this.#values[index] = value
      return value
    }

    /** A name may be written with escapes. */
    wholly(name: string): unknown {
      this.#whole ??= readWhole(this.#members.text) as Readonly<Record<string, unknown>>
      return this.#whole[name]
    }
  }

  for (const [index, [name, field]] of Object.entries(type.fields).entries()) {
    const quotedName = JSON.stringify(name)
    const read = recordReader({ ...type, fields: { [name]: field } })
    // The substitute for a name is in other fields.
    const isStoodIn = (value: unknown): boolean => field.standIn !== undefined && value === ''
    Object.defineProperty(LazyRecord.prototype, name, {
      get(this: LazyRecord) {
        const value = this.field(index, name, quotedName, read)
        return isStoodIn(value) ? this.wholly(name) : value
      },
    })
  }
  return (text) => new LazyRecord(text)
}
