/** Titles and addresses of cards, links and headers in the picture of the network. */
import { expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { CollectionName, Collections, PortRecord, ThreatRecord } from '../../src/contract/collections.ts'
import { PortSchema, ThreatSchema } from '../../src/contract/records/shared.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'
import { drawn, hostRecord, rackRecord, worldWith, zoneRecord } from './drawings.ts'
import { shapesOf } from './drawn-shapes.ts'

type Given<C extends CollectionName> = Partial<Collections[C][number]>
const record = <C extends CollectionName>(name: C, given: Given<C>) =>
  emptyRecord(collections[name], given as never) as unknown as Collections[C][number]

const sound = {
  rack_id: 1,
  az_id: 1,
  powered: true,
  power_feeds: 2,
  inv_status: 'Installed',
  indicator: 'Green',
  fabric_capacity_gbps: 100,
  fabric_load_gbps: 25,
} as const

type Kind = NonNullable<PortRecord['peer']>['device_kind']
const port = (kind: Kind, id: number, given: Partial<PortRecord> = {}, label = ''): PortRecord =>
  emptyRecord(PortSchema, {
    link: 'Up',
    state: 'Connected',
    link_capacity_gbps: 10,
    gbps_tx: 1,
    gbps_rx: 2,
    cable_ids: [1],
    peer: { device_kind: kind, device_id: id, port_id: 1, port_index: 0, label },
    ...given,
  })
const down = { link: 'Down', state: 'NoLight' } as const

const threat = (given: Partial<ThreatRecord>): ThreatRecord =>
  emptyRecord(ThreatSchema, {
    label: 'flood',
    reaching: 10,
    mitigated: 10,
    residual: 0,
    capacity: 100,
    defense_capable: true,
    ...given,
  })

interface Wish {
  readonly carrier?: Partial<PortRecord>
  readonly secondLine?: Partial<PortRecord>
  readonly gateway?: Given<'gateways'>
  readonly firewall?: Given<'appliances'>
  readonly balancer?: Given<'appliances'>
  readonly uplink?: Partial<PortRecord>
  readonly host?: Given<'hosts'>
  readonly zone?: Partial<Collections['azs'][number]>
  readonly rack?: Partial<ReturnType<typeof rackRecord>>
}

/** A zone with a line of devices from a carrier down to a host, and a load balancer beside the core. */
const listsOf = (wish: Wish): Partial<Collections> => ({
  azs: [
    zoneRecord({
      racks: [rackRecord({ id: 1, host_count: 2, hosts_online: 1, ...wish.rack })],
      host_count: 2,
      ...wish.zone,
    }),
  ],
  gateways: [
    record('gateways', {
      ...sound,
      id: 1,
      display_name_plain: 'za-gw1',
      bgp_capable: true,
      bgp_advertising: true,
      ports: [
        port('Upstream', 7, wish.carrier, 'Carrier East 1'),
        port('Upstream', 7, wish.secondLine, 'Carrier East 2'),
        port('Appliance', 1),
      ],
      ...wish.gateway,
    }),
  ],
  appliances: [
    record('appliances', {
      ...sound,
      id: 1,
      display_name_plain: 'za-fw1',
      appliance_kind: 'Firewall',
      ports: [port('Gateway', 1), port('Switch', 1)],
      ...wish.firewall,
    }),
    record('appliances', {
      ...sound,
      id: 2,
      display_name_plain: 'za-lb1',
      appliance_kind: 'LoadBalancer',
      ports: [port('Switch', 1)],
      ...wish.balancer,
    }),
  ],
  switches: [
    record('switches', {
      ...sound,
      id: 1,
      display_name_plain: 'za-core1',
      role: 'core',
      condition_pct: 100,
      ports: [port('Appliance', 1), port('Switch', 2), port('Appliance', 2)],
    }),
    record('switches', {
      ...sound,
      id: 2,
      display_name_plain: 'za-edge1',
      role: 'edge',
      condition_pct: 100,
      ports: [port('Switch', 1, { gbps_tx: 3, gbps_rx: 4, ...wish.uplink }), port('Host', 1)],
    }),
  ],
  hosts: [hostRecord({ id: 1, display_name_plain: 'za-h1', ports: [port('Switch', 2)], ...wish.host })],
})

const svgOf = (wish: Wish, filters = {}, isLinked = true): string =>
  drawn('network', worldWith(listsOf(wish)), { filters, isLinked })

const titlesOf = (svg: string): readonly string[] =>
  shapesOf(svg)
    .filter(({ name }) => name === 'title')
    .map(({ text }) => text)

test('every card says its kind, its state unless it is in order, and its load; every link its load', () => {
  expect(titlesOf(svgOf({}))).toEqual(
    [
      'Network of Zone A, Zone A · healthy, Carrier East – gw1 · 20 %, fw1 – core1 · 20 %',
      'core1 – edge1 · 40 %, edge1 – A-01 · 20 %, gw1 – fw1 · 20 %, core1 – lb1 · 20 %',
      'Carrier East · upstream · 4 Gbit/s · 20 %, za-gw1 · gateway · 25 Gbit/s · 25 %',
      'za-fw1 · firewall · 25 Gbit/s · 25 %, za-core1 · core switch · 25 Gbit/s · 25 %',
      'za-lb1 · load balancer · 25 Gbit/s · 25 %, za-edge1 · edge switch · 25 Gbit/s · 25 %',
      'A-01 · rack · 1 host offline · 1 of 2 hosts · 50 %, za-h1 · in order · 50 %, Legend',
    ].flatMap((line) => line.split(', ')),
  )
})

test('the color of hostile traffic is in the legend alone while there is none', () => {
  expect(svgOf({}).match(/#CC79A7/g)).toHaveLength(1)
})

/** The colors of the lines with these dashes. */
const linesOf = (wish: Wish, dashes: string): readonly string[] =>
  shapesOf(svgOf(wish))
    .filter(({ attributes }) => attributes['stroke-dasharray'] === dashes)
    .map(({ attributes }) => attributes['stroke'])

test.each<[string, string, Wish, number, string]>([
  ['cut where it is down', '5 4', { uplink: down }, 0, '#D55E00'],
  ['barred where no routes are announced', '2 6', { gateway: { bgp_advertising: false } }, 1, '#D55E00'],
  [
    'dotted where attacks get past',
    '.1 5',
    { gateway: { threats: [threat({ residual: 8 })] } },
    1,
    '#CC79A7',
  ],
])('a link is %s, not counting the legend', (_, dashes, wish, inLegend, color) => {
  expect(linesOf({}, dashes)).toEqual(Array(inLegend).fill(color))
  expect(linesOf(wish, dashes)).toEqual(Array(inLegend + 1).fill(color))
})

test('a card is framed in the color of what is wrong with it', () => {
  const frameOf = (wish: Wish) =>
    shapesOf(svgOf(wish)).flatMap(({ name, attributes: { rx, stroke, 'stroke-width': width }, titles }) =>
      name === 'rect' && rx === '4' && titles[0].startsWith('za-fw1 ') ? [stroke, width] : [],
    )
  expect(frameOf({})).toEqual(['#475260', undefined])
  expect(frameOf({ firewall: { inv_status: 'Failed' } })).toEqual(['#D55E00', '1.8'])
})

test('cards lead to tables', () => {
  const hrefs = Array.from(svgOf({}).matchAll(/href='([^']+)'/g), ([, href]) => href)
  expect(hrefs).toEqual(
    [
      '../tables/zones?zone=1 ../tables/zones?zone=1 ../tables/device?device=za-gw1',
      '../tables/device?device=za-fw1 ../tables/device?device=za-core1',
      '../tables/device?device=za-lb1 ../tables/device?device=za-edge1 ../tables/rack?rack=1',
      '../tables/host?host=1',
    ].flatMap((line) => line.split(' ')),
  )
})

test('a background has neither titles nor addresses', () => {
  const svg = svgOf({}, {}, false)
  expect(titlesOf(svg)).toEqual(['Network of Zone A', 'Legend'])
  expect(svg).not.toContain('href')
})

/** The titles that a change of the usual zone brings; without a block, none. */
const changes = reviewedTexts(new URL('./sheet-texts/', import.meta.url)).blocks('network-changes')
const usual = titlesOf(svgOf({}))
/** The titles that are not those of the usual zone. */
const differing = (wish: Wish): readonly string[] =>
  titlesOf(svgOf(wish)).filter((title) => !usual.includes(title))

const firewallWith = (...threats: ThreatRecord[]): Wish => ({ firewall: { threats } })
const stopped = (mitigated: number, given: Partial<ThreatRecord> = {}): ThreatRecord =>
  threat({ reaching: mitigated, mitigated, ...given })
const deadFeed = { id: 1, feed: 'A', powered: false, capacity_kw: 1, load_kw: 0, load_pct: 0 } as const

test.each<[string, Wish]>([
  ['a carrier with a line down', { carrier: down }],
  ['a carrier without a line', { carrier: down, secondLine: down }],
  ['a gateway through which attacks get', { gateway: { threats: [threat({ residual: 8, mitigated: 2 })] } }],
  ['a firewall below a quarter of its capacity', firewallWith(stopped(24))],
  ['a firewall at a quarter of it', firewallWith(stopped(25))],
  ['a device that is no defense', firewallWith(stopped(80, { defense_capable: false }))],
  [
    'one that lets a twentieth through',
    firewallWith(threat({ defense_capable: false, reaching: 100, mitigated: 95, residual: 5 })),
  ],
  [
    'one that lets more through',
    firewallWith(threat({ defense_capable: false, reaching: 100, mitigated: 94, residual: 6 })),
  ],
  ['a threat that does not arrive', firewallWith(threat({ reaching: 0, residual: 1 }))],
  [
    'the attack of which more gets through',
    firewallWith(
      threat({ reaching: 100, residual: 20, mitigated: 80 }),
      threat({ label: 'worse', reaching: 10, residual: 5, mitigated: 5 }),
    ),
  ],
  ['a host that is down', { host: { online: false } }],
  ['a host on one feed', { host: { power_feeds: 1 } }],
  ['a host without cores', { host: { physical_vcpu: 0 } }],
  ['a host with another name', { host: { display_name_plain: 'h1' } }],
  ['a cable without light', { uplink: down }],
  ['a power feed without voltage', { zone: { power_feeds: [deadFeed] } }],
  ['routes that are not announced', { gateway: { bgp_advertising: false } }],
  [
    'a gateway that is down, and the carriers behind it',
    { carrier: down, secondLine: down, gateway: { inv_status: 'Failed' } },
  ],
  [
    'a gateway that is down, without power',
    { gateway: { inv_status: 'Failed' }, zone: { power_feeds: [deadFeed] } },
  ],
  ['a gateway that cannot announce any', { gateway: { bgp_advertising: false, bgp_capable: false } }],
  ['a firewall that is down', { firewall: { inv_status: 'Failed' } }],
  ['a load balancer under maintenance', { balancer: { inv_status: 'Maintenance' } }],
  ['a device without the name of its zone', { balancer: { display_name_plain: 'zalb1' } }],
])('%s', (name, wish) => {
  expect(differing(wish)).toEqual(changes.get(name) ?? [])
})

test('a rack without hosts has no card', () => {
  const shown = titlesOf(svgOf({ rack: { host_count: 0 } }))
  expect(usual.filter((title) => !shown.includes(title))).toEqual([
    'edge1 – A-01 · 20 %',
    'A-01 · rack · 1 host offline · 1 of 2 hosts · 50 %',
    'za-h1 · in order · 50 %',
  ])
})

test.each([
  ['320 hosts', 320, true],
  ['321 hosts', 321, false],
])('of a zone with %s, hosts are shown: %j', (_, host_count, areShown) => {
  expect(titlesOf(svgOf({ zone: { host_count } })).includes('za-h1 · in order · 50 %')).toBe(areShown)
})

test('of two zones no hosts are shown, and twelve zones are drawn', () => {
  const zones = (count: number): string => {
    const azs = Array.from({ length: count }, (_, index) =>
      zoneRecord({
        id: index + 1,
        name: `z${index + 1}`,
        display_name: `Zone ${index + 1}`,
        status: index === count - 1 ? 'Impaired' : 'Healthy',
        power_feeds: index === count - 1 ? [deadFeed] : [],
        racks: [rackRecord({ id: index + 1, host_count: 1 })],
      }),
    )
    return drawn('network', worldWith({ azs, hosts: [hostRecord({})] }))
  }
  const zoneTitles = (svg: string) => titlesOf(svg).filter((title) => title.startsWith('Zone '))
  expect(titlesOf(zones(2)).filter((title) => title.startsWith('h1'))).toEqual([])
  expect(zoneTitles(zones(12))).toHaveLength(12)
  const many = zones(13)
  expect(zoneTitles(many)).toHaveLength(12)
  expect(zoneTitles(many)[0]).toMatch(/^Zone 13 /)
  expect(many).toContain('<title>Network: 13 zones</title>')
  expect(many).toContain('>Zone 13: power feed A has no voltage. 1 zone more<')
})
