import { expect, test } from 'vitest'
import { InPlaceDecoder, inPlaceDecoderSource } from '../../src/codegen/in-place-decoder.ts'
import { labelComparisonSource } from '../../src/codegen/label-comparison.ts'
import { recordEncoderSource } from '../../src/codegen/record-encoder.ts'
import { columnOrder, sampleReaderSource } from '../../src/codegen/sample-reader.ts'
import type { ValueSource } from '../../src/codegen/rows.ts'
import { bool, int, list, num, defineRecord, str } from '../../src/contract/fields.ts'
import { scalarEncoder } from '../../src/encoding/records/scalar-encoders.ts'

const fan = defineRecord('Fan', 'A fan.', {
  rpm: int('Speed.'),
  load: num('Load.', 'pct'),
  name: str('Name.'),
  ok: bool('Whether it turns.'),
  tags: list(str('Tag.'), 'Tags.'),
})

test('fields are decoded in place in eight orders, and not where their names are longer than 16 KiB', () => {
  const decoder = new InPlaceDecoder(fan)
  const known = { rpm: 1, load: 2, name: 'a', ok: true, tags: [] }
  const isDecoded = (names: readonly string[]): boolean => {
    const record = Object.fromEntries(names.map((name) => [name, known[name as 'rpm'] ?? 0]))
    decoder.learn(record)
    const bytes = Buffer.from(JSON.stringify(record))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return decoder.decode(bytes, view, 0, bytes.length, { ...known }) > 0
  }
  const names = Object.keys(known)
  expect(isDecoded([...names, 'x'.repeat(16 * 1024)])).toBe(false)
  const turned = names.map((_, by) => names.slice(by).concat(names.slice(0, by)))
  const orders = [...turned, ...turned.map((order) => order.toReversed())].slice(0, 9)
  expect(orders.map(isDecoded)).toEqual([...Array(8).fill(true), false])
})

test('the encoder generated for a small record', () => {
  expect(`${recordEncoderSource(fan, scalarEncoder)}\n`).toMatchInlineSnapshot(`
    "return {
    write(r, d) {
    d.raw(texts[0])
    d.int(r["rpm"], "Fan.rpm")
    d.raw(texts[1])
    d.num(r["load"], "Fan.load")
    d.raw(texts[2])
    d.value(r["name"], encoders[0], "Fan.name")
    d.raw(texts[3])
    d.value(r["ok"], encoders[1], "Fan.ok")
    d.raw(texts[4])
    d.value(r["tags"], encoders[2], "Fan.tags")
    d.raw(texts[5])
    },
    diff(r, s) {
    const N = s.numbers, V = s.values, C = s.changed, X = s.changedTo, I = s.changedIsInteger
    let n = s.n, v = s.v, c = s.c, x
    x = r["rpm"]
    if (x !== N[n + 0]) {
      if (typeof x === 'number') { C[c] = n + 0; X[c] = x; I[c++] = 1 }
      else if (!(false)) return false
    }
    x = r["load"]
    if (x !== N[n + 1]) {
      if (typeof x === 'number') { C[c] = n + 1; X[c] = x; I[c++] = 0 }
      else if (!(false)) return false
    }
    if (r["name"] !== V[v + 0]) return false
    if (r["ok"] !== V[v + 1]) return false
    if (r["tags"] !== V[v + 2]) return false
    s.n = n + 2; s.v = v + 3; s.c = c
    return true
    },
    }
    "
  `)
})

test('the comparison generated for rows with two labels', () => {
  expect(labelComparisonSource(2)).toMatchInlineSnapshot(`
    "
      const [l0, l1] = readers
      const { items, parents } = rows
      const hasParents = parents.length > 0
      for (let row = 0, at = 0; row < count; row++, at += 2) {
        const r = items[row]
        const p = hasParents ? parents[row] : undefined
        if (l0(r, p) !== known[at + 0] || l1(r, p) !== known[at + 1] || false) return row
      }
      return count"
  `)
})

