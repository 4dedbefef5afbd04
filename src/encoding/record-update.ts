import type { Field, RecordType } from '../contract/fields.ts'
import { closeList, comma, endOfValue, openList } from './json-scan.ts'
import { found, readNumber, readText, wideInteger } from './json-values.ts'
import { fieldCheck } from './record-check.ts'

/**
 * Reads the JSON that starts there into a record read before. Returns one past, or -1 where anything is unusual: the
 * record may then hold some of it, and has to be read anew.
 */
type Update = (bytes: Buffer, view: DataView, start: number, end: number, record: object) => number

type Keyed = Record<string, unknown>

/** Servers that write the fields of a type in more orders than these are read the slower way. */
const ordersMax = 8
/** So are those whose names are longer, all of a record taken together: they would become as much code. */
const namesMax = 16 * 1024

const beginsNull = 0x6e
const beginsTrue = 0x74

/**
 * Reads records of a type again and again, each into the object that it was read into before: nothing is allocated
 * but what changed. That is several times faster than to parse them, and everything is checked all the same. It has
 * to have seen a record for the order in which a server writes the fields; whatever differs, it leaves to others.
 */
export class RecordUpdater {
  readonly #type: RecordType
  readonly #keyField: string | null
  readonly #byOrder = new Map<string, Update>()
  #update: Update | null = null

  /** The `keyField` is not to change: another record stands there then. */
  constructor(type: RecordType, keyField: string | null = null) {
    this.#type = type
    this.#keyField = keyField
  }

