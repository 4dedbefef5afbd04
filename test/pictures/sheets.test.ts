/** Pictures of a rack, of power and cooling, of an incident, and what holds for every later one. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { pictureNames as allPictures } from '../../src/tables/drawings/pictures.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { collections } from '../../src/contract/collections.ts'
import type { PortRecord } from '../../src/contract/collections.ts'
import { PortSchema } from '../../src/contract/records/shared.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { crisisSnapshot, frameOf, quietSnapshot, worldOf } from '../tables/framed-worlds.ts'
import { forbiddenIn, overlapping, shapesOf } from './drawn-shapes.ts'
import type { Shape } from './drawn-shapes.ts'
import { countedWorld, drawn, hostRecord, rackRecord, worldWith, zoneRecord } from './drawings.ts'

const nameIn = (title: string): string => title.split(' · ')[0]
const textsIn = (svg: string): readonly string[] =>
  shapesOf(svg)
    .filter(({ name }) => name === 'text')
    .map(({ text }) => text)
/** The boxes of devices in the picture of a rack, by their width: that of the front, or of the back. */
const devicesIn = (svg: string, width = 310): readonly Shape[] =>
  shapesOf(svg).filter(({ name, boxes }) => name === 'rect' && boxes[0].width === width)

/** Those of the floor and of the network have tests of their own, and other sizes. */
const pictureNames = allPictures.filter((name) => name !== 'floor' && name !== 'network')

test('docs/pictures.md has a row for each picture', () => {
  const rows = readFileSync('docs/pictures.md', 'utf8').matchAll(/^\| `\/pictures\/([\w-]+)\.svg` \|/gm)
  expect(Array.from(rows, ([, name]) => name).toSorted()).toEqual(allPictures.toSorted())
})

describe.each([
  ['quiet', quietSnapshot],
  ['in a crisis', crisisSnapshot],
] as const)('a world that is %s', (_name, snapshot) => {
  let world: TableWorld

  beforeAll(() => {
    world = worldOf(frameOf(snapshot()))
  })

  test.each(pictureNames)('%s: sound in all themes, the same each time, and below 60 kB', (name) => {
    const svg = drawn(name, world)
    expect(drawn(name, worldOf(frameOf(snapshot())))).toBe(svg)
    for (const theme of ['dark', 'light', 'neutral'] as const)
      expect(forbiddenIn(drawn(name, world, { theme }))).toEqual([])
    expect(Buffer.byteLength(svg)).toBeLessThan(60_000)
  })

  test('a rack has every device once at its front, and once at its back, at its units', () => {
    const { hosts, switches, gateways, appliances, azs } = snapshot().collections
    const devices = [...hosts, ...switches, ...gateways, ...appliances]
    for (const { rack, zone } of azs.flatMap((zone) => zone.racks.map((rack) => ({ rack, zone })))) {
      const own = devices.filter(({ rack_id }) => String(rack_id) === String(rack.id))
      const svg = drawn('rack', world, { filters: { rack: String(rack.id) } })
      const shapes = devicesIn(svg)
      expect(overlapping(shapes.flatMap(({ boxes }) => boxes))).toEqual([])
      const boxes = new Map(shapes.map(({ titles, boxes: [box] }) => [nameIn(titles[0]), box]))
      for (const { display_name_plain: name, start_u: unit, u_size: size } of own) {
        const { y, height } = boxes.get(name)!
        // A unit is 16 pixels high, with a pixel of space above and below; the lowest ends where the cabinet does.
        const bottom = 70 + rack.u_size * 16
        expect([name, bottom - (y + height + 1), height]).toEqual([name, (unit! - 1) * 16, size * 16 - 2])
      }
      expect([...boxes.keys()].filter((name) => !name.startsWith('patch panel in '))).toHaveLength(own.length)
      const farEnds = [...svg.matchAll(/>→ ([^<]*)</g)].map(([, text]) => text)
      expect(farEnds.length).toBeGreaterThan(0)
      expect(farEnds.filter((text) => text.includes(`${zone.name}-`))).toEqual([])
      const backs = devicesIn(svg, 192)
      expect(overlapping([...shapes, ...backs].flatMap((shape) => shape.boxes))).toEqual([])
      expect(backs.map(({ titles, boxes: [box] }) => [titles[0], box.y, box.height])).toEqual(
        shapes.map(({ titles, boxes: [box] }) => [titles[0], box.y, box.height]),
      )
    }
  })

  test('power has every rack, every feed and every cooling unit once', () => {
    const svg = drawn('power', world)
    const titles = shapesOf(svg)
      .filter(({ name }) => name === 'title')
      .map(({ text }) => nameIn(text))
    const { azs } = snapshot().collections
    const racks = azs.flatMap((zone) => zone.racks.map(({ name }) => `Rack ${name}`))
    expect(titles.filter((title) => title.startsWith('Rack ')).toSorted()).toEqual(racks.toSorted())
    for (const { name } of azs.flatMap((zone) => zone.cooling_units))
      expect(titles.filter((title) => title.startsWith(`${name}: `))).toHaveLength(1)
    const feeds = textsIn(svg).filter((text) => /^Feed [AB]$/.test(text))
    expect(feeds).toHaveLength(azs.flatMap((zone) => zone.power_feeds).length)
  })
})

