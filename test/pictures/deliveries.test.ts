/** Deliveries on their way, in the rooms of the floor. */
import { expect, test } from 'vitest'
import type { EventRecord } from '../../src/contract/collections.ts'
import { EngineEventSchema } from '../../src/contract/records/operations.ts'
import { TableMaker } from '../../src/tables/thread/table-maker.ts'
import { deliveriesText } from '../../src/tables/drawings/deliveries.ts'
import { ArchiveHere, FeedSource } from '../archive/archived-world.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, rowsNamed, worldOf } from '../tables/framed-worlds.ts'
import { drawn, rackRecord, zoneRecord } from './drawings.ts'
import { forbiddenIn, shapesOf } from './drawn-shapes.ts'

const hourNs = 3_600_000_000_000n
const pool = '3 × R2 for Web in Zone A'

function event(
  hour: number,
  kind: EventRecord['kind'],
  key: string,
  what: string,
  days: number,
): EventRecord {
  const argument = (name: string, text: string, number = 0, is_number = false) => ({
    key: name,
    text,
    number,
    is_number,
  })
  return emptyRecord(EngineEventSchema, {
    at_ns: BigInt(hour) * hourNs,
    kind,
    msg_key: `event.capacity-${key}`,
    msg_args: [argument('what', what), argument('days', String(days), days, true)],
  })
}
const ordered = (hour: number, what: string, days: number) =>
  event(hour, 'CapacityOrdered', 'ordered', what, days)
const delivered = (hour: number, what: string) => event(hour, 'CapacityDelivered', 'delivered', what, 2)
const added = (hour: number, what: string) => event(hour, 'CapacityAdded', 'added', what, 2)

const racksOf = (zone: number) =>
  Array.from({ length: 8 }, (_, index) => rackRecord({ id: 10 * zone + index, name: `A-0${index + 1}` }))
const azs = [
  zoneRecord({ id: 1, display_name: 'Zone A', racks: racksOf(1) }),
  zoneRecord({ id: 2, name: 'zb', display_name: 'Zone B', racks: racksOf(2) }),
]
const frameWith = (events: EventRecord[], hour = 24) =>
  frameOf(snapshotWith({ azs }, { simTimeNs: BigInt(hour) * hourNs, events }))

/** The texts beside crates. */
const shownIn = (svg: string): readonly string[] =>
  shapesOf(svg)
    .filter(({ name, text }) => name === 'text' && /: 3 ×|deliveries|installed/.test(text))
    .map(({ text }) => text)

test.each<[string, EventRecord[], readonly string[]]>([
  ['one order', [ordered(0, pool, 3)], ['in 2 d: 3 × R2 for Web']],
  [
    'several, the next of which is told',
    [ordered(0, pool, 3), ordered(12, 'a cooling unit of 20 kW for Zone A', 1)],
    ['2 deliveries, the next in 12 h'],
  ],
  [
    'two orders of the same, of which one is here',
    [ordered(0, pool, 3), ordered(1, pool, 3), delivered(5, pool)],
    ['in 2 d 1 h: 3 × R2 for Web · 1 being installed'],
  ],
  ['a delivery whose order is not known', [delivered(5, pool)], ['1 being installed']],
  ['what is in service', [ordered(0, pool, 1), delivered(5, pool), added(6, pool)], []],
  ['a technician', [event(0, 'CapacityOrdered', 'not', 'a technician for Zone A', 3)], []],
  ['an order for an unknown place', [ordered(0, 'a switch', 3)], []],
  ['one of a time that is no time', [ordered(0, pool, -1)], []],
  ['one that takes 27 years', [ordered(0, pool, 9_999)], ['in 9998 d: 3 × R2 for Web']],
  ['one that takes more', [ordered(0, pool, 10_000)], []],
  ['one of a day and a half, which is rounded', [ordered(0, pool, 1.5)], ['in 1 d: 3 × R2 for Web']],
  ['one that is due', [ordered(0, pool, 1)], ['due now: 3 × R2 for Web']],
  ['one at once', [ordered(0, pool, 0)], ['due now: 3 × R2 for Web']],
  [
    'several here, of which one is in service',
    [ordered(0, pool, 3), ordered(1, pool, 3), delivered(5, pool), delivered(6, pool), added(7, pool)],
    ['1 being installed'],
  ],
  [
    'the one that is here is in service, not the one on its way',
    [ordered(0, pool, 3), ordered(1, pool, 4), delivered(5, pool), added(7, pool)],
    ['in 3 d 1 h: 3 × R2 for Web'],
  ],
  ['one in service whose delivery was missed', [ordered(0, pool, 3), added(7, pool)], []],
  ['one in service that is not known', [added(7, pool)], []],
])('%s', (_, events, shown) => {
  const svg = drawn('floor', worldOf(frameWith(events)))
  expect(shownIn(svg)).toEqual(shown)
  expect(forbiddenIn(svg)).toEqual([])
})