  /** Takes the order of the fields from a record as it was parsed: the next ones are taken to have it too. */
  learn(record: object): void {
    const names = Object.keys(record)
    const order = names.join()
    const known = this.#byOrder.get(order)
    if (known === undefined && (this.#byOrder.size === ordersMax || order.length > namesMax)) return
    this.#update = known ?? compileUpdate(this.#type, names, this.#keyField)
    this.#byOrder.set(order, this.#update)
  }

  /** The `view` is of the same bytes, all of them. */
  update(bytes: Buffer, view: DataView, start: number, end: number, record: object): number {
    return this.#update === null ? -1 : this.#update(bytes, view, start, end, record)
  }
}

/** Reads a value of a field where one stood before, into `holder[name]`. */
type FieldUpdate = (
  bytes: Buffer,
  view: DataView,
  start: number,
  end: number,
  holder: Keyed,
  name: string | number,
) => number

/** Parses the value. */
function parsing(field: Field, learn: (value: object) => void = () => {}): FieldUpdate {
  const check = fieldCheck(field, 'plain')
  return (bytes, _view, start, end, holder, name) => {
    const behind = endOfValue(bytes, start, end)
    if (behind < 0) return -1
    let value: unknown
    try {
      value = JSON.parse(bytes.toString('utf8', start, behind))
    } catch {
      return -1
    }
    if (!check(value)) return -1
    if (typeof value === 'object' && value !== null) learn(value)
    holder[name] = value
    return behind
  }
}

/** Reads into the record that stands there, if one does. */
function updating(field: Field): FieldUpdate {
  const updater = new RecordUpdater(field.record!)
  const parse = parsing(field, (value) => updater.learn(value))
  return (bytes, view, start, end, holder, name) => {
    const before = holder[name]
    if (typeof before === 'object' && before !== null) {
      const behind = updater.update(bytes, view, start, end, before)
      if (behind >= 0) return behind
    }
    return parse(bytes, view, start, end, holder, name)
  }
}

/** Reads a list item by item, into the list itself or, where it may not be written to, only if it is the same. */
function listing(field: Field): FieldUpdate {
  const item = field.of!
  const isOfRecords = item.kind === 'record'
  const readItem = isOfRecords ? orNull(item, updating(item)) : comparing(item)
  const parse = parsing(field)
  return (bytes, view, start, end, holder, name) => {
    const before = holder[name]
    if (bytes[start] !== openList || !Array.isArray(before))
      return parse(bytes, view, start, end, holder, name)
    const items = before as unknown as Keyed & unknown[]
    let at = start + 1
    let count = 0
    while (bytes[at] !== closeList) {
      if (count > 0) {
        if (bytes[at] !== comma) return -1
        at++
      }
      if (!isOfRecords && count === items.length) return parse(bytes, view, start, end, holder, name)
      at = readItem(bytes, view, at, end, items, count)
      if (at < 0) return isOfRecords ? -1 : parse(bytes, view, start, end, holder, name)
      count++
    }
    if (count === items.length) return at + 1
    if (!isOfRecords) return parse(bytes, view, start, end, holder, name)
    items.length = count
    return at + 1
  }
}

/** Passes over what is there already; -1 where anything else is. */
function comparing({ kind }: Field): FieldUpdate {
  if (kind === 'str') {
    return (bytes, _view, start, _end, holder, name) => {
      const at = readText(bytes, start, holder[name])
      return found.text === holder[name] ? at : -1
    }
  }
  if (kind !== 'int' && kind !== 'int64' && kind !== 'num') return () => -1
  return (bytes, _view, start, _end, holder, name) => {
    const at = readNumber(bytes, start)
    return Object.is(found.number[0], holder[name]) ? at : -1
  }
}

function orNull(field: Field, read: FieldUpdate): FieldUpdate {
  if (!field.nullable) return read
  return (bytes, view, start, end, holder, name) => {
    if (bytes[start] !== beginsNull) return read(bytes, view, start, end, holder, name)
    holder[name] = null
    return start + 4 <= end && view.getInt32(start, true) === wordNull ? start + 4 : -1
  }
}

const fieldUpdate = (field: Field): FieldUpdate => {
  if (field.kind === 'record') return updating(field)
  return field.kind === 'list' ? listing(field) : parsing(field)
}

/** The text that passes over a literal, four bytes at a time. */
function literalCode(text: string): string {
  const bytes = Buffer.from(text)
  const { length } = bytes
  const conditions = [`at + ${length} > end`]
  if (length < 4) for (const [i, byte] of bytes.entries()) conditions.push(`b[at + ${i}] !== ${byte}`)
  else {
    // The last four may overlap those before.
    for (const i of Array(Math.ceil(length / 4)).keys()) {
      const offset = Math.min(4 * i, length - 4)
      conditions.push(`d.getInt32(at + ${offset}, true) !== ${bytes.readInt32LE(offset)}`)
    }
  }
  return `if (${conditions.join(' || ')}) return -1; at += ${length}`
}

const wordNull = Buffer.from('null').readInt32LE()

/** The text that reads a value into `v`, where the field is a scalar; null for what needs a function. */
function scalarCode({ kind }: Field, place: string): string | null {
  if (kind === 'str') return `if ((at = text(b, at, ${place})) < 0) return -1; v = found.text`
  if (kind === 'bool') {
    return `if (v = b[at] === ${beginsTrue}) { ${literalCode('true')} } else { ${literalCode('false')} }`
  }
  const reading = 's = at; if ((at = number(b, at)) < 0) return -1; v = number0[0]'
  if (kind === 'num') return reading
  // What is a small integer is stored as one, so that records keep the shape that they were parsed in.
  if (kind === 'int') return `${reading}; if ((v | 0) === v) v |= 0; else if (Math.floor(v) !== v) return -1`
  if (kind !== 'int64') return null
  const wide = 'if (!Number.isSafeInteger(v) && (v = wide(b, s, at)) === null) return -1'
  return `${reading}; if ((v | 0) === v) v |= 0; else ${wide}`
}

/**
 * Compiles the reading of a type whose fields a server writes in this order; fields that the contract does not know
 * are only passed over. The names in the code are the contract's own, and others are compared as bytes.
 */
function compileUpdate(type: RecordType, names: readonly string[], keyField: string | null): Update {
  const updates: FieldUpdate[] = []
  const call = (update: FieldUpdate, holder: string, name: string): string =>
    `if ((at = u[${updates.push(update) - 1}](b, d, at, end, ${holder}, ${name})) < 0) return -1`
  const lines = names.flatMap((name, index) => {
    const quoted = JSON.stringify(name)
    const opening = literalCode(`${index === 0 ? '{' : ','}${quoted}:`)
    if (!Object.hasOwn(type.fields, name)) return [opening, call(unknown, '{}', '""')]
    const field = type.fields[name]
    const place = `r[${quoted}]`
    const scalar = scalarCode(field, place)
    if (scalar === null) return [opening, call(orNull(field, fieldUpdate(field)), 'r', quoted)]
    // An integer is equal to itself as a bigint.
    if (name === keyField) return [opening, scalar, `if (v != ${place}) return -1`]
    if (!field.nullable) return [opening, scalar, `${place} = v`]
    const isNull = `b[at] === ${beginsNull}`
    return [opening, `if (${isNull}) { ${literalCode('null')}; v = null } else { ${scalar} }`, `${place} = v`]
  })
  const missing = Object.keys(type.fields).filter((name) => !names.includes(name))
  if (missing.length > 0) return () => -1
  const body = `
  const { u, found, number, text, wide } = given
  const number0 = found.number
  return (b, d, at, end, r) => {
    let v, s
    ${lines.join('\n    ')}
    ${literalCode('}')}
    return at
  }`
  const given = { u: updates, found, number: readNumber, text: readText, wide: wideInteger }
  // oxlint-disable-next-line no-new-func, no-implied-eval
  return (new Function('given', body) as (given: object) => Update)(given)
}

/** Any value at all, so long as it is JSON. */
const unknown: FieldUpdate = (bytes, _view, start, end) => {
  const behind = endOfValue(bytes, start, end)
  if (behind < 0) return -1
  try {
    JSON.parse(bytes.toString('utf8', start, behind))
    return behind
  } catch {
    return -1
  }
}
