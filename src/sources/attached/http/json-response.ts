import type { SourceFault } from '../../../contract/source-faults.ts'
import {
  closeList,
  closeObject,
  colon,
  comma,
  endOfValue,
  openList,
  openObject,
  quote,
  skipBlanks,
} from '../../../text/json-scan.ts'
import type { SourceError } from '../../source.ts'
import { responseError } from './http-client.ts'
import type { HttpResponse } from './http-client.ts'
import { int64, integerUpTo, numberList, scalarOf, text, textList } from './json-scalars.ts'
import type { Scalar } from './json-scalars.ts'
import { shortened } from '../../../text/quoted.ts'

/** Offsets of a member in its object: of its name with the quotes, and of its value. */
interface Member {
  readonly nameAt: number
  readonly start: number
  readonly end: number
}

type Members = ReadonlyMap<string, Member>

/** An upper bound for the envelope after the items of a page. */
const tailBytesMax = 500

/** An upper bound for the members of any object in the specification. */
const membersMax = 1_000

/** The JSON object of a response. Members are decoded when they are read. */
export class JsonResponse {
  readonly response: HttpResponse
  #members: Members
  #meta: Members
  #isListEndGuessed = false

  constructor(response: HttpResponse) {
    this.response = response
    this.#members = this.#scan(0, true)
    this.#meta = this.#scanMeta()
  }

  /** Scans the bytes of a list whose end was inferred from the end of the body. False if no end was inferred. */
  rescan(): boolean {
    if (!this.#isListEndGuessed) return false
    this.#isListEndGuessed = false
    this.#members = this.#scan(0, false)
    this.#meta = this.#scanMeta()
    return true
  }

  /** Whether the object has a member that is not null. */
  has(name: string): boolean {
    const member = this.#members.get(name)
    return member !== undefined && this.response.body.toString('latin1', member.start, member.end) !== 'null'
  }

  /** Null if the member is missing, or no truth value. */
  boolean(name: string): boolean | null {
    const value = this.#valueOf(this.#members.get(name))
    return typeof value === 'boolean' ? value : null
  }

  string(name: string): string {
    return this.#read(this.#members, name, text)
  }

  /** Null if the member is missing, or no text. */
  text(name: string): string | null {
    return text.of(this.#valueOf(this.#members.get(name)))
  }

  integer(name: string, max: number): number {
    return this.#read(this.#members, name, integerUpTo(max))
  }

  /** An integer of `meta` or, failing that, of the object itself; null if neither has one. */
  metaInteger(name: string, max: number): number | null {
    return this.#readMeta(name, integerUpTo(max))
  }

  /** Like `metaInteger`, for 64-bit integers. */
  metaInt64(name: string): bigint | null {
    return this.#readMeta(name, int64)
  }

  /** Like `metaInt64`, but null only if there is no such member. */
  strictMetaInt64(name: string): bigint | null {
    const holder = [this.#meta, this.#members].find((members) => members.has(name))
    return holder === undefined ? null : this.#read(holder, name, int64)
  }

  strings(name: string): string[] {
    return this.#list(name, textList)
  }

  numbers(name: string): number[] {
    return this.#list(name, numberList)
  }

  /** The bytes of a member's value. */
  value(name: string): Buffer {
    const { start, end } = this.#member(this.#members, name)
    return this.response.body.subarray(start, end)
  }

  /** The bytes of a list's items, without its brackets. */
  items(name: string): Buffer {
    const { body } = this.response
    const { start, end } = this.#member(this.#members, name)
    if (body[start] !== openList) throw this.error('bad_record', `is refused: ${name} is not a list`)
    return body.subarray(start + 1, end - 1)
  }

  /** The object without one of its members; all other bytes, except one comma, are unchanged. */
  without(name: string): Uint8Array {
    const { body } = this.response
    const member = this.#members.get(name)
    if (member === undefined) return body
    const after = skipBlanks(body, member.end, body.length)
    if (body[after] === comma) {
      const rest = skipBlanks(body, after + 1, body.length)
      return Buffer.concat([body.subarray(0, member.nameAt), body.subarray(rest)])
    }
    const before = body.subarray(0, member.nameAt).lastIndexOf(comma)
    return Buffer.concat([body.subarray(0, before < 0 ? member.nameAt : before), body.subarray(member.end)])
  }

  error(fault: SourceFault, problem: string): SourceError {
    return responseError(this.response.name, fault, problem)
  }

  #textOf({ start, end }: Member): string {
    return this.response.body.toString('utf8', start, end)
  }

  #valueOf(member: Member | undefined): unknown {
    return member === undefined ? undefined : scalarOf(this.#textOf(member))
  }

  #read<T>(members: Members, name: string, { of, expected }: Scalar<T>): T {
    const member = this.#member(members, name)
    const value = of(this.#valueOf(member))
    if (value !== null) return value
    const got = shortened(this.#textOf(member))
    throw this.error('bad_record', `is refused: ${name}: got ${got}, expected ${expected}`)
  }

  #member(members: Members, name: string): Member {
    const member = members.get(name)
    if (member === undefined) throw this.error('bad_record', `is refused: ${name} is missing`)
    return member
  }

  /** A list whose end was inferred wrongly is no JSON: the body is scanned. */
  #list<T>(name: string, type: Scalar<T[]>): T[] {
    if (type.of(this.#valueOf(this.#members.get(name))) === null) this.rescan()
    return this.#read(this.#members, name, type)
  }

  #readMeta<T>(name: string, { of }: Scalar<T>): T | null {
    return of(this.#valueOf(this.#meta.get(name) ?? this.#members.get(name)))
  }

  #scanMeta(): Members {
    const meta = this.#members.get('meta')
    return meta === undefined || this.response.body[meta.start] !== openObject
      ? new Map()
      : this.#scan(meta.start, false)
  }

  /** The members of the object at `from`. An object at the beginning of the body must extend to its end. */
  #scan(from: number, mayGuess: boolean): Members {
    const { body } = this.response
    const members = new Map<string, Member>()
    let at = skipBlanks(body, from, body.length)
    if (body[at] !== openObject) throw this.#notJson()
    at = skipBlanks(body, at + 1, body.length)
    while (body[at] !== closeObject) {
      const start = startOfMemberValue(body, at)
      if (start < 0 || members.size === membersMax) throw this.#notJson()
      const guess = mayGuess ? listEndByTail(body, start) : -1
      if (guess >= 0) this.#isListEndGuessed = true
      const end = guess >= 0 ? guess : endOfValue(body, start, body.length)
      if (end < 0) throw this.#notJson()
      const name = text.of(scalarOf(body.toString('utf8', at, endOfValue(body, at, body.length))))
      if (name === null || members.has(name)) throw this.#notJson()
      members.set(name, { nameAt: at, start, end })
      at = skipBlanks(body, end, body.length)
      if (body[at] === comma) at = skipBlanks(body, at + 1, body.length)
      else if (body[at] !== closeObject) throw this.#notJson()
    }
    if (from === 0 && skipBlanks(body, at + 1, body.length) !== body.length) throw this.#notJson()
    return members
  }

  #notJson(): SourceError {
    return this.error('not_json', 'is not a JSON object')
  }
}