test('a room in trouble leaves out what does not fit beside its deliveries, and cuts nothing', () => {
  const troubled = [1, 2, 3].map((id) =>
    zoneRecord({
      id,
      name: `z${id}`,
      display_name: `Zone ${id}`,
      racks: racksOf(id),
      host_count: 40,
      hosts_online: 40,
      customer_count: 20,
      dropped_gbps: 0.9,
      power_redundant: true,
    }),
  )
  const what = '3 × R2 for Web in Zone 1'
  const events = [ordered(0, what, 6), ordered(1, what, 7), ordered(2, what, 8)]
  const snapshot = snapshotWith({ azs: troubled }, { simTimeNs: 24n * hourNs, events })
  const texts = shapesOf(drawn('floor', worldOf(frameOf(snapshot)))).map(({ text }) => text)
  expect(texts).toContain('3 deliveries, the next in 5 d')
  expect(texts.filter((text) => text.startsWith('40 of 40'))).toContain('40 of 40 hosts')
  expect(texts.filter((text) => text.includes('…'))).toEqual([])
})

test('an order that should have come weeks ago is no longer shown', () => {
  const draw = (hour: number) => drawn('floor', worldOf(frameWith([ordered(0, pool, 1)], hour)))
  expect(shownIn(draw(24 * 14))).toEqual(['due now: 3 × R2 for Web'])
  expect(shownIn(draw(24 * 16))).toEqual([])
})

test('an order that is no longer in the frame comes from the archive', () => {
  const archive = new ArchiveHere()
  const order = ordered(0, pool, 3)
  archive.tell(new FeedSource('w1').at(1, { events: [order] }))
  const pictureWith = (archive: ArchiveHere['archive'] | null) => {
    const maker = new TableMaker({ archive })
    maker.show(frameWith([]))
    const bytes = maker.make({
      table: 'pictures',
      format: 'document',
      filters: new Map([['picture', ['floor']]]),
      sort: null,
      offset: 0,
      limit: 1,
    })
    expect(String(bytes)).toContain("href='../tables/zones?zone=1'")
    return shownIn(String(bytes))
  }
  expect(pictureWith(archive.archive)).toEqual(['in 2 d: 3 × R2 for Web'])
  expect(pictureWith(null)).toEqual([])
})

const here = { what: pool, zoneId: '1', dueNs: 0n, isHere: true }
const due = (hour: number, what = pool) => ({
  what,
  zoneId: '1',
  dueNs: BigInt(hour) * hourNs,
  isHere: false,
})

test.each([
  ['none', [], '', ''],
  ['one', [due(72)], 'in 2 d: 3 × R2 for Web', 'in 2 d: 3 × R2 for Web'],
  ['one of now', [due(24)], 'due now: 3 × R2 for Web', 'due now: 3 × R2 for Web'],
  ['one of an hour later', [due(25)], 'in 1 h: 3 × R2 for Web', 'in 1 h: 3 × R2 for Web'],
  ['one here', [here], '1 being installed', 'being installed: 3 × R2 for Web'],
  [
    'three',
    [due(25), here, due(26, 'a fan of za')],
    '2 deliveries, the next in 1 h · 1 being installed',
    'in 1 h: 3 × R2 for Web · being installed: 3 × R2 for Web · in 2 h: a fan',
  ],
])('the texts of %s', (_, deliveries, text, summary) => {
  expect(deliveriesText(deliveries, azs[0], 24n * hourNs)).toEqual({ text, summary })
})

test('sizes are listed in one address, as dashboards ask for them', () => {
  const filters = new Map([
    ['picture', ['floor']],
    ['size', ['356x292,475x292,752x292']],
  ])
  const [{ image }] = rowsNamed('pictures', worldOf(frameWith([])), { filters })
  expect(
    Array.from(decodeURIComponent(String(image)).matchAll(/viewBox='0 0 (\d+) 292'/g), ([, width]) => width),
  ).toEqual(['356', '475', '752'])
})

test('pictures as rows have their address, with what is to be drawn', () => {
  const world = worldOf(frameWith([]))
  const rows = (filters: Readonly<Record<string, string[]>>) =>
    rowsNamed('pictures', world, { filters: new Map(Object.entries(filters)) })
  expect(rows({}).map(({ path }) => path)).toEqual(
    ['floor', 'network', 'power', 'rack', 'incident', 'cable'].map(
      (name) => `/pictures/${name}.svg?theme=neutral`,
    ),
  )
  const chosen = { picture: ['rack'], zone: ['Zone A', '2'], rack: ['A-01'], theme: ['DARK'] }
  const [row, ...more] = rows(chosen)
  expect(more).toEqual([])
  expect(row).toMatchObject({
    picture: 'rack',
    path: '/pictures/rack.svg?zone=Zone%20A&zone=2&rack=A-01&theme=dark',
  })
  expect(decodeURIComponent(String(row['image']))).toMatch(/ width='880' height='768'/)
  const [incident] = rows({ picture: ['incident'], incident: ['7'], theme: ['no such theme'] })
  expect(incident['path']).toBe('/pictures/incident.svg?incident=7&theme=neutral')
  const [floor] = rows({ picture: ['floor'] })
  expect(String(floor['image'])).not.toContain('href')
})
