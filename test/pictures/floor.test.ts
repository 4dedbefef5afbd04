import { beforeAll, describe, expect, test } from 'vitest'
import { dataAddress } from '../../src/pictures/svg.ts'
import { IncidentSchema } from '../../src/contract/records/operations.ts'
import { pictureNames } from '../../src/tables/drawings/pictures.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { crisisSnapshot, frameOf, quietSnapshot, worldOf } from '../tables/framed-worlds.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { forbiddenIn, isWithin, overlapping, shapesOf } from './drawn-shapes.ts'
import type { Box, Shape } from './drawn-shapes.ts'
import { drawn, hostRecord, rackRecord, worldWith, zoneRecord } from './drawings.ts'

/** The frames of racks: boxes with the color of cabinets, by the name at the beginning of their title. */
const cabinets = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter(({ name, attributes }) => name === 'rect' && attributes['fill'] === '#0a0e13')
const rooms = (shapes: readonly Shape[]): readonly Box[] =>
  shapes
    .filter(({ name, attributes }) => name === 'rect' && attributes['fill'] === '#171f29')
    .flatMap(({ boxes }) => boxes)
/** The areas over devices, which have the device's own title. */
const areas = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter(({ name, attributes }) => name === 'path' && attributes['fill-opacity'] === '0')
const nameIn = (title: string): string => title.split(' · ')[0]

