import { units, type Field, type RecordType } from '../contract/fields.ts'
import { printerOf, type LeafPrinter } from './leaf-printers.ts'
import type { RecordDraft } from './record-draft.ts'
import type { RecordSheet } from './record-sheet.ts'

/** What is compiled for one type of record. */
export interface RecordCode {
  /** Encodes a record from scratch. */
  readonly write: (record: object, draft: RecordDraft) => void
  /**
   * Goes through the leaves of a record in the order of its JSON, from the sheet's cursor on, and prints those that
   * changed over what was there. False where that cannot be done: the structure changed, or room ran out.
   */
  readonly patch: (record: object, sheet: RecordSheet) => boolean
}

type NumberField = Field & { readonly kind: 'int' | 'num' }

/** Fields whose values are kept as plain doubles; all others are kept as they are. */
const isNumber = (field: Field): field is NumberField =>
  !field.nullable && (field.kind === 'int' || field.kind === 'num')

/** Gathers the source text of the two functions of one record type, field after field. */
class CodeWriter {
  readonly writeLines: string[] = []
  readonly patchLines: string[] = []
  readonly texts: Uint8Array[] = []
  readonly printers: LeafPrinter[] = []
  readonly nested: RecordCode[] = []
  /** Text known beforehand that precedes the next value. */
  #text = ''
  /** Leaves since `n` and `v` were last set. */
  #numbers = 0
  #values = 0
  #variables = 0

  record(type: RecordType, variable: string): void {
    let separator = '{'
    for (const [name, field] of Object.entries(type.fields)) {
      this.#text += `${separator}${JSON.stringify(name)}:`
      separator = ','
      this.#field(field, `${variable}[${JSON.stringify(name)}]`, JSON.stringify(`${type.name}.${name}`))
    }
    this.#text += '}'
  }

  /** Ends both functions. */
  finish(): void {
    this.#flush()
    this.patchLines.push(`s.n = n + ${this.#numbers}; s.v = v + ${this.#values}; s.at = at; return true`)
  }

  #field(field: Field, place: string, label: string): void {
    if (isNumber(field)) this.#number(field, place, label)
    else if (field.kind === 'record' && !field.nullable) this.#inlined(field.record!, place)
    else if (field.kind === 'record') this.#nullableRecord(field.record!, place)
    else if (field.kind === 'list' && field.of!.kind === 'record') this.#records(field.of!.record!, place)
    else this.#value(field, place, label)
  }

  #number(field: NumberField, place: string, label: string): void {
    this.#flush()
    const rest = field.kind === 'int' ? label : `${units[field.unit]}, ${label}`
    const at = `n + ${this.#numbers++}`
    this.writeLines.push(`d.${field.kind}(${place}, ${rest})`)
    this.patchLines.push(
      `x = ${place}; if (x !== N[${at}] && !s.${field.kind}(at, ${at}, x, ${rest})) return false`,
      `at += NW[${at}]`,
    )
  }

  #value(field: Field, place: string, label: string): void {
    this.#flush()
    const at = `v + ${this.#values++}`
    const printer = `printers[${this.printers.push(printerOf(field)) - 1}]`
    this.writeLines.push(`d.value(${place}, ${printer}, ${label})`)
    const isInt64 = field.kind === 'int64' && !field.nullable
    const patch = isInt64 ? `s.int64(at, ${at}, x, ${label})` : `s.value(at, ${at}, x, ${printer}, ${label})`
    this.patchLines.push(`x = ${place}; if (x !== V[${at}] && !${patch}) return false`, `at += VW[${at}]`)
  }

  #inlined(type: RecordType, place: string): void {
    const variable = `r${++this.#variables}`
    const declaration = `const ${variable} = ${place}`
    this.writeLines.push(declaration)
    this.patchLines.push(declaration)
    this.record(type, variable)
  }

  #nullableRecord(type: RecordType, place: string): void {
    this.#flush()
    const code = `nested[${this.nested.push(compileRecord(type)) - 1}]`
    this.writeLines.push(
      `d.structure(${place} === null)`,
      `if (${place} === null) d.null(); else ${code}.write(${place}, d)`,
    )
    this.patchLines.push(
      `x = ${place}; if ((x === null) !== V[v + ${this.#values++}]) return false`,
      `n += ${this.#numbers}; v += ${this.#values}`,
      `if (x === null) at += 4`,
      `else { s.n = n; s.v = v; s.at = at; if (!${code}.patch(x, s)) return false; n = s.n; v = s.v; at = s.at }`,
    )
    this.#numbers = this.#values = 0
  }

  #records(type: RecordType, place: string): void {
    this.#text += '['
    this.#flush()
    const code = `nested[${this.nested.push(compileRecord(type)) - 1}]`
    this.writeLines.push(
      `d.structure(${place}.length)`,
      `for (let i = 0; i < ${place}.length; i++) { if (i > 0) d.comma(); ${code}.write(${place}[i], d) }`,
    )
    this.patchLines.push(
      `x = ${place}; if (x.length !== V[v + ${this.#values++}]) return false`,
      `s.n = n + ${this.#numbers}; s.v = v + ${this.#values}; s.at = at`,
      `for (let i = 0; i < x.length; i++) { if (i > 0) s.at++; if (!${code}.patch(x[i], s)) return false }`,
      `n = s.n; v = s.v; at = s.at`,
    )
    this.#numbers = this.#values = 0
    this.#text += ']'
  }

  /** Puts the text gathered so far before whatever comes next. */
  #flush(): void {
    if (this.#text === '') return
    const bytes = Buffer.from(this.#text)
    this.writeLines.push(`d.raw(texts[${this.texts.push(bytes) - 1}])`)
    this.patchLines.push(`at += ${bytes.length}`)
    this.#text = ''
  }
}

const compiled = new Map<RecordType, RecordCode>()

/**
 * Compiles the code for a type of record. It is generated as source text, because only straight code with each
 * field's name written out lets the engine read a record of a hundred leaves at a nanosecond or two a leaf.
 */
export function compileRecord(type: RecordType): RecordCode {
  const known = compiled.get(type)
  if (known !== undefined) return known
  const writer = new CodeWriter()
  writer.record(type, 'r')
  writer.finish()
  const source = [
    'return {',
    'write(r, d) {',
    ...writer.writeLines,
    '},',
    'patch(r, s) {',
    'const N = s.numbers, NW = s.numberWidths, V = s.values, VW = s.valueWidths',
    'let n = s.n, v = s.v, at = s.at, x',
    ...writer.patchLines,
    '},',
    '}',
  ].join('\n')
  // oxlint-disable-next-line typescript/no-implied-eval -- the text comes from the contract alone
  const instantiate = new Function('texts', 'printers', 'nested', source)
  const code = instantiate(writer.texts, writer.printers, writer.nested) as RecordCode
  compiled.set(type, code)
  return code
}
