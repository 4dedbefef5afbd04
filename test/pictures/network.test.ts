import { beforeAll, describe, expect, test } from 'vitest'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { damagedFrame } from '../tables/damaged-frames.ts'
import { crisisSnapshot, frameOf, quietSnapshot, worldOf } from '../tables/framed-worlds.ts'
import { forbiddenIn, overlapping, shapesOf } from './drawn-shapes.ts'
import type { Shape } from './drawn-shapes.ts'
import { drawn } from './drawings.ts'

const nameIn = (title: string): string => title.split(' · ')[0]
const cards = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter(
    ({ name, attributes }) => name === 'rect' && attributes['rx'] === '4' && !('opacity' in attributes),
  )

describe.each([
  ['quiet', quietSnapshot],
  ['in a crisis', crisisSnapshot],
] as const)('the network of a world that is %s', (_name, snapshot) => {
  let world: TableWorld
  let svg: string
  let shapes: readonly Shape[]

  beforeAll(() => {
    world = worldOf(frameOf(snapshot()))
    svg = drawn('network', world)
    shapes = shapesOf(svg)
  })

  test('has a card for every gateway, appliance, switch and rack with hosts, and one for each upstream', () => {
    const { switches, gateways, appliances, azs } = snapshot().collections
    const devices = [...switches, ...gateways, ...appliances].map(
      ({ display_name_plain }) => display_name_plain,
    )
    const racks = azs.flatMap((zone) =>
      zone.racks.filter(({ host_count }) => host_count > 0).map(({ name }) => name),
    )
    const upstreams = azs.flatMap(({ id }) => {
      const ports = gateways.filter(({ az_id }) => az_id === id).flatMap((gateway) => gateway.ports)
      const lines = ports.filter(({ peer }) => peer?.device_kind === 'Upstream')
      return Array.from(new Set(lines.map(({ peer }) => peer!.label.replace(/ \S+$/, ''))))
    })
    expect(
      cards(shapes)
        .map(({ titles }) => nameIn(titles[0]))
        .toSorted(),
    ).toEqual([...devices, ...racks, ...upstreams].toSorted())
  })

  test('has no card over another, and nothing outside of it', () => {
    expect(overlapping(cards(shapes).flatMap(({ boxes }) => boxes))).toEqual([])
    expect(forbiddenIn(svg)).toEqual([])
    expect(Buffer.byteLength(svg)).toBeLessThan(64_000)
  })

  test('has tiers from the top down: upstreams, gateways, firewalls, cores, aggregation, edge, racks', () => {
    const topOf = (pattern: RegExp) =>
      new Set(
        cards(shapes)
          .filter(({ titles }) => pattern.test(titles[0]))
          .map(({ boxes }) => boxes[0].y),
      )
    const tops = [
      / upstream /,
      / gateway /,
      / firewall /,
      / core switch /,
      / aggregation switch /,
      / edge switch /,
      / rack /,
    ].map((pattern) => Array.from(topOf(pattern)))
    expect(tops.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1, 1])
    expect(tops.flat()).toEqual(tops.flat().toSorted((one, other) => one - other))
  })

  test('shows hosts in the picture of one zone, each once', () => {
    const [zone] = snapshot().collections.azs
    const one = drawn('network', world, { filters: { zone: zone.name } })
    expect(forbiddenIn(one)).toEqual([])
    const titles = shapesOf(one)
      .filter(({ name }) => name === 'title')
      .map(({ text }) => nameIn(text))
    const hosts = snapshot().collections.hosts.filter(({ az_id }) => az_id === zone.id)
    for (const { display_name_plain: name } of hosts)
      expect([name, titles.filter((title) => title === name)]).toEqual([name, [name]])
  })
})

test('a switch that is down is marked, as are its links', () => {
  const { collections } = crisisSnapshot()
  const core = collections.switches.find(({ role }) => role === 'core')!
  const switches = collections.switches.map((one) =>
    one === core
      ? {
          ...one,
          inv_status: 'Failed' as const,
          ports: one.ports.map((port) => ({ ...port, link: 'Down' as const, state: 'NoLight' as const })),
        }
      : one,
  )
  const svg = drawn(
    'network',
    worldOf(frameOf({ ...crisisSnapshot(), collections: { ...collections, switches } })),
  )
  const card = cards(shapesOf(svg)).find(({ titles }) => nameIn(titles[0]) === core.display_name_plain)!
  expect(card.attributes['stroke']).toBe('#D55E00')
  expect(card.titles[0]).toContain('down')
  const cut = shapesOf(svg).filter(
    ({ name, attributes }) => name === 'g' && attributes['stroke-dasharray'] === '5 4',
  )
  expect(cut.map(({ attributes }) => attributes['stroke'])).toEqual(['#D55E00'])
})

