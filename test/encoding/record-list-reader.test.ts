import { expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { CollectionName } from '../../src/contract/collections.ts'
import type { RecordType } from '../../src/contract/fields.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { CableSchema } from '../../src/contract/records/network.ts'
import { EngineEventSchema, IncidentSchema, QuestSchema } from '../../src/contract/records/operations.ts'
import { ZoneSchema } from '../../src/contract/records/facility.ts'
import { HostSchema, HostPoolSchema } from '../../src/contract/records/hosts.ts'
import { RecordListReader } from '../../src/encoding/record-list-reader.ts'
import type { ReadItems } from '../../src/encoding/record-list-reader.ts'
import { recordReader } from '../../src/encoding/record-reader.ts'
import { busyHost } from '../fixtures/busy-hosts.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { jsonReference } from './json-reference.ts'
import { randomRecord } from './random-records.ts'
import { promptlyMs } from '../fixtures/promptly.ts'

const quest = (id: number | bigint | string, more = ''): string => {
  const { id: _id, ...rest } = emptyRecord(QuestSchema, { state: 'Next', title: 'quest.first' })
  return `{"id":${id},${JSON.stringify(rest).slice(1, -1)}${more}}`
}

const bytesOf = (text: string): Buffer => Buffer.from(text)
const readQuests = (text: string): ReadItems =>
  new RecordListReader('quests', QuestSchema).read([bytesOf(text)])

function written(list: ReadItems): { json: string; items: string[]; ids: bigint[] } {
  const json = Buffer.alloc(list.jsonLength)
  const ids = new BigInt64Array(list.count)
  const starts = new Uint32Array(list.count + 1)
  list.writeTo(json, ids, starts)
  const items = Array.from({ length: list.count }, (_, i) =>
    json.subarray(starts[i], starts[i + 1] - 1).toString(),
  )
  return { json: json.toString(), items, ids: [...ids] }
}

test('items keep every byte: digits, unknown fields and values, escapes, blanks within', () => {
  const items = [
    quest('9007199254740993', ',"unheard_of":{"of":[1.50,-0,1E2,123456789012345678901234567890]}'),
    quest(7).replace('"Next"', '"Postponed"').replace('"quest.first"', '"\\ud83d \\u00e9 é 東京 \\/ \\" }]"'),
    quest(3).replace('{"id":3,', '{ "id" : 3 ,\n\t'),
  ]
  const list = readQuests(` ${items.join(' ,\r\n')}\n`)
  expect(written(list)).toEqual({ json: items.join(','), items, ids: [9007199254740993n, 7n, 3n] })
  expect(list.records.map((record) => (record as { state: string }).state)).toEqual([
    'Next',
    'Postponed',
    'Next',
  ])
})

test('integers beyond a double are exact in the records too', () => {
  const event = `{"at_ns":9223372036854775807,"kind":"WorldStarted","msg_key":"m","msg_args":[{"key":"n","text":"",
    "number":36893488147419103232,"is_number":true}],"severity":"Dire","entity_kind":"Host","entity_id":9007199254740993}`
  const [record] = new RecordListReader('events', EngineEventSchema, 'at_ns').read([bytesOf(event)]).records
  expect(record).toEqual({
    at_ns: 9223372036854775807n,
    kind: 'WorldStarted',
    msg_key: 'm',
    msg_args: [{ key: 'n', text: '', number: 2 ** 65, is_number: true }],
    severity: 'Dire',
    entity_kind: 'Host',
    entity_id: 9007199254740993n,
  })
})

test('exact integers are distinguished from similar text', () => {
  const item = quest(1)
    .replace('"quest.first"', '"\\"9007199254740993\\ue000 \ue001"')
    .replace('"unlock_step":0', '"unlock_step":9007199254740993')
  const [record] = readQuests(
    `${item.slice(0, -1)},"more":[1.9007199254740993,12345678901234567890123]}`,
  ).records
  expect(record).toMatchObject({ title: '"9007199254740993\ue000 \ue001', unlock_step: 2 ** 53 })
  expect(() => readQuests(item.replace('"state":"Next"', '"state":9007199254740993'))).toThrow(
    'state: got 9007199254740993, expected a string.',
  )
})

test.each(Object.keys(collections) as CollectionName[])(
  'reads what our own world may print of %s',
  (name) => {
    const type: RecordType = collections[name]
    const chance = new SeededRandom(name.length)
    const records = Array.from({ length: 40 }, (_, id) => ({ ...randomRecord(type, chance), id }))
    const items = records.map(jsonReference)
    const list = new RecordListReader(name, type).read([bytesOf(items.join(','))])
    expect(written(list).json).toBe(items.join(','))
    expect(list.records.map(jsonReference)).toEqual(items)
  },
)

test('a list that did not change is the same object, in any buffers', () => {
  const reader = new RecordListReader('quests', QuestSchema)
  const first = reader.read([bytesOf(`${quest(1)},${quest(2)}`)])
  expect(first.changed).toBe(2)
  expect(reader.read([bytesOf(quest(1)), bytesOf(quest(2))])).toBe(first)
})

test('only items whose bytes changed are decoded again', () => {
  const reader = new RecordListReader('quests', QuestSchema)
  const first = reader.read([bytesOf(`${quest(1)},${quest(2)},${quest(3)}`)])
  const second = reader.read([bytesOf(`${quest(1)},${quest(2).replace('Next', 'Done')},${quest(3)}`)])
  expect(second.changed).toBe(1)
  expect(second.records[0]).toBe(first.records[0])
  expect(second.records[1]).toMatchObject({ id: 2, state: 'Done' })
  expect(second.records[2]).toBe(first.records[2])
})

test('the last item may go, all items may go, and a first list may be empty', () => {
  const reader = new RecordListReader('quests', QuestSchema)
  expect(reader.read([]).count).toBe(0)
  reader.read([bytesOf(`${quest(1)},${quest(2)}`)])
  const shorter = reader.read([bytesOf(quest(1))])
  expect([shorter.count, shorter.changed]).toEqual([1, 1])
  expect(written(reader.read([bytesOf(' ')]))).toEqual({ json: '', items: [], ids: [] })
})

test.each([
  [
    'text',
    quest(1).replace('"unlock_step":0', '"unlock_step":"0"'),
    ' (id 1): unlock_step: got "0", expected an integer.',
  ],
  [
    'a fraction',
    quest(1).replace('"unlock_step":0', '"unlock_step":0.5'),
    ' (id 1): unlock_step: got 0.5, expected an integer.',
  ],
  [
    'a list',
    quest(1).replace('"title_args":[]', '"title_args":{}'),
    ' (id 1): title_args: got an object, expected a list.',
  ],
  [
    'a missing field',
    quest(1).replace('"unlock_step":0,', ''),
    ' (id 1): unlock_step: is missing, expected an integer.',
  ],
  [
    'within a list',
    quest(1).replace(
      '"title_args":[]',
      '"title_args":[{"key":"a","text":"b","number":1e999,"is_number":true}]',
    ),
    ' (id 1): title_args[0].number: got a number too large, expected a finite number.',
  ],
  [
    'an id beyond 64 bits',
    quest('9223372036854775808'),
    ' (id 9223372036854775808): id: got 9223372036854775808, expected an integer within 64 bits.',
  ],
  [
    'an endless id',
    quest('1'.repeat(400)),
    ': id: got a number too large, expected an integer within 64 bits.',
  ],
  ['a negative id', quest(-1), ': id: got -1, expected an integer from 0 to 2^63 - 1.'],
  ['no id', quest('null'), ': id: got null, expected an integer from 0 to 2^63 - 1.'],
])('refuses %s by name', (_what, item, complaint) => {
  expect(() => readQuests(`${quest(5)},${item}`)).toThrow(`quests, item 1${complaint}`)
})

test.each([
  ['no object', '7', 'item 0: is not an object.'],
  ['a comma too many', `${quest(1)},`, 'item 1: is missing after a comma.'],
  ['no comma', `${quest(1)} ${quest(2)}`, 'item 0: is not followed by a comma.'],
  ['a torn end', quest(1).slice(0, -1), 'item 0: does not end, or nests more than 64 levels.'],
  ['a torn string', quest(1).slice(0, -3), 'item 0: does not end, or nests more than 64 levels.'],
  ['what is not JSON', quest(1).replace('"Next"', 'Next'), 'item 0: is not JSON: Unexpected token'],
  ['one id twice', `${quest(4)},${quest(2)},${quest(4)}`, 'item 2: id: got 4, which another item has too'],
])('refuses %s', (_what, text, complaint) => {
  expect(() => readQuests(text)).toThrow(`quests, ${complaint}`)
})

test('starts over after a refusal', () => {
  const reader = new RecordListReader('quests', QuestSchema)
  const both = `${quest(1)},${quest(2)}`
  const first = reader.read([bytesOf(both)])
  const refused = both.replace('"Next"', '"Done"').replace('"id":2', '"id":"2"')
  expect(() => reader.read([bytesOf(refused)])).toThrow('quests, item 1: id: got "2", expected')
  const again = reader.read([bytesOf(both)])
  expect(again.changed).toBe(2)
  expect(written(again)).toEqual(written(first))
  expect(again.records).toMatchObject([{ state: 'Next' }, { state: 'Next' }])
})

test('events may tie, and never go back', () => {
  const event = (at: number): string => JSON.stringify(emptyRecord(EngineEventSchema, { at_ns: at }))
  const read = (...moments: number[]) =>
    new RecordListReader('events', EngineEventSchema, 'at_ns').read([bytesOf(moments.map(event).join(','))])
  expect([...read(1, 5, 5, 9).keys]).toEqual([1n, 5n, 5n, 9n])
  expect(() => read(5, 4)).toThrow('events, item 1: at_ns: got 4 after 5, expected events oldest first.')
})

test('null stands for no value wherever it comes, but not for an id', () => {
  const incident = JSON.stringify({
    ...emptyRecord(IncidentSchema, { id: 1 }),
    band: null,
    causes: null,
    affected_host_total: null,
  })
  const [record] = new RecordListReader('incidents', IncidentSchema).read([bytesOf(incident)]).records
  expect(record).toMatchObject({ band: '', causes: [], affected_host_total: Number.NaN })
})

test('shapes that the specification leaves open may be anything', () => {
  const [zone] = new RecordListReader('azs', ZoneSchema).read([
    bytesOf('{"id":3,"name":7,"racks_in_use":"all"}'),
  ]).records
  expect(zone).toMatchObject({ id: 3, name: '', power_draw_kw: Number.NaN, racks: [] })
  expect(
    new RecordListReader('hostPools', HostPoolSchema).read([bytesOf('{"id":3}')]).records[0],
  ).toMatchObject({
    id: 3,
  })
  expect(recordReader(DiagnosticsSchema)('{"up":true}')).toMatchObject({ counts: { hosts: Number.NaN } })
  const cable = JSON.stringify({
    ...emptyRecord(CableSchema, { id: 1 }),
    a: { host: 4 },
    b: 'rack 7',
    path: [{ Ladder: 'x' }],
  })
  expect(new RecordListReader('cables', CableSchema).read([bytesOf(cable)]).records[0]).toMatchObject({
    a: { device_kind: '', device_id: null },
    b: null,
    path: [{ Ladder: 'x' }],
  })
})

test.each([
  ['with ids that a double holds', 1n],
  ['with wide ids', 9007199254740993n],
])('1,000 hosts %s are read promptly', (_what, firstId) => {
  const reader = new RecordListReader('hosts', HostSchema)
  const listAt = (step: number): Buffer => {
    const hosts = Array.from({ length: 1000 }, (_, i) =>
      jsonReference({ ...busyHost(i), id: firstId + BigInt(i), power_on_hours: step }),
    )
    return bytesOf(hosts.join(','))
  }
  const lists = [0, 1, 2].map(listAt)
  reader.read([lists[0]])
  reader.read([lists[1]])
  const beganMs = performance.now()
  expect(reader.read([lists[2]]).changed).toBe(1000)
  expect(performance.now() - beganMs).toBeLessThan(promptlyMs)
})