describe.each([
  ['quiet', quietSnapshot],
  ['in a crisis', crisisSnapshot],
] as const)('the floor of a world that is %s', (_name, snapshot) => {
  let world: TableWorld
  let shapes: readonly Shape[]
  let svg: string

  beforeAll(() => {
    world = worldOf(frameOf(snapshot()))
    svg = drawn('floor', world)
    shapes = shapesOf(svg)
  })

  test('has every rack once, in the room of its zone', () => {
    const names = cabinets(shapes).map(({ titles }) => nameIn(titles[0]))
    const zones = snapshot().collections.azs
    expect(names.toSorted()).toEqual(
      zones.flatMap(({ racks }) => racks.map(({ name }) => `Rack ${name}`)).toSorted(),
    )
    const found = rooms(shapes)
    expect(found).toHaveLength(zones.length)
    for (const [index, zone] of zones.entries()) {
      const inside = cabinets(shapes).filter(({ boxes }) => isWithin(boxes[0], found[index]))
      expect(inside.map(({ titles }) => nameIn(titles[0])).toSorted()).toEqual(
        zone.racks.map(({ name }) => `Rack ${name}`).toSorted(),
      )
    }
  })

  test('has every device once, at its units of its rack', () => {
    const { hosts, switches, gateways, appliances, patchPanels, azs } = snapshot().collections
    const devices = [...hosts, ...switches, ...gateways, ...appliances]
    const drawnAreas = areas(shapes)
    const byName = new Map(drawnAreas.map((shape) => [nameIn(shape.titles[0]), shape.boxes[0]]))
    const names = drawnAreas.map(({ titles }) => nameIn(titles[0]))
    const isPanel = (name: string) => name.startsWith('patch panel in ')
    expect(names.filter(isPanel)).toHaveLength(patchPanels.length)
    expect(names.filter((name) => !isPanel(name)).toSorted()).toEqual(
      devices.map(({ display_name_plain }) => display_name_plain).toSorted(),
    )
    const frames = cabinets(shapes)
    for (const zone of azs) {
      for (const rack of zone.racks) {
        const own = devices.filter(({ rack_id }) => String(rack_id) === String(rack.id))
        const [first] = own
        if (first === undefined) continue
        const frame = frames.find(({ boxes }) => isWithin(byName.get(first.display_name_plain)!, boxes[0]))!
        expect(nameIn(frame.titles[0])).toBe(`Rack ${rack.name}`)
        const [{ y, height }] = frame.boxes
        for (const { display_name_plain: name, start_u: unit, u_size: size } of own) {
          const box = byName.get(name)!
          const middle = y + height * (1 - (unit! - 1 + size / 2) / rack.u_size)
          expect([name, Math.abs(box.y + box.height / 2 - middle) < 0.6]).toEqual([name, true])
        }
      }
    }
  })

  test('has neither racks nor devices over each other, and nothing outside of it', () => {
    expect(overlapping(rooms(shapes))).toEqual([])
    expect(overlapping(cabinets(shapes).flatMap(({ boxes }) => boxes))).toEqual([])
    expect(overlapping(areas(shapes).flatMap(({ boxes }) => boxes))).toEqual([])
    expect(forbiddenIn(svg)).toEqual([])
  })

  test('is the same each time, in all themes, and below 60 kB', () => {
    expect(drawn('floor', worldOf(frameOf(snapshot())))).toBe(svg)
    for (const theme of ['light', 'neutral'] as const)
      expect(forbiddenIn(drawn('floor', world, { theme }))).toEqual([])
    expect(Buffer.byteLength(svg)).toBeLessThan(60_000)
  })

  test('fits into the style sheet of a background', () => {
    const background = drawn('floor', world, { theme: 'neutral', isLinked: false })
    const address = dataAddress(background)
    expect(address).toMatch(/^data:image\/svg\+xml;utf8,%3Csvg xmlns='http:\/\//)
    expect(address).not.toMatch(/[#<>"\\\r\n]/)
    expect(decodeURIComponent(address.slice('data:image/svg+xml;utf8,'.length))).toBe(background)
    expect(background).not.toContain('<a ')
  })
})

test('every picture says of which moment it is', () => {
  const snapshot = { ...crisisSnapshot(), simTimeNs: 3_600_000_000_000n * 51n + 7n * 60_000_000_000n }
  const world = worldOf(frameOf(snapshot))
  for (const name of pictureNames)
    expect([name, drawn(name, world).includes('>day 2, 03:07</text>')]).toEqual([name, true])
})

test('an incident of several zones has its number in each of them', () => {
  const zones = [1, 2, 3].map((id) =>
    zoneRecord({ id, name: `z${id}`, display_name: `Zone ${id}`, racks: [] }),
  )
  const named = [1, 2].map((id) => ({ key: 'zone', text: `Zone ${id}`, number: id, is_number: false }))
  const incident = emptyRecord(IncidentSchema, { id: 4, band: 'Critical', symptom_msg_args: named })
  const svg = drawn('floor', worldWith({ azs: zones, incidents: [incident] }))
  expect(svg.match(/>#4</g)).toHaveLength(2)
})

test('draws the zones that are asked for', () => {
  const world = worldOf(frameOf(crisisSnapshot()))
  const [one] = crisisSnapshot().collections.azs
  for (const zone of [one.name, one.display_name, String(one.id)]) {
    const svg = drawn('floor', world, { filters: { zone } })
    expect(svg).toContain(`<title>Floor of ${one.display_name}</title>`)
    expect(rooms(shapesOf(svg))).toHaveLength(1)
  }
  expect(drawn('floor', world, { filters: { zone: 'nowhere' } })).toContain('There are no zones here.')
})

describe('the look of a device', () => {
  const hosts = [
    hostRecord({ id: 1, display_name_plain: 'sound', start_u: 1 }),
    hostRecord({ id: 2, display_name_plain: 'dead', start_u: 3, online: false }),
    hostRecord({ id: 3, display_name_plain: 'hot', start_u: 5, contention_state: 'Starved' }),
    hostRecord({ id: 4, display_name_plain: 'on one feed', start_u: 7, power_feeds: 1 }),
    hostRecord({ id: 5, display_name_plain: 'tall', start_u: 40, u_size: 9 }),
  ]
  const looksIn = (world: TableWorld, name: string) => {
    const shapes = shapesOf(drawn('floor', world))
    const area = areas(shapes).find(({ titles }) => nameIn(titles[0]) === name)
    if (area === undefined) return null
    return shapes
      .filter(
        ({ name: kind, attributes, boxes, titles }) =>
          kind === 'path' &&
          attributes['fill-opacity'] !== '0' &&
          titles.length > 0 &&
          boxes.some((box) => isWithin(box, area.boxes[0]) && box.height === area.boxes[0].height),
      )
      .map(({ attributes }) => [attributes['fill'], attributes['opacity'] ?? '1'])
  }
  const zone = (rack = rackRecord({ host_count: 5, hosts_online: 4 })) =>
    zoneRecord({ racks: [rack], host_count: 5, hosts_online: 4 })
  const world = worldWith({ azs: [zone()], hosts })

  test.each([
    [
      'sound',
      [
        ['#009E73', '0.36'],
        ['#009E73', '1'],
      ],
    ],
    ['dead', [['url(#down)', '1']]],
    [
      'hot',
      [
        ['#E69F00', '0.45'],
        ['#E69F00', '1'],
      ],
    ],
    [
      'on one feed',
      [
        ['#F0E442', '0.45'],
        ['#F0E442', '1'],
      ],
    ],
    ['tall', null],
  ])('%s', (name, looks) => {
    expect(looksIn(world, name)).toEqual(looks)
  })

  test('is that of a sound one where its whole rack is on one feed', () => {
    const oneFeed = worldWith({
      azs: [zone(rackRecord({ power_feeds: 1, host_count: 5, hosts_online: 4 }))],
      hosts,
    })
    expect(looksIn(oneFeed, 'on one feed')).toEqual([
      ['#009E73', '0.36'],
      ['#009E73', '1'],
    ])
    expect(drawn('floor', oneFeed)).toContain('1 feed')
  })
})

test('a zone without other trouble names the network devices that are down', () => {
  const { collections, ...others } = quietSnapshot()
  const gateways = collections.gateways.map((one, index) =>
    index === 0 ? { ...one, inv_status: 'Failed' as const } : one,
  )
  const svg = drawn('floor', worldOf(frameOf({ ...others, collections: { ...collections, gateways } })))
  const gateway = gateways[0].display_name_plain.split('-').at(-1)
  expect(shapesOf(svg).map(({ text }) => text)).toContain(`${gateway}: down`)
})

test('a rack without power says so in a word that fits', () => {
  const zone = zoneRecord({
    racks: Array.from({ length: 12 }, (_, index) => rackRecord({ id: index + 1, power_feeds: 0 })),
  })
  const texts = shapesOf(drawn('floor', worldWith({ azs: [zone, { ...zone, id: 2 }] }))).map(
    ({ text }) => text,
  )
  expect(texts).toContain('off')
  expect(texts.filter((text) => /^no p?…/.test(text))).toEqual([])
})

describe('worlds of every size', () => {
  test('hosts without racks are squares in the room of their zone', () => {
    const hosts = [
      hostRecord({ id: 1, rack_id: null, start_u: null }),
      hostRecord({ id: 2, rack_id: null, start_u: null, online: false }),
    ]
    const svg = drawn('floor', worldWith({ azs: [zoneRecord({ host_count: 2, hosts_online: 1 })], hosts }))
    const fills = shapesOf(svg)
      .filter(({ boxes, titles }) => boxes[0]?.width === 15 && titles.length === 1)
      .map(({ attributes }) => attributes['fill'])
    expect(fills).toEqual(['#009E73', '#D55E00'])
    expect(forbiddenIn(svg)).toEqual([])
  })
})

test('a reading that is not known is not drawn as being well', () => {
  const zone = zoneRecord({
    status: '' as 'Healthy',
    racks: [rackRecord({ inlet_celsius: 1e308, power_draw_kw: 1e308 })],
  })
  const svg = drawn('floor', worldWith({ azs: [zone] }))
  expect(svg).toContain('>unknown<')
  expect(svg).not.toContain('>healthy<')
  expect(forbiddenIn(svg)).toEqual([])
  expect(svg.includes('1e308')).toBe(false)
})
