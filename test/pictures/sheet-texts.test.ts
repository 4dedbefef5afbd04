/** Texts, titles and addresses in the pictures of the floor, of a rack, of power and of an incident. */
import { describe, expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type {
  CollectionName,
  Collections,
  IncidentRecord,
  ZoneRecord,
} from '../../src/contract/collections.ts'
import { devicesOf, heightOf } from '../../src/tables/drawings/floor.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import type { PictureName } from '../../src/tables/drawings/pictures.ts'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { drawn, hostRecord, rackRecord, worldWith, zoneRecord } from './drawings.ts'
import { shapesOf } from './drawn-shapes.ts'

const reviewed = reviewedTexts(new URL('./sheet-texts/', import.meta.url))
/** The texts of the usual world, in lines: titles have an @ before them. */
const usualTexts = (picture: PictureName): readonly string[] => reviewed.text(picture).trimEnd().split('\n')

const record = <C extends CollectionName>(name: C, given: Partial<Collections[C][number]>) =>
  emptyRecord(collections[name], given as never) as unknown as Collections[C][number]

const feed = { capacity_kw: 10, load_kw: 3, powered: true }
const unit = { capacity_kw: 10, load_kw: 5, condition_pct: 100, working: true }

const zone: ZoneRecord = zoneRecord({
  racks: [
    rackRecord({
      id: 1,
      host_count: 2,
      hosts_online: 1,
      used_u: 4,
      power_draw_kw: 4.26,
      inlet_celsius: 23.4,
    }),
    rackRecord({ id: 2, name: 'A-10', power_feeds: 1, inlet_celsius: 33 }),
    rackRecord({ id: 3, name: 'A-9', host_count: 1, hosts_online: 1 }),
  ],
  host_count: 3,
  hosts_online: 2,
  customer_count: 1,
  wan_ingress_gbps: 12,
  wan_egress_gbps: 34,
  wan_capacity_gbps: 40,
  used_millivcpu: 5000,
  physical_vcpu: 20,
  power_draw_kw: 12.6,
  power_capacity_kw: 20,
  power_redundant: true,
  cooling_load_kw: 8,
  cooling_capacity_kw: 18,
  inlet_celsius: 23.6,
  pue: 1.234,
  power_feeds: [
    { ...feed, id: 1, feed: 'A', load_pct: 31 },
    { ...feed, id: 2, feed: 'B', load_pct: 62.4 },
  ],
  cooling_units: [
    { ...unit, id: 1, name: 'za-crac1' },
    { ...unit, id: 2, name: 'za-crac2', capacity_kw: 8 },
  ],
})

const hosts = [
  hostRecord({ id: 1, display_name_plain: 'za-h1', start_u: 1, u_size: 2, power_feeds: 1 }),
  hostRecord({ id: 2, display_name_plain: 'over h1', start_u: 2 }),
  hostRecord({ id: 3, display_name_plain: 'za-h3', start_u: 42, online: false }),
  hostRecord({ id: 4, display_name_plain: 'too high', rack_id: 3, start_u: 42, u_size: 2 }),
  hostRecord({ id: 5, display_name_plain: 'too low', rack_id: 3, start_u: 0 }),
  hostRecord({ id: 6, display_name_plain: 'za-h6', rack_id: 2, power_feeds: 1, physical_vcpu: 0 }),
]
const edge = {
  id: 9,
  display_name_plain: 'za-s1',
  role: 'edge',
  rack_id: 1,
  az_id: 1,
  start_u: 10,
  u_size: 1,
  power_feeds: 2,
  powered: true,
  indicator: 'Green',
  inv_status: 'Installed',
  condition_pct: 100,
  fabric_capacity_gbps: 10,
  fabric_load_gbps: 4,
} as const

interface Wish {
  readonly zone?: Partial<ZoneRecord>
  readonly edge?: Partial<Collections['switches'][number]>
  readonly incidents?: IncidentRecord[]
  readonly filters?: Readonly<Record<string, string>>
}

const incident = (id: number, given: Partial<IncidentRecord>): IncidentRecord =>
  record('incidents', { id, band: 'Minor', symptom_kind: 'HighLatency', started_at_ns: 10, ...given })
/** An argument of a message that names an entity. */
const naming = (key: 'zone' | 'switch' | 'host', number: number, text = '') => [
  { key, text, number, is_number: false },
]

const worldOfWish = (wish: Wish): TableWorld =>
  worldWith({
    azs: [{ ...zone, ...wish.zone }, zoneRecord({ id: 2, name: 'zb', display_name: 'Zone B' })],
    hosts,
    switches: [record('switches', { ...edge, ...wish.edge })],
    customers: ['Anvil', 'Birch', 'Clover', 'Dale'].map((name, index) =>
      record('customers', { id: index + 1, name }),
    ),
    incidents: wish.incidents ?? [],
  })

const svgOf = (picture: PictureName, wish: Wish, isLinked = true): string =>
  drawn(picture, worldOfWish(wish), { filters: wish.filters ?? {}, isLinked })

/** Texts, and titles with an @ before them. */
const textsOf = (svg: string): readonly string[] =>
  shapesOf(svg).flatMap(({ name, text }) => (name === 'title' ? [`@${text}`] : name === 'text' ? [text] : []))
const hrefsOf = (svg: string): readonly string[] =>
  Array.from(svg.matchAll(/href='([^']+)'/g), ([, href]) => href)

const ofZoneA = { filters: { zone: 'za' } }
const pictures: [PictureName, Wish, readonly string[]][] = [
  [
    'floor',
    ofZoneA,
    [
      '../tables/zones?zone=1 ../tables/rack?rack=1 ../tables/device?device=za-s1',
      '../tables/host?host=1 ../tables/host?host=3 ../tables/rack?rack=3 ../tables/rack?rack=2',
      '../tables/host?host=6',
    ].flatMap((line) => line.split(' ')),
  ],
  [
    'rack',
    { filters: { rack: 'A-01' } },
    ['../tables/device?device=za-s1', '../tables/host?host=1', '../tables/host?host=3'],
  ],
  ['power', ofZoneA, ['../tables/rack?rack=1', '../tables/rack?rack=3', '../tables/rack?rack=2']],
]

test.each(pictures)('%s', (picture, wish, hrefs) => {
  const svg = svgOf(picture, wish)
  const texts = usualTexts(picture)
  expect(textsOf(svg)).toEqual(texts)
  expect(hrefsOf(svg)).toEqual(hrefs)
  const background = svgOf(picture, wish, false)
  expect(hrefsOf(background)).toEqual([])
  expect(textsOf(background)).toEqual(texts.filter((text) => !text.includes(' · ') || !text.startsWith('@')))
})

/** The texts that the picture has beside those of the usual world, and those that it lacks. */
function differing(picture: PictureName, wish: Wish): readonly string[] {
  const [, usual] = pictures.find(([name]) => name === picture)!
  const texts = usualTexts(picture)
  const own = textsOf(svgOf(picture, { ...usual, ...wish }))
  const [more, fewer] = [
    own.filter((text) => !texts.includes(text)),
    texts.filter((text) => !own.includes(text)),
  ]
  return [...more, ...fewer.map((text) => `no longer ${text}`)]
}

describe('the floor', () => {
  test.each<[string, Wish]>([
    ['without readings', { zone: { pue: null, physical_vcpu: 0 } }],
    ['with more traffic inwards', { zone: { wan_ingress_gbps: 38 } }],
    [
      'with a dead feed',
      { zone: { power_feeds: [{ ...feed, id: 1, feed: 'A', powered: false, load_pct: 0 }] } },
    ],
    [
      'with a stopped unit',
      { zone: { cooling_units: zone.cooling_units.map((own) => ({ ...own, working: own.id !== 1 })) } },
    ],
    ['with a switch that is down', { edge: { inv_status: 'Failed' } }],
    ['of an impaired zone without name', { zone: { display_name: '', status: 'Impaired' } }],
    [
      'with incidents',
      {
        incidents: [
          incident(1, { rack_id: 1 }),
          incident(2, { band: 'Critical', rack_id: 1 }),
          incident(3, { band: 'Watch', rack_id: 2 }),
          incident(4, { affected_host_ids: [6] }),
          incident(5, { symptom_msg_args: naming('zone', 1) }),
          incident(6, { symptom_msg_args: naming('host', 1) }),
        ],
      },
    ],
  ])('%s', (name, wish) => {
    expect(differing('floor', wish)).toEqual(reviewed.blocks('floor-changes').get(name))
  })
})

test.each([
  [0, 42],
  [1, 1],
  [100, 100],
  [101, 42],
])('a rack of %d units is drawn with %d', (u_size, units) => {
  expect(heightOf(rackRecord({ u_size }))).toBe(units)
})

test.each([
  [1_000, true],
  [1_001, false],
])('of a floor of %d racks, each leads to its table: %j', (count, doesLead) => {
  const racks = Array.from({ length: count }, (_, index) => rackRecord({ id: index + 1, name: `A-${index}` }))
  const svg = drawn('floor', worldWith({ azs: [zoneRecord({ racks })] }))
  expect(hrefsOf(svg).includes('../tables/rack?rack=1')).toBe(doesLead)
})

describe('power', () => {
  test.each<[string, Wish]>([
    [
      'with a dead feed',
      { zone: { power_feeds: [{ ...feed, id: 1, feed: 'A', powered: false, load_pct: 0 }] } },
    ],
    [
      'without the largest unit',
      {
        zone: {
          cooling_units: [
            { ...unit, id: 1, name: 'za-crac1', working: false },
            { ...unit, id: 2, name: 'za-crac2', capacity_kw: 8 },
          ],
        },
      },
    ],
    ['without units', { zone: { cooling_units: [] } }],
  ])('%s', (name, wish) => {
    expect(differing('power', wish)).toEqual(reviewed.blocks('power-changes').get(name))
  })
})

describe('an incident', () => {
  /** Up to the picture of its place, and the title of that. */
  const incidentTexts = (given: Partial<IncidentRecord>): readonly string[] => {
    const texts = textsOf(svgOf('incident', { incidents: [incident(1, given)] }))
    return texts.slice(2, texts.findIndex((text) => /^@(?:Floor|Network)/.test(text)) + 1)
  }
  test.each<[string, Partial<IncidentRecord>]>([
    ['of nothing', {}],
    ['of three customers', { affected_customer_ids: [1, 2, 3], revenue_at_risk_per_hour_dollars: 1 }],
    ['of four customers', { affected_customer_ids: [1, 2, 3, 4] }],
    ['of a rack, with a hint', { rack_id: 1, hint: 'Look at the fan.' }],
    ['of a host', { affected_host_ids: [6], affected_host_total: 1 }],
    [
      'of two hosts',
      {
        affected_host_ids: [1, 6],
        affected_host_total: 2,
        confirmed: true,
        root_kind: 'HostFailed' as never,
      },
    ],
    ['of a zone', { symptom_msg_args: naming('zone', 2) }],
    ['of a switch', { symptom_msg_args: naming('switch', 9) }],
    ['of a switch and a host', { symptom_msg_args: naming('switch', 9), root_msg_args: naming('host', 1) }],
    ['of an unknown switch', { root_msg_args: naming('switch', 8) }],
    ['of a flood', { symptom_kind: 'TrafficFlood' }],
    ['of an attack', { root_kind: 'Attack' }],
  ])('%s', (name, given) => {
    expect(incidentTexts(given)).toEqual(reviewed.blocks('incident').get(name))
  })
})

test.each<[string[] | undefined, readonly string[]]>([
  [undefined, []],
  [[], []],
  [['1'], ['za-s1', 'za-h3']],
  [['9'], ['za-s1', 'za-h1', 'za-h3']],
])('in a picture about the hosts %j other devices recede', (ids, names) => {
  const world = worldOfWish({})
  const emphasized = ids === undefined ? {} : { emphasized: new Set(ids) }
  const request = { filters: new Map(), isLinked: true, size: null, ...emphasized }
  const devices = devicesOf({ rack: zone.racks[0], zone }, 42, world, request)
  expect(devices.map(({ name, kind }) => `${name} ${kind}`).toSorted()).toEqual([
    'za-h1 host',
    'za-h3 host',
    'za-s1 network',
  ])
  expect(devices.filter(({ recedes }) => recedes).map(({ name }) => name)).toEqual(names)
})
