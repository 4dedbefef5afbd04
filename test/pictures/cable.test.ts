/** A cable from a port to its far end. */
import { describe, expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { Collections } from '../../src/contract/collections.ts'
import { PortSchema } from '../../src/contract/records/shared.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { drawn, hostRecord, rackRecord, worldWith, zoneRecord } from './drawings.ts'
import { forbiddenIn, shapesOf } from './drawn-shapes.ts'

type Cable = Partial<Collections['cables'][number]>
type Port = Partial<Collections['hosts'][number]['ports'][number]>

const [atHost, atSwitch] = [
  { device_kind: 'Host', device_id: 1, port_id: 11 },
  { device_kind: 'Switch', device_id: 9, port_id: 91 },
] as const
const port = (given: Port) =>
  emptyRecord(PortSchema, {
    link: 'Up',
    state: 'Connected',
    link_capacity_gbps: 10,
    cable_ids: [5],
    ...given,
  })

const wayInTrays: Collections['cables'][number]['path'] = [
  { Port: 11 },
  { Tray: 3 },
  { PatchPanel: 7 },
  { Port: 91 },
]

function svgOf(
  filters: Record<string, string>,
  cable: Cable | null = {},
  hostPort: Port = {},
  isLinked = true,
) {
  const peer = { ...atSwitch, port_index: 0, label: 's1 up1' }
  const near = port({
    port_id: 11,
    label: 'eth0',
    gbps_tx: 1.25,
    gbps_rx: 0.5,
    peer,
    error_count: 3,
    ...hostPort,
  })
  const given = {
    id: 5,
    kind: 'Fiber',
    color: 'aqua',
    length_m: 4,
    a: atHost,
    b: atSwitch,
    path: wayInTrays,
  } as const
  const world = worldWith({
    azs: [zoneRecord({ racks: [rackRecord({})] })],
    hosts: [hostRecord({ ports: [near, port({ port_id: 12, label: 'eth1', cable_ids: [] })] })],
    switches: [
      emptyRecord(collections.switches, {
        id: 9,
        display_name_plain: 's1',
        rack_id: 1,
        start_u: 42,
        ports: [port({ port_id: 91, label: 'up1' })],
      }),
    ],
    patchPanels: [emptyRecord(collections.patchPanels, { id: 7, rack_id: 1, start_u: 40 })],
    cables:
      cable === null ? [] : [emptyRecord(collections.cables, { ...given, dangling_end: null, ...cable })],
  })
  const svg = drawn('cable', world, { filters, isLinked })
  expect(forbiddenIn(svg)).toEqual([])
  return svg
}

const textsIn = (svg: string): readonly string[] =>
  shapesOf(svg).flatMap(({ name, text }) =>
    name === 'text' && !/^(?:warning|serious|down|unknown|day .*)$/.test(text) ? [text] : [],
  )

const nearLines = [
  'Host, Zone A, rack A-01, U1',
  'h1 eth0',
  'Up; load 12.5 % of 10 Gbit/s',
  '3 frames lost, 0 flaps',
]
const farLines = [
  'Switch, Zone A, rack A-01, U42',
  's1 up1',
  'Up; load 0 % of 10 Gbit/s',
  '0 frames lost, 0 flaps',
]

describe('from a host', () => {
  test('both ends, the way and the traffic in both directions', () => {
    const svg = svgOf({ host: 'h1' })
    const middle = ['tray 3', 'patch panel in A-01, U40', '1.3 Gbit/s →', '← 0.5 Gbit/s']
    expect(textsIn(svg)).toEqual([
      'h1 eth0 – s1 up1',
      'up',
      'fiber · aqua · 4 m',
      ...middle,
      ...nearLines,
      ...farLines,
    ])
    expect(Array.from(svg.matchAll(/href='([^']+)'/g), ([, href]) => href)).toEqual([
      '../tables/host?host=1',
      '../tables/device?device=s1',
    ])
    expect(svgOf({ host: 'h1' }, {}, {}, false)).not.toContain('href')
  })

  test.each<[string, Cable | null, Port, readonly string[]]>([
    ['cut', { is_failed: true }, {}, ['cut', 'fiber · aqua · 4 m · where it is broken is unknown']],
    [
      'without light',
      {},
      { state: 'NoLight', media: 'Fiber' },
      ['no light', 'No light; load 12.5 % of 10 Gbit/s'],
    ],
    ['with a way that is unknown', { path: [] }, {}, ['its way is unknown']],
    ['that hangs free', { path: [], is_draped: true }, {}, ['hangs free, in no tray']],
    [
      'without a record',
      null,
      {},
      ['The game reports nothing of the cable.', 'its way is unknown', ...farLines],
    ],
    [
      'that dangles',
      { b: null, dangling_end: 'B' },
      {},
      ['not plugged in', 'The game reports no more of this end.'],
    ],
    ['to a line of a carrier', { b: { ...atSwitch, device_kind: 'Upstream' } }, {}, ['Upstream', 's1 up1']],
  ])('%s', (_, cable, hostPort, texts) => {
    expect(textsIn(svgOf({ host: 'h1' }, cable, hostPort))).toEqual(expect.arrayContaining([...texts]))
  })
})

test('a cable that is cut is dashed, and another one whole', () => {
  const dashesOf = (is_failed: boolean) =>
    shapesOf(svgOf({ cable: '5' }, { is_failed })).flatMap(({ attributes }) =>
      attributes['stroke-width'] === '5' ? [attributes['stroke-dasharray']] : [],
    )
  expect([dashesOf(true), dashesOf(false)]).toEqual([['9 7'], [undefined]])
})

test.each<[Record<string, string>, string]>([
  [{ port: '11' }, 'h1 eth0 – s1 up1'],
  [{ port: '91' }, 's1 up1 – h1 eth0'],
  [{ device: 's1' }, 's1 up1 – h1 eth0'],
  [{ device: 's1', port: '11' }, 's1 up1 – h1 eth0'],
  [{ device: 's1', port: 'up1' }, 's1 up1 – h1 eth0'],
  [{ host: 'h1', port: '12' }, 'Nothing is plugged into h1 eth1.'],
  [{ device: 'none' }, 'There is no such device.'],
  [{ cable: '6' }, 'There is no such cable.'],
])('%j: %s', (filters, text) => {
  expect(textsIn(svgOf(filters))[0]).toBe(text)
})
