import { str } from '../contract/fields.ts'
import type { Field, RecordType } from '../contract/fields.ts'
import { closeList, comma, endOfValue, openList } from '../text/json-scan.ts'
import { parseCursor, readNumber, readText, wideInteger } from '../text/json-values.ts'
import { checkOfField, integerMax } from '../contract/record-check.ts'
import { unknownList } from '../contract/records/unknown.ts'

/**
 * Decodes the JSON at `start` into an existing record. Returns the offset after it, or -1 for unexpected JSON: the
 * record may then be partly overwritten, and the caller has to parse it.
 */
type Decode = (bytes: Buffer, view: DataView, start: number, end: number, record: object) => number

/** Decodes one value into `holder[name]`, in place of the previous one. */
type DecodeField = (
  bytes: Buffer,
  view: DataView,
  start: number,
  end: number,
  holder: Record<string, unknown>,
  name: string | number,
) => number

/** Records of a type whose upstream writes fields in more orders than this are parsed. */
const ordersMax = 8
/** Records whose names, taken together, are longer than this are parsed: each name becomes generated code. */
const namesLengthMax = 16 * 1024

const beginsNull = 0x6e
const beginsTrue = 0x74

/**
 * Decodes records of a type into the objects of the previous publish: only changed values are allocated, and everything
 * is checked. It learns the order of fields from a parsed record, and leaves records that differ to the parser.
 */
export class InPlaceDecoder {
  readonly #type: RecordType
  readonly #keyField: string | null
  readonly #byOrder = new Map<string, Decode>()
  #decode: Decode | null = null

  /** The value of `keyField` must not change: a record with another key is another record. */
  constructor(type: RecordType, keyField: string | null = null) {
    this.#type = type
    this.#keyField = keyField
  }

