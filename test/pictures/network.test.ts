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