test('the reader generated for a field, a sum and a derived value', () => {
  const families: { source: ValueSource }[] = [
    { source: { kind: 'derived', value: () => 1 } },
    { source: { kind: 'number', field: 'load_pct', factor: 0.01 } },
    { source: { kind: 'sum', list: 'ports', field: 'tx_bytes', factor: 1 } },
  ]
  expect(sampleReaderSource(families, columnOrder(families))).toMatchInlineSnapshot(`
    "
      const [d0, d1, d2] = derivations
      const { items, parents } = rows
      const hasParents = parents.length > 0
      let v = 0
      let b = 0
      for (let from = 0, end = 0; from < items.length; from = end) {
      end = Math.min(from + 128, items.length)
      for (let i = from; i < end; i++) {
        const r = items[i]
        const p = hasParents ? parents[i] : undefined
        let at = 0 * columnLength + i
        v = r.load_pct * 0.01
        b = values[at]
        if (v !== b && (v === v || b === b)) { values[at] = v; changed[1] = 1 }
        at += columnLength
      }
      for (let i = from; i < end; i++) {
        const r = items[i]
        const p = hasParents ? parents[i] : undefined
        let at = 1 * columnLength + i
        let s2 = r.ports === unknownList ? NaN : 0
        for (let k = 0, l = r.ports; k < l.length; k++) {
          const q = l[k]
          let x
          x = q.tx_bytes
          s2 += typeof x === 'number' ? x : x === null ? NaN : Number(x)
        }
        v = s2 * 1
        b = values[at]
        if (v !== b && (v === v || b === b)) { values[at] = v; changed[2] = 1 }
        at += columnLength
      }
      for (let i = from; i < end; i++) {
        const r = items[i]
        const p = hasParents ? parents[i] : undefined
        let at = 2 * columnLength + i
        v = numberOf(d0(r, p))
        b = values[at]
        if (v !== b && (v === v || b === b)) { values[at] = v; changed[0] = 1 }
        at += columnLength
      }
      }"
  `)
})

test('the decoder generated for one order of fields, one of them unknown', () => {
  const type = defineRecord('Fan', 'A fan.', {
    id: int('Id.'),
    load: num('Load.', 'pct'),
    tags: list(str('Tag.'), 'Tags.'),
  })
  const { source } = inPlaceDecoderSource(type, ['id', 'load', 'new"field', 'tags'], 'id')
  expect(source).toMatchInlineSnapshot(`
    "
      const { fields, cursor, number, text, wide } = parts
      const number0 = cursor.number
      return (b, d, at, end, r) => {
        let v, s
        if (at + 6 > end || d.getInt32(at + 0, true) !== 1684611707 || d.getInt32(at + 2, true) !== 975332457) return -1; at += 6
        s = at; if ((at = number(b, at)) < 0) return -1; v = number0[0]; if ((v | 0) === v) v |= 0; else if (!(Math.floor(v) === v && Math.abs(v) <= 9223372036854776000)) return -1
        if (v != r["id"]) return -1
        if (at + 8 > end || d.getInt32(at + 0, true) !== 1869357612 || d.getInt32(at + 4, true) !== 975332449) return -1; at += 8
        s = at; if ((at = number(b, at)) < 0) return -1; v = number0[0]
        r["load"] = v
        if (at + 14 > end || d.getInt32(at + 0, true) !== 1701716524 || d.getInt32(at + 4, true) !== 1713527927 || d.getInt32(at + 8, true) !== 1684825449 || d.getInt32(at + 10, true) !== 975332460) return -1; at += 14
        if ((at = fields[0](b, d, at, end, {}, "")) < 0) return -1
        if (at + 8 > end || d.getInt32(at + 0, true) !== 1635000876 || d.getInt32(at + 4, true) !== 975336295) return -1; at += 8
        if ((at = fields[1](b, d, at, end, r, "tags")) < 0) return -1
        if (at + 1 > end || b[at + 0] !== 125) return -1; at += 1
        return at
      }"
  `)
})
