import { describe, expect, test } from 'vitest'
import { bool, defineRecord, id, int, list, listOf, nullable, str } from '../../src/contract/fields.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { unknownList } from '../../src/contract/records/unknown.ts'
import { lazyRecordReader } from '../../src/encoding/lazy-record.ts'
import { recordReader } from '../../src/encoding/record-reader.ts'
import { busyHost } from '../fixtures/busy-hosts.ts'

const port = { id: id('Id.'), label: str('Name.') }
const fields = {
  id: id('Id.'),
  name: str('Name.'),
  rack_id: nullable(id('Rack.')),
  ports: listOf(defineRecord('Port', 'A port.', port), 'Ports.'),
  hosts: list(id('Id.'), 'Hosts.'),
  online: bool('Whether it runs.'),
  size: int('Size.', 'rack_units'),
}
const read = lazyRecordReader(defineRecord('Device', 'A device.', fields)) as (text: string) => unknown

const whole =
  '{"id":7,"name":"core1","rack_id":null,"ports":[{"id":1,"label":"a"},{"id":2,"label":"b"}],"hosts":[3,9007199254740993],"online":true,"size":2}'
const expected = {
  id: 7,
  name: 'core1',
  rack_id: null,
  ports: [
    { id: 1, label: 'a' },
    { id: 2, label: 'b' },
  ],
  hosts: [3, 9007199254740993n],
  online: true,
  size: 2,
}

describe('a record that is read field by field', () => {
  test.each(Object.entries(expected))('has %s', (name, value) => {
    expect(read(whole)).toHaveProperty(name, value)
  })

  test.each([
    ['in the order of the contract', (names: string[]) => names],
    ['the other way round', (names: string[]) => names.toReversed()],
    ['the last one first', (names: string[]) => [names.at(-1)!, ...names.slice(0, -1)]],
  ])('is the same when its fields are asked for %s', (_, ordered) => {
    const record = read(whole) as Record<string, unknown>
    for (const name of ordered(Object.keys(expected))) {
      expect(record[name]).toEqual(expected[name as keyof typeof expected])
      expect(record[name]).toBe(record[name])
    }
  })

  test.each([
    ['members in another order', `{"size":2,"ports":[{"label":"x","id":1}],"id":7}`, [7, 2]],
    ['blanks between all', ' { "size" : 2 , "ports" : [ { "id" : 1 } ] , "id" : 7 } ', [7, 2]],
    ['quotes, backslashes and brackets within texts', '{"name":"a\\"},{\\\\","id":7,"size":2}', [7, 2]],
    ['a text that reads as a member', String.raw`{"name":"\"id\":1,","size":2,"id":7}`, [7, 2]],
    ['names of the same beginning', '{"idle":1,"size_u":3,"size":2,"id":7}', [7, 2]],
  ])('is found among %s', (_, text, [id, size]) => {
    const record = read(text) as { id: unknown; size: unknown }
    expect([record.id, record.size]).toEqual([id, size])
  })

  test('has a name that is written with an escape', () => {
    expect(read(whole.replace('"size"', String.raw`"\u0073ize"`))).toHaveProperty('size', 2)
  })

  test.each([
    [
      'of another type',
      '{"id":"seven","name":7,"rack_id":"r","ports":{},"hosts":[1,"two"],"online":1,"size":0.5}',
      [1],
    ],
    [
      'null',
      '{"id":null,"name":null,"rack_id":null,"ports":null,"hosts":null,"online":null,"size":null}',
      unknownList,
    ],
    ['missing', '{}', unknownList],
  ])('has unknown values for what is %s', (_, text, hosts) => {
    const record = read(text) as Readonly<Record<string, unknown>>
    expect(Object.keys(fields).map((name) => record[name])).toEqual([
      null,
      '',
      null,
      unknownList,
      hosts,
      null,
      Number.NaN,
    ])
    expect(record['ports']).toBe(unknownList)
  })

  test('is a host as the other reader has it', () => {
    const text = JSON.stringify(busyHost(7))
    const host = lazyRecordReader(HostSchema)(text) as Readonly<Record<string, unknown>>
    const fieldsRead = Object.keys(HostSchema.fields).map((name) => [name, host[name]])
    expect(Object.fromEntries(fieldsRead)).toEqual(recordReader(HostSchema)(text))
  })

  test.each([
    ['{"id":17,"display_name":null,"display_name_plain":7}', 'host 17', 'host 17'],
    ['{"id":17,"display_name_plain":"a7"}', 'a7', 'a7'],
    ['{"id":17,"display_name":"a7 in row 2"}', 'a7 in row 2', 'a7 in row 2'],
  ])('has what stands in for the names of %s', (text, name, plain) => {
    expect(lazyRecordReader(HostSchema)(text)).toMatchObject({
      display_name: name,
      display_name_plain: plain,
    })
  })
})
