import { expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { CollectionName } from '../../src/contract/collections.ts'
import type { RecordType } from '../../src/contract/fields.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { CableSchema } from '../../src/contract/records/network.ts'
import { EngineEventSchema, IncidentSchema, QuestSchema } from '../../src/contract/records/operations.ts'
import { ZoneSchema } from '../../src/contract/records/facility.ts'
import { HostSchema, HostPoolSchema } from '../../src/contract/records/hosts.ts'
import { unknownList } from '../../src/contract/records/unknown.ts'
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
  const noText = readQuests(item.replace('"state":"Next"', '"state":9007199254740993'))
  expect(noText.records).toMatchObject([{ id: 1, state: '', unlock_step: 2 ** 53 }])
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

const title = { key: 'a', text: 'b', number: 1, is_number: true }
test.each([
  ['text for a number', '"unlock_step":0', '"unlock_step":"0"', { unlock_step: Number.NaN }],
  ['a fraction for an integer', '"unlock_step":0', '"unlock_step":0.5', { unlock_step: Number.NaN }],
  ['a missing number', '"unlock_step":0,', '', { unlock_step: Number.NaN }],
  ['a missing text', '"state":"Next",', '', { state: '' }],
  ['an object for a list', '"title_args":[]', '"title_args":{}', { title_args: unknownList }],
  [
    'items of other types',
    '"title_args":[]',
    `"title_args":[7,${JSON.stringify(title)},null]`,
    { title_args: [title] },
  ],
  [
    'a number too large within a list',
    '"title_args":[]',
    `"title_args":[${JSON.stringify(title).replace('1,', '1e999,')}]`,
    { title_args: [{ ...title, number: Number.NaN }] },
  ],
])('%s is unknown', (_what, from, to, fields) => {
  const item = quest(1).replace(from, to)
  const list = readQuests(`${quest(5)},${item}`)
  const [, whole] = readQuests(`${quest(5)},${quest(1)}`).records
  expect(list.records[1]).toEqual({ ...whole, ...fields })
  expect([written(list).items[1], list.leftOut]).toEqual([item, new Map()])
})

test.each([
  ['an id beyond 64 bits', quest('9223372036854775808'), 'no_id'],
  ['an endless id', quest('1'.repeat(400)), 'no_id'],
  ['a negative id', quest(-1), 'no_id'],
  ['a fraction', quest('1.5'), 'no_id'],
  ['text', quest('"1"'), 'no_id'],
  ['null', quest('null'), 'no_id'],
  ['no fields', '{}', 'no_id'],
  ['a number', '7', 'no_object'],
  ['a list', '[{"id":3}]', 'no_object'],
  ['null', 'null', 'no_object'],
  ['the id of another', quest(4).replace('Next', 'Done'), 'same_id'],
])('an item with %s is left out and counted: %s is %s', (_what, item, reason) => {
  const reader = new RecordListReader('quests', QuestSchema)
  for (const state of ['Next', 'Now']) {
    const first = quest(4).replace('Next', state)
    const list = reader.read([bytesOf([first, item, quest(2), item].join(','))])
    expect(written(list)).toEqual({ json: `${first},${quest(2)}`, items: [first, quest(2)], ids: [4n, 2n] })
    expect(list.records).toMatchObject([{ id: 4, state }, { id: 2 }])
    expect(list.leftOut).toEqual(new Map([[reason, 2]]))
  }
  expect(reader.read([bytesOf(quest(4))]).leftOut).toEqual(new Map())
})

test.each([
  ['a comma too many', `${quest(1)},`, 'item 1: is missing after a comma.'],
  ['no comma', `${quest(1)} ${quest(2)}`, 'item 0: is not followed by a comma.'],
  ['a torn end', quest(1).slice(0, -1), 'item 0: does not end, or nests more than 64 levels.'],
  ['a torn string', quest(1).slice(0, -3), 'item 0: does not end, or nests more than 64 levels.'],
  ['what is not JSON', quest(1).replace('"Next"', 'Next'), 'item 0: is not JSON: Unexpected token'],
])('refuses %s', (_what, text, complaint) => {
  expect(() => readQuests(text)).toThrow(`quests, ${complaint}`)
})

test('starts over after a refusal', () => {
  const reader = new RecordListReader('quests', QuestSchema)
  const both = `${quest(1)},${quest(2)}`
  const first = reader.read([bytesOf(both)])
  const refused = both.replace('"Next"', '"Done"').replace('"id":2', '"id":2x')
  expect(() => reader.read([bytesOf(refused)])).toThrow('quests, item 1: is not JSON')
  const again = reader.read([bytesOf(both)])
  expect(again.changed).toBe(2)
  expect(written(again)).toEqual(written(first))
  expect(again.records).toMatchObject([{ state: 'Next' }, { state: 'Next' }])
})

test('a number that gets more digits is left out all the same', () => {
  const reader = new RecordListReader('quests', QuestSchema)
  for (const item of ['7', '77', '7.5']) {
    const list = reader.read([bytesOf(`${item},${quest(1)}`)])
    expect([written(list).ids, list.leftOut]).toEqual([[1n], new Map([['no_object', 1]])])
  }
})

test('events are put in order of time, and may tie', () => {
  const event = (at: number | null, msg = ''): string =>
    JSON.stringify(emptyRecord(EngineEventSchema, { at_ns: at!, msg_key: msg }))
  const read = (...events: string[]) =>
    new RecordListReader('events', EngineEventSchema, 'at_ns').read([bytesOf(events.join(','))])
  expect([...read(event(1), event(5), event(5), event(9)).keys]).toEqual([1n, 5n, 5n, 9n])
  const newestFirst = read(event(9), event(5, 'B'), event(5, 'A'), event(1))
  expect(written(newestFirst)).toMatchObject({
    items: [event(1), event(5, 'B'), event(5, 'A'), event(9)],
    ids: [1n, 5n, 5n, 9n],
  })
  expect(newestFirst.records).toMatchObject([{ at_ns: 1 }, { msg_key: 'B' }, { msg_key: 'A' }, { at_ns: 9 }])
  expect(read(event(null), event(1), event(-1)).leftOut).toEqual(new Map([['no_id', 2]]))
})

test('null stands for no value wherever it comes', () => {
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
  expect(zone).toMatchObject({ id: 3, name: 'zone 3', power_draw_kw: Number.NaN, racks: [] })
  expect(
    new RecordListReader('hostPools', HostPoolSchema).read([bytesOf('{"id":3}')]).records[0],
  ).toMatchObject({ id: 3 })
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
