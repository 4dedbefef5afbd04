import { beforeAll, describe, expect, test } from 'vitest'
import type { Row } from '../../src/tables/table.ts'
import { crisisSnapshot, frameOf, quietSnapshot, rowsNamed, worldOf } from './framed-worlds.ts'
import type { TableWorld } from '../../src/tables/table-world.ts'

const crisis = crisisSnapshot()

const tierNames = [
  'upstream',
  'gateway',
  'firewall',
  'core switch',
  'aggregation switch',
  'edge switch',
  'rack',
]

describe.each([
  ['small and quiet', quietSnapshot],
  ['of medium size in a crisis', () => crisis],
] as const)('the drawing of a network that is %s', (_name, snapshot) => {
  let world: TableWorld
  let nodes: readonly Row[]
  let links: readonly Row[]
  beforeAll(async () => {
    world = worldOf(frameOf(snapshot()))
    nodes = await rowsNamed('topology-nodes', world)
    links = await rowsNamed('topology-links', world)
  })

  test('has a node at both ends of every link, also of one zone alone', async () => {
    expect(links.length).toBeGreaterThan(nodes.length)
    for (const zone of [undefined, ...new Set(nodes.map((row) => String(row['zone'])))]) {
      const filters = new Map(zone === undefined ? [] : [['zone', [zone]]])
      const known = new Set((await rowsNamed('topology-nodes', world, { filters })).map(({ node }) => node))
      const ends = (await rowsNamed('topology-links', world, { filters })).flatMap((row) => [
        row['source'],
        row['target'],
      ])
      expect(ends.length).toBeGreaterThan(0)
      expect(ends.filter((end) => !known.has(end))).toEqual([])
    }
  })

  test('gives every node a key and a place of its own', () => {
    expect(new Set(nodes.map(({ node }) => node)).size).toBe(nodes.length)
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length)
  })

  test('has tiers from upstream at the top to racks at the bottom', () => {
    const heights = tierNames.map((name) => nodes.find(({ subtitle }) => subtitle === name)?.['y'])
    expect(heights).toEqual(heights.toSorted((one, other) => Number(one) - Number(other)))
    expect(new Set(heights).size).toBe(tierNames.length)
    const heightOf = new Map(nodes.map(({ node, y }) => [node, Number(y)]))
    const upward = links.filter(({ source, target }) => heightOf.get(source)! > heightOf.get(target)!)
    expect(upward).toEqual([])
  })

  test('fills the ring of each node', () => {
    const rings = nodes.map((node) =>
      Object.entries(node)
        .filter(([column]) => column.startsWith('ring_'))
        .reduce((sum, [, part]) => sum + Number(part), 0),
    )
    for (const ring of rings) expect(ring).toBeCloseTo(1, 9)
  })

  test('links devices and racks to pages with more about them', () => {
    const incomplete = nodes.filter(
      ({ leads_to: to, device, rack_id: rack }) =>
        (to === 'device') !== (device !== null) || (to === 'rack' && rack === null),
    )
    expect(incomplete).toEqual([])
  })
})

test('many devices of a tier are drawn as one node a row, with the state of the worst', async () => {
  const switches = crisis.collections.switches
  const edge = switches.find(({ role }) => role === 'edge')!
  const more = Array.from({ length: 40 }, (_, index) => ({
    ...edge,
    id: BigInt(5000 + index),
    display_name_plain: `extra-${index}`,
    powered: index !== 7,
  }))
  const world = worldOf(
    frameOf({ ...crisis, collections: { ...crisis.collections, switches: [...switches, ...more] } }),
  )
  const nodes = await rowsNamed('topology-nodes', world)
  const rows = nodes.filter(({ subtitle }) => /^\d+ edge switches$/.test(String(subtitle)))
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ leads_to: 'network', device: null, severity: 4, ring_critical: 1 })
  expect(rows[0]['state']).toMatch(/: no power$/)
})

test('a cut cable is dashed and colored as full', async () => {
  const world = worldOf(frameOf(crisis))
  const links = await rowsNamed('topology-links', world)
  const troubled = links.filter(({ severity }) => Number(severity) >= 3)
  expect(troubled.length).toBeGreaterThan(0)
  for (const link of troubled) expect(link).toMatchObject({ color_ratio: 1, dash: '6 4' })
  expect(links.some(({ dash }) => dash === '')).toBe(true)
})
