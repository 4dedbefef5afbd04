import type { Field, RecordType } from '../contract/fields.ts'
import { printerOf, type LeafPrinter } from './leaf-printers.ts'
import type { RecordDraft } from './record-draft.ts'
import type { RecordSheet } from './record-sheet.ts'

/** What is compiled for one type of record. */
export interface RecordCode {
  /** Encodes a record from scratch. */
  readonly write: (record: object, draft: RecordDraft) => void
  /**
   * Compares a record with its shadow, from the sheet's cursor on, and lists the numbers that changed. False where
   * anything else did: then the record has to be encoded from scratch.
   */
  readonly diff: (record: object, sheet: RecordSheet) => boolean
}

type NumberField = Field & { readonly kind: 'int' | 'num' | 'int64' }

/** Fields whose values are kept as plain doubles; all others are kept as they are. */
const isNumber = (field: Field): field is NumberField =>
  !field.nullable && (field.kind === 'int' || field.kind === 'num' || field.kind === 'int64')

/** Gathers the source text of the two functions of one record type, field after field. */
class CodeWriter {
  readonly writeLines: string[] = []
  readonly diffLines: string[] = []
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
    this.diffLines.push(this.#saveCursor(), 'return true')
  }

  #field(field: Field, place: string, label: string): void {
    if (isNumber(field)) this.#number(field, place, label)
    else if (field.kind === 'record' && !field.nullable) this.#inlined(field.record!, place)
    else if (field.kind === 'record') this.#nullableRecord(field.record!, place)
    else if (field.kind === 'list' && field.of!.kind === 'record') this.#records(field.of!.record!, place)
    else this.#value(field, place, label)
  }

  #number({ kind }: NumberField, place: string, label: string): void {
    this.#flush()
    const k = `n + ${this.#numbers++}`
    this.writeLines.push(`d.${kind}(${place}, ${label})`)
    const isInteger = kind === 'num' ? 0 : 1
    const known = kind === 'int64' ? `x === V[v + ${this.#values++}]` : 'false'
    this.diffLines.push(
      `x = ${place}`,
      `if (x !== N[${k}]) {`,
      `  if (typeof x === 'number') { C[c] = ${k}; X[c] = x; I[c++] = ${isInteger} }`,
      `  else if (!(${known})) return false`,
      `}`,
    )
  }

  #value(field: Field, place: string, label: string): void {
    this.#flush()
    const printer = `printers[${this.printers.push(printerOf(field)) - 1}]`
    this.writeLines.push(`d.value(${place}, ${printer}, ${label})`)
    this.diffLines.push(`if (${place} !== V[v + ${this.#values++}]) return false`)
  }

  #inlined(type: RecordType, place: string): void {
    const variable = `r${++this.#variables}`
    const declaration = `const ${variable} = ${place}`
    this.writeLines.push(declaration)
    this.diffLines.push(declaration)
    this.record(type, variable)
  }

  #nullableRecord(type: RecordType, place: string): void {
    this.#flush()
    const code = this.#nest(type)
    this.writeLines.push(
      `d.structure(${place} === null)`,
      `if (${place} === null) d.null(); else ${code}.write(${place}, d)`,
    )
    this.diffLines.push(
      `x = ${place}; if ((x === null) !== V[v + ${this.#values++}]) return false`,
      this.#saveCursor(),
      `if (x !== null && !${code}.diff(x, s)) return false`,
    )
    this.#loadCursor()
  }

  #records(type: RecordType, place: string): void {
    this.#text += '['
    this.#flush()
    const code = this.#nest(type)
    this.writeLines.push(
      `d.structure(${place}.length)`,
      `for (let i = 0; i < ${place}.length; i++) { if (i > 0) d.comma(); ${code}.write(${place}[i], d) }`,
    )
    this.diffLines.push(
      `x = ${place}; if (x.length !== V[v + ${this.#values++}]) return false`,
      this.#saveCursor(),
      `for (let i = 0; i < x.length; i++) if (!${code}.diff(x[i], s)) return false`,
    )
    this.#loadCursor()
    this.#text += ']'
  }

  #nest(type: RecordType): string {
    return `nested[${this.nested.push(compileRecord(type)) - 1}]`
  }

  #saveCursor(): string {
    return `s.n = n + ${this.#numbers}; s.v = v + ${this.#values}; s.c = c`
  }

  #loadCursor(): void {
    this.diffLines.push('n = s.n; v = s.v; c = s.c')
    this.#numbers = this.#values = 0
  }

  /** Puts the text gathered so far before whatever comes next. */
  #flush(): void {
    if (this.#text === '') return
    this.writeLines.push(`d.raw(texts[${this.texts.push(Buffer.from(this.#text)) - 1}])`)
    this.#text = ''
  }
}

const compiled = new Map<RecordType, RecordCode>()

/**
 * Compiles the code for a type of record. It is generated as source text, because only straight code with each
 * field's name written out lets the engine read a record of a hundred leaves at a nanosecond or two a leaf. For the
 * same reason nothing is called between the comparisons.
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
    'diff(r, s) {',
    'const N = s.numbers, V = s.values, C = s.changed, X = s.changedTo, I = s.changedIsInteger',
    'let n = s.n, v = s.v, c = s.c, x',
    ...writer.diffLines,
    '},',
    '}',
  ].join('\n')
  // oxlint-disable-next-line typescript/no-implied-eval -- the text comes from the contract alone
  const instantiate = new Function('texts', 'printers', 'nested', source)
  const code = instantiate(writer.texts, writer.printers, writer.nested) as RecordCode
  compiled.set(type, code)
  return code
}