describe('an incident', () => {
  test('has its cause, its place and those who are hit, and the devices of others recede', () => {
    const { incidents, hosts } = crisisSnapshot().collections
    const incident = incidents.find(({ affected_host_ids: ids }) => ids.length > 0 && ids.length < 20)!
    const world = worldOf(frameOf(crisisSnapshot()))
    const svg = drawn('incident', world, { filters: { incident: String(incident.id) } })
    const texts = textsIn(svg)
    expect(texts).toContain(`#${incident.id}`)
    expect(texts.filter((text) => /^(?:Cause, |Where$|Who is hit$)/.test(text))).toHaveLength(3)
    expect(shapesOf(svg).find(({ name }) => name === 'title')!.text).not.toBe('')
    expect(hosts.length).toBeGreaterThan(incident.affected_host_ids.length)
  })

  test('that is nowhere is said to be nowhere, and none is open in a quiet world', () => {
    const quiet = worldWith({ azs: [zoneRecord({})] })
    expect(textsIn(drawn('incident', quiet))).toEqual(['No incident is open.'])
    const world = worldOf(frameOf(crisisSnapshot()))
    expect(textsIn(drawn('incident', world, { filters: { incident: '999999' } }))).toEqual([
      'There is no such incident.',
    ])
  })
})

describe('power and cooling', () => {
  const feed = { id: 1, capacity_kw: 10, load_kw: 3, load_pct: 30 }
  const unit = { id: 1, name: 'za-crac1', capacity_kw: 10, load_kw: 5, condition_pct: 100 }
  const zone = zoneRecord({
    racks: [rackRecord({ power_feeds: 1 })],
    power_draw_kw: 3,
    cooling_load_kw: 8,
    cooling_capacity_kw: 10,
    power_feeds: [
      { ...feed, feed: 'A', powered: false },
      { ...feed, feed: 'B', powered: true },
    ],
    cooling_units: [
      { ...unit, working: true },
      { ...unit, id: 2, name: 'za-crac2', working: false },
    ],
  })
  const svg = drawn('power', worldWith({ azs: [zone] }))

  test('tell what would follow if one more failed', () => {
    const texts = textsIn(svg)
    for (const text of ['It has failed.', 'down', 'stopped', '50 %', '30 %']) expect(texts).toContain(text)
    expect(texts).toContainEqual(expect.stringMatching(/^If it fails: /))
    expect(texts).toContainEqual(expect.stringMatching(/^If one fails: No other unit runs/))
  })

  test.each([
    [8, 'No cooling unit works: the zone heats up.'],
    [0, 'No cooling unit works.'],
  ])('say where no cooling unit is left of %i kW of heat', (cooling_load_kw, text) => {
    const stopped = zoneRecord({ ...zone, cooling_load_kw, cooling_units: [{ ...unit, working: false }] })
    expect(textsIn(drawn('power', worldWith({ azs: [stopped] })))).toContain(text)
  })

  test('a feed without voltage is dashed, and no rack is fed by it', () => {
    const dashed = shapesOf(svg).filter(({ attributes }) => attributes['stroke-dasharray'] === '5 4')
    expect(dashed.map(({ attributes }) => attributes['stroke'])).toEqual(['#D55E00'])
    const drops = shapesOf(svg).filter(({ attributes }) => attributes['stroke-width'] === '1.2')
    expect(drops.map(({ attributes }) => attributes['d'].match(/M/g)!.length)).toEqual([1])
  })
})