test('lines to upstream of a gateway that announces no routes are barred, and no others', () => {
  const { collections, ...others } = quietSnapshot()
  const bars = (withdrawn: number): number => {
    const gateways = collections.gateways.map((one, index) =>
      index < withdrawn ? { ...one, bgp_advertising: false } : one,
    )
    const svg = drawn('network', worldOf(frameOf({ ...others, collections: { ...collections, gateways } })))
    expect(forbiddenIn(svg)).toEqual([])
    return shapesOf(svg)
      .filter(({ attributes }) => attributes['stroke-dasharray'] === '2 6')
      .reduce((sum, { attributes }) => sum + attributes['d'].match(/M/g)!.length, 0)
  }
  const [gateway] = collections.gateways
  const carriers = new Set(
    gateway.ports.flatMap(({ peer }) => (peer?.device_kind === 'Upstream' ? [peer.device_id] : [])),
  )
  expect(carriers.size).toBeGreaterThan(0)
  // The legend has one.
  expect([bars(0), bars(1)]).toEqual([1, 1 + carriers.size])
})

test('hostile traffic that a gateway lets through is dotted on its lines, and none is where it is stopped', () => {
  const { collections, ...others } = quietSnapshot()
  const dotted = (residual: number): number => {
    const threat = { ...collections.gateways[0].threats[0], reaching: 10, mitigated: 10 - residual, residual }
    const gateways = collections.gateways.map((one, index) =>
      index === 0 ? { ...one, threats: [{ ...threat, defense_capable: false, capacity: 100 }] } : one,
    )
    const svg = drawn('network', worldOf(frameOf({ ...others, collections: { ...collections, gateways } })))
    return shapesOf(svg).filter(
      ({ name, attributes }) => name === 'g' && attributes['stroke-dasharray'] === '.1 5',
    ).length
  }
  expect([dotted(0), dotted(8)]).toEqual([0, 1])
})

test('the header of a zone names lost power first, then its gateway that is down, not the carriers behind it', () => {
  const { collections, ...others } = quietSnapshot()
  const gateways = collections.gateways.map((one, index) => ({
    ...one,
    inv_status: index === 0 ? ('Failed' as const) : one.inv_status,
    ports: one.ports.map((port) => ({ ...port, link: 'Down' as const, state: 'NoLight' as const })),
  }))
  const header = (azs: typeof collections.azs): string[] =>
    shapesOf(
      drawn('network', worldOf(frameOf({ ...others, collections: { ...collections, azs, gateways } }))),
    )
      .filter(({ name }) => name === 'text')
      .map(({ text }) => text)
      .filter((text) => /: down|no line|no voltage/.test(text))
  const gateway = gateways[0].display_name_plain.split('-').at(-1)!
  expect(header(collections.azs)[0]).toMatch(new RegExp(`^${gateway}: down`))
  const dark = collections.azs.map((zone) =>
    Object.assign({}, zone, { power_feeds: zone.power_feeds.map((feed) => ({ ...feed, powered: false })) }),
  )
  expect(header(dark)[0]).toMatch(/^power feed A has no voltage, power/)
})

test('a link whose capacity is not known is thin and dashed', () => {
  const frame = damagedFrame(frameOf(crisisSnapshot()), ['switches'], (value, path) =>
    path.endsWith('.link_capacity_gbps') ? null : value,
  )
  const svg = drawn('network', worldOf(frame))
  expect(forbiddenIn(svg)).toEqual([])
  const unknown = shapesOf(svg).filter(
    ({ name, attributes }) => name === 'g' && attributes['stroke-dasharray'] === '2 2',
  )
  expect(unknown.map(({ attributes }) => attributes['stroke-width'])).toEqual(['4'])
})

test('the color of hostile traffic is in the legend alone while there is none', () => {
  const { collections, ...others } = quietSnapshot()
  const unattacked = <D extends { threats: unknown }>(devices: readonly D[]) =>
    devices.map((one) => ({ ...one, threats: [] }))
  const svg = drawn(
    'network',
    worldOf(
      frameOf({
        ...others,
        collections: {
          ...collections,
          gateways: unattacked(collections.gateways),
          appliances: unattacked(collections.appliances),
        },
      }),
    ),
  )
  expect(svg.match(/#CC79A7/g)).toHaveLength(1)
})
