import { int, ns, record } from '../../contract/fields.ts'
import type { RecordOf, RecordType } from '../../contract/fields.ts'
import type { SourceFault } from '../../contract/source-faults.ts'
import { Refusal } from '../../encoding/exact-reading.ts'
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
} from '../../encoding/json-scan.ts'
import { recordReader } from '../../encoding/record-reader.ts'
import { SourceTrouble } from '../source.ts'
import type { Answer } from './exchange.ts'

/** Where a member of an object stands in its bytes: its name with the quotes, and its value. */
interface Member {
  readonly nameAt: number
  readonly start: number
  readonly end: number
}

/** What tells one publish from another, and how old it was when the answer was received. */
export interface Envelope {
  readonly publishSeq: number
  /** Null where the answer does not say. */
  readonly simTimeNs: bigint | null
  readonly capturedAtMs: number
}

const PublishSeq = record('publish_seq', 'Which publish it is.', { publish_seq: int('Its number.') })
const SimTime = record('sim_time_ns', 'When it is.', { sim_time_ns: ns('Simulated time.') })
const Age = record('age_ms', 'How old it is.', { age_ms: int('Wall time.', 'ms') })

const readers = new Map<RecordType, (text: string) => object>()

function readAs<R extends RecordType>(type: R, text: string): RecordOf<R> {
  const read = readers.get(type) ?? recordReader(type)
  readers.set(type, read)
  return read(text) as RecordOf<R>
}

/** What follows the items of a page: members that are no lists. */
const plainTail = /^\s*(?:,\s*"\w+"\s*:\s*(?:\d+|true|false|null)\s*)*\}\s*$/
const tailMax = 500

/** The JSON object that an answer holds, member by member. Only what is asked for is decoded. */
export class Body {
  readonly answer: Answer
  #members: ReadonlyMap<string, Member>
  #isScanned = false

  constructor(answer: Answer) {
    this.answer = answer
    this.#members = this.#scanned()
  }

  /** Looks at every byte where a guess was taken for the end of a list. False where none was. */
  scan(): boolean {
    if (this.#isScanned) return false
    this.#isScanned = true
    this.#members = this.#scanned()
    return true
  }

  has(name: string): boolean {
    return this.#members.has(name)
  }

  /** The bytes of a list's items, without its brackets. */
  items(name: string): Buffer {
    const { body } = this.answer
    const { start, end } = this.#member(name)
    if (body[start] !== openList) throw this.trouble('bad_record', `has ${name} that is no list`)
    return body.subarray(start + 1, end - 1)
  }

  /** The members that a record type names, as they stand in the body itself. */
  read<R extends RecordType>(type: R): RecordOf<R> {
    const names = Object.keys(type.fields).filter((name) => this.has(name))
    return this.#decoded(type, `{${names.map((name) => `"${name}":${this.#text(name)}`).join(',')}}`)
  }

  /** The object without one of its members, byte for byte but for the comma that goes with it. */
  without(name: string): Uint8Array {
    const { body } = this.answer
    const member = this.#members.get(name)
    if (member === undefined) return Uint8Array.from(body)
    const behind = skipBlanks(body, member.end, body.length)
    if (body[behind] === comma) {
      const rest = skipBlanks(body, behind + 1, body.length)
      return Buffer.concat([body.subarray(0, member.nameAt), body.subarray(rest)])
    }
    const before = body.subarray(0, member.nameAt).lastIndexOf(comma)
    return Buffer.concat([body.subarray(0, before < 0 ? member.nameAt : before), body.subarray(member.end)])
  }

  /** Which publish the answer is from: told in `meta`, beside it, or in the headers. */
  envelope(): Envelope {
    const { publishSeq, ageMs, receivedMs } = this.answer
    const seq = this.told(PublishSeq)?.publish_seq ?? publishSeq
    const simTimeNs = this.told(SimTime)?.sim_time_ns ?? null
    if (seq === null) throw this.trouble('bad_record', 'does not say which publish it is from')
    return {
      publishSeq: seq,
      simTimeNs: simTimeNs === null ? null : BigInt(simTimeNs),
      capturedAtMs: receivedMs - Math.max(0, this.told(Age)?.age_ms ?? ageMs ?? 0),
    }
  }

  trouble(fault: SourceFault, what: string): SourceTrouble {
    return new SourceTrouble(fault, `The answer to ${this.answer.address} ${what}.`)
  }

  /** What `meta` or, failing that, the body itself says; null where neither does. */
  told<R extends RecordType>(type: R): RecordOf<R> | null {
    const [name] = Object.keys(type.fields)
    const { body } = this.answer
    const meta = this.#members.get('meta')
    const within = meta === undefined || body[meta.start] !== openObject ? null : this.#text('meta')
    if (within?.includes(`"${name}"`) === true) return this.#decoded(type, within)
    return this.has(name) ? this.read(type) : null
  }

  #decoded<R extends RecordType>(type: R, text: string): RecordOf<R> {
    try {
      return readAs(type, text)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw this.trouble('bad_record', `is refused: ${error.message}`)
    }
  }

  #text(name: string): string {
    const { start, end } = this.#member(name)
    return this.answer.body.toString('utf8', start, end)
  }

  #member(name: string): Member {
    const member = this.#members.get(name)
    if (member === undefined) throw this.trouble('bad_record', `has no ${name}`)
    return member
  }

  /** One past a long list that begins here, going by what pages mostly end with; null where they do not. */
  #guessedEnd(start: number): number | null {
    const { body } = this.answer
    if (this.#isScanned || body[start] !== openList) return null
    const last = body.lastIndexOf(closeList)
    if (body.length - last > tailMax || last < start) return null
    return plainTail.test(body.toString('latin1', last + 1)) ? last + 1 : null
  }

  #scanned(): Map<string, Member> {
    const { body } = this.answer
    const members = new Map<string, Member>()
    const notJson = (): SourceTrouble => this.trouble('not_json', 'is no JSON object')
    let at = skipBlanks(body, 0, body.length)
    if (body[at] !== openObject) throw notJson()
    at = skipBlanks(body, at + 1, body.length)
    while (body[at] !== closeObject) {
      if (body[at] !== quote) throw notJson()
      const nameEnd = endOfValue(body, at, body.length)
      const colonAt = skipBlanks(body, nameEnd, body.length)
      const start = skipBlanks(body, colonAt + 1, body.length)
      const end = this.#guessedEnd(start) ?? endOfValue(body, start, body.length)
      if (nameEnd < 0 || body[colonAt] !== colon || end < 0) throw notJson()
      members.set(body.toString('utf8', at + 1, nameEnd - 1), { nameAt: at, start, end })
      at = skipBlanks(body, end, body.length)
      if (body[at] === comma) at = skipBlanks(body, at + 1, body.length)
      else if (body[at] !== closeObject) throw notJson()
    }
    if (skipBlanks(body, at + 1, body.length) !== body.length) throw notJson()
    return members
  }
}
