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

test('the encoder generated for a small record', async () => {
  await expect(`${recordEncoderSource(fan, scalarEncoder)}\n`).toMatchFileSnapshot(
    'generated/record-encoder.txt',
  )
})

test('the comparison generated for rows with two labels', async () => {
  await expect(labelComparisonSource(2)).toMatchFileSnapshot('generated/label-comparison.txt')
})

test('the reader generated for a field, a sum and a derived value', async () => {
  const families: { source: ValueSource }[] = [
    { source: { kind: 'derived', value: () => 1 } },
    { source: { kind: 'number', field: 'load_pct', factor: 0.01 } },
    { source: { kind: 'sum', list: 'ports', field: 'tx_bytes', factor: 1 } },
  ]
  await expect(sampleReaderSource(families, columnOrder(families))).toMatchFileSnapshot(
    'generated/sample-reader.txt',
  )
})

test('the decoder generated for one order of fields, one of them unknown', async () => {
  const type = defineRecord('Fan', 'A fan.', {
    id: int('Id.'),
    load: num('Load.', 'pct'),
    tags: list(str('Tag.'), 'Tags.'),
  })
  const { source } = inPlaceDecoderSource(type, ['id', 'load', 'new"field', 'tags'], 'id')
  await expect(source).toMatchFileSnapshot('generated/in-place-decoder.txt')
})