/** The offset of the value of the member at `at`; -1 if there is no member. */
function startOfMemberValue(body: Buffer, at: number): number {
  if (body[at] !== quote) return -1
  const nameEnd = endOfValue(body, at, body.length)
  if (nameEnd < 0) return -1
  const colonAt = skipBlanks(body, nameEnd, body.length)
  return body[colonAt] === colon ? skipBlanks(body, colonAt + 1, body.length) : -1
}

/**
 * The offset after the list at `start`, if only scalar members follow the last `]` of the body; -1 otherwise. This
 * avoids a scan of the whole page. It is wrong if two lists follow each other: their reader then finds no item, and the
 * body is scanned.
 */
function listEndByTail(body: Buffer, start: number): number {
  if (body[start] !== openList) return -1
  const tailAt = Math.max(start, body.length - tailBytesMax)
  const last = body.subarray(tailAt).lastIndexOf(closeList)
  if (last < 0) return -1
  const end = tailAt + last + 1
  let at = skipBlanks(body, end, body.length)
  while (body[at] === comma) {
    const valueAt = startOfMemberValue(body, skipBlanks(body, at + 1, body.length))
    const first = body[valueAt]
    if (valueAt < 0 || first === openObject || first === openList) return -1
    const valueEnd = endOfValue(body, valueAt, body.length)
    if (valueEnd < 0) return -1
    at = skipBlanks(body, valueEnd, body.length)
  }
  return body[at] === closeObject && skipBlanks(body, at + 1, body.length) === body.length ? end : -1
}