  /** Learns the order of fields from a parsed record; the next records are expected to have the same order. */
  learn(record: object): void {
    const names = Object.keys(record)
    const order = names.join()
    const known = this.#byOrder.get(order)
    if (known === undefined && (this.#byOrder.size === ordersMax || order.length > namesLengthMax)) return
    this.#decode = known ?? compileDecoder(this.#type, names, this.#keyField)
    this.#byOrder.set(order, this.#decode)
  }

  /** `view` and `bytes` must share their memory. */
  decode(bytes: Buffer, view: DataView, start: number, end: number, record: object): number {
    return this.#decode === null ? -1 : this.#decode(bytes, view, start, end, record)
  }
}

function parsedField(field: Field, learn: (value: object) => void = () => {}): DecodeField {
  const check = checkOfField(field)
  return (bytes, _view, start, end, holder, name) => {
    const after = endOfValue(bytes, start, end)
    if (after < 0) return -1
    let value: unknown
    try {
      value = JSON.parse(bytes.toString('utf8', start, after))
    } catch {
      return -1
    }
    if (!check(value)) return -1
    if (typeof value === 'object' && value !== null) learn(value)
    holder[name] = value
    return after
  }
}

/** Decodes a record into the previous one, if there is one. */
function recordField(field: Field): DecodeField {
  const decoder = new InPlaceDecoder(field.recordType!)
  const parse = parsedField(field, (value) => decoder.learn(value))
  return (bytes, view, start, end, holder, name) => {
    const before = holder[name]
    if (typeof before === 'object' && before !== null) {
      const after = decoder.decode(bytes, view, start, end, before)
      if (after >= 0) return after
    }
    return parse(bytes, view, start, end, holder, name)
  }
}

/** Decodes a list item by item: records into the previous ones, other items only if they are the same. */
function listField(field: Field): DecodeField {
  const item = field.of!
  const holdsRecords = item.kind === 'record'
  const decodeItem = holdsRecords ? orNull(item, recordField(item)) : sameScalar(item)
  const parse = parsedField(field)
  return (bytes, view, start, end, holder, name) => {
    const before = holder[name]
    if (bytes[start] !== openList || !Array.isArray(before) || before === unknownList)
      return parse(bytes, view, start, end, holder, name)
    const items = before as unknown as Record<string, unknown> & unknown[]
    let at = start + 1
    let count = 0
    while (bytes[at] !== closeList) {
      if (count > 0) {
        if (bytes[at] !== comma) return -1
        at++
      }
      if (!holdsRecords && count === items.length) return parse(bytes, view, start, end, holder, name)
      at = decodeItem(bytes, view, at, end, items, count)
      if (at < 0) return holdsRecords ? -1 : parse(bytes, view, start, end, holder, name)
      count++
    }
    if (count === items.length) return at + 1
    if (!holdsRecords) return parse(bytes, view, start, end, holder, name)
    items.length = count
    return at + 1
  }
}

/** Accepts a value that is the same as the previous one; returns -1 for any other. */
function sameScalar({ kind }: Field): DecodeField {
  if (kind === 'str') {
    return (bytes, _view, start, _end, holder, name) => {
      const at = readText(bytes, start, holder[name])
      return parseCursor.text === holder[name] ? at : -1
    }
  }
  if (kind !== 'int' && kind !== 'int64' && kind !== 'num') return () => -1
  return (bytes, _view, start, _end, holder, name) => {
    const at = readNumber(bytes, start)
    return Object.is(parseCursor.number[0], holder[name]) ? at : -1
  }
}

function orNull(field: Field, decode: DecodeField): DecodeField {
  if (!field.nullable) return decode
  return (bytes, view, start, end, holder, name) => {
    if (bytes[start] !== beginsNull) return decode(bytes, view, start, end, holder, name)
    holder[name] = null
    return start + 4 <= end && view.getInt32(start, true) === wordNull ? start + 4 : -1
  }
}

function nestedField(field: Field): DecodeField {
  if (field.kind === 'record') return recordField(field)
  return field.kind === 'list' ? listField(field) : parsedField(field)
}

/** A field that the contract does not know: any JSON value. */
const unknownField: DecodeField = (bytes, _view, start, end) => {
  const after = endOfValue(bytes, start, end)
  if (after < 0) return -1
  try {
    JSON.parse(bytes.toString('utf8', start, after))
    return after
  } catch {
    return -1
  }
}

const wordNull = Buffer.from('null').readInt32LE()

/** Source that skips a literal, four bytes at a time. */
function literalSource(text: string): string {
  const bytes = Buffer.from(text)
  const { length } = bytes
  const conditions = [`at + ${length} > end`]
  if (length < 4) for (const [i, byte] of bytes.entries()) conditions.push(`b[at + ${i}] !== ${byte}`)
  else {
    // The last four bytes may overlap the ones before.
    for (const i of Array(Math.ceil(length / 4)).keys()) {
      const offset = Math.min(4 * i, length - 4)
      conditions.push(`d.getInt32(at + ${offset}, true) !== ${bytes.readInt32LE(offset)}`)
    }
  }
  return `if (${conditions.join(' || ')}) return -1; at += ${length}`
}

/** Source that reads a scalar into `v`; null for a field whose decoder is a function. */
function scalarSource({ kind }: Field, place: string): string | null {
  if (kind === 'str') return `if ((at = text(b, at, ${place})) < 0) return -1; v = cursor.text`
  if (kind === 'bool') {
    return `if (v = b[at] === ${beginsTrue}) { ${literalSource('true')} } else { ${literalSource('false')} }`
  }
  const read = 's = at; if ((at = number(b, at)) < 0) return -1; v = number0[0]'
  if (kind === 'num') return read
  // A small integer is stored as one, so that records keep the shape in which they were parsed.
  const isInteger = `Math.floor(v) === v && Math.abs(v) <= ${integerMax}`
  if (kind === 'int') return `${read}; if ((v | 0) === v) v |= 0; else if (!(${isInteger})) return -1`
  if (kind !== 'int64') return null
  const wide = 'if (!Number.isSafeInteger(v) && (v = wide(b, s, at)) === null) return -1'
  return `${read}; if ((v | 0) === v) v |= 0; else ${wide}`
}

/**
 * The source of the decoder for one order of fields, and the functions that it calls. Only names of the contract become
 * identifiers; unknown names are compared as bytes.
 */
export function inPlaceDecoderSource(
  type: RecordType,
  names: readonly string[],
  keyField: string | null,
): { readonly source: string; readonly fields: readonly DecodeField[] } {
  const fields: DecodeField[] = []
  const call = (decode: DecodeField, holder: string, name: string): string =>
    `if ((at = fields[${fields.push(decode) - 1}](b, d, at, end, ${holder}, ${name})) < 0) return -1`
  const lines = names.flatMap((name, index) => {
    const quoted = JSON.stringify(name)
    const opening = literalSource(`${index === 0 ? '{' : ','}${quoted}:`)
    if (type.extras?.includes(name) === true) return [opening, call(parsedField(str('')), 'r', quoted)]
    if (!Object.hasOwn(type.fields, name)) return [opening, call(unknownField, '{}', '""')]
    const field = type.fields[name]
    const place = `r[${quoted}]`
    const scalar = scalarSource(field, place)
    if (scalar === null) return [opening, call(orNull(field, nestedField(field)), 'r', quoted)]
    // A key may be a bigint, which equals the number of the same value.
    if (name === keyField) return [opening, scalar, `if (v != ${place}) return -1`]
    if (!field.nullable) return [opening, scalar, `${place} = v`]
    const isNull = `b[at] === ${beginsNull}`
    return [
      opening,
      `if (${isNull}) { ${literalSource('null')}; v = null } else { ${scalar} }`,
      `${place} = v`,
    ]
  })
  const source = `
  const { fields, cursor, number, text, wide } = parts
  const number0 = cursor.number
  return (b, d, at, end, r) => {
    let v, s
    ${lines.join('\n    ')}
    ${literalSource('}')}
    return at
  }`
  return { source, fields }
}

/** Compiles the decoder for one order of fields. A record that lacks a field of the contract is always parsed. */
function compileDecoder(type: RecordType, names: readonly string[], keyField: string | null): Decode {
  if (Object.keys(type.fields).some((name) => !names.includes(name))) return () => -1
  const { source, fields } = inPlaceDecoderSource(type, names, keyField)
  const parts = { fields, cursor: parseCursor, number: readNumber, text: readText, wide: wideInteger }
  // oxlint-disable-next-line no-implied-eval
  return (new Function('parts', source) as (parts: object) => Decode)(parts)
}