describe('the back of a rack', () => {
  const feed = { id: 1, capacity_kw: 10, load_kw: 3, load_pct: 30, powered: true }
  const port = (given: Partial<PortRecord>): PortRecord =>
    emptyRecord(PortSchema, { link: 'Up', state: 'Connected', active: true, cable_ids: [1], ...given })
  const toSwitch = { device_kind: 'Switch', device_id: 9, port_id: 1, port_index: 0, label: 's1 1' } as const
  const hosts = [
    hostRecord({ id: 1, display_name_plain: 'on both', start_u: 1, ports: [port({ peer: toSwitch })] }),
    hostRecord({ id: 2, display_name_plain: 'on one', start_u: 2, power_feeds: 1 }),
    hostRecord({ id: 3, display_name_plain: 'dark', start_u: 3, power_feeds: 0 }),
    hostRecord({
      id: 4,
      display_name_plain: 'cut',
      start_u: 4,
      ports: [port({ peer: toSwitch, link: 'Down', state: 'NoLight' }), port({ cable_ids: [], peer: null })],
    }),
  ]
  const switches = [
    emptyRecord(collections.switches, {
      id: 9,
      display_name_plain: 's1',
      role: 'edge',
      rack_id: 1,
      az_id: 1,
      start_u: 42,
      u_size: 1,
      power_feeds: 2,
      powered: true,
      inv_status: 'Installed',
    }),
  ]
  const svgWith = (isLive: boolean): string => {
    const power_feeds = [
      { ...feed, feed: 'A' as const, powered: isLive },
      { ...feed, feed: 'B' as const },
    ]
    return drawn(
      'rack',
      worldWith({ azs: [zoneRecord({ racks: [rackRecord({})], power_feeds })], hosts, switches }),
    )
  }
  /** The inlets of a device: filled, unclear or crossed out. */
  const inletsOf = (svg: string, name: string): readonly string[] =>
    shapesOf(svg)
      .filter(({ titles }) => titles[0] !== undefined && nameIn(titles[0]) === name)
      .flatMap(({ name: kind, boxes: [box], attributes }) => {
        if (kind === 'rect' && box.width === 8) return attributes['fill'] === 'none' ? ['unclear'] : ['live']
        const isCross = kind === 'path' && /^M3\d\d?(?:\.\d)? |^M4[0-4]\d/.test(attributes['d'] ?? '')
        return isCross && attributes['stroke'] === '#D55E00' ? ['dead'] : []
      })

  test.each([
    ['on both', ['live', 'live'], ['dead', 'live']],
    ['on one', ['unclear', 'unclear'], ['dead', 'live']],
    ['dark', ['dead', 'dead'], ['dead', 'dead']],
    ['s1', ['live', 'live'], ['dead', 'live']],
  ])('the inlets of %s, with two feeds and with one', (name, both, one) => {
    expect(inletsOf(svgWith(true), name)).toEqual(both)
    expect(inletsOf(svgWith(false), name)).toEqual(one)
  })

  test('a cable without light is dashed and crossed out, another one is not', () => {
    const svg = svgWith(true)
    const cables = shapesOf(svg).filter(({ attributes }) => attributes['stroke-width'] === '1.4')
    expect(cables.map(({ attributes }) => attributes['stroke-dasharray']).filter(Boolean)).toEqual(['3 3'])
    expect(forbiddenIn(svg)).toEqual([])
  })
})

test('the rack in the worst state is drawn where none is asked for, with the facts that fit', () => {
  const racks = [rackRecord({ id: 1, name: 'A-01' }), rackRecord({ id: 2, name: 'A-02', power_feeds: 1 })]
  const world = worldWith({ azs: [zoneRecord({ racks })] })
  expect(drawn('rack', world, { size: { width: 180, height: 600 } })).toMatch(/ A-02,.*>0 of 0 hosts online</)
  expect(drawn('rack', world, { filters: { rack: 'A-01' } })).toContain('<title>Rack A-01, Zone A</title>')
})

test.each(pictureNames)('%s: hostile names stay names', (picture) => {
  for (const name of [
    '<script>alert(1)</script>',
    `'"><a href='javascript:alert(1)'>x`,
    '\u202eevil\0\u2028\ud800&amp;]]>',
    'x'.repeat(10_000),
  ]) {
    const zone = zoneRecord({
      name,
      display_name: name,
      status: name as 'Healthy',
      racks: [rackRecord({ name, host_count: 1 })],
      cooling_units: [{ id: 1, name, capacity_kw: 10, load_kw: 5, condition_pct: 100, working: true }],
    })
    const host = hostRecord({ display_name_plain: name })
    for (const isLinked of [true, false]) {
      const svg = drawn(picture, worldWith({ azs: [zone], hosts: [host] }), { isLinked })
      expect(forbiddenIn(svg)).toEqual([])
      expect(svg).not.toMatch(/[\p{Cc}\p{Cs}\u202e\u2028]/u)
    }
  }
})

test.each([
  ['nothing', 0, 0, 0, 10],
  ['300 zones', 300, 3, 8, 120],
  ['no device', 3, 0, 4, 30],
  ['1,000 hosts', 4, 18, 14, 120],
  ['10,000 hosts', 5, 103, 20, 250],
  ['50,000 hosts', 12, 210, 20, 300],
  ['racks without end', 1, 20_000, 1, 300],
])('%s', (_name, zones, racks, hosts, kilobytes) => {
  const world = countedWorld(zones, racks, hosts)
  for (const picture of pictureNames)
    for (const isLinked of [true, false]) {
      const svg = drawn(picture, world, { isLinked })
      expect(forbiddenIn(svg)).toEqual([])
      expect([picture, Buffer.byteLength(svg) / 1000 < kilobytes]).toEqual([picture, true])
    }
})
