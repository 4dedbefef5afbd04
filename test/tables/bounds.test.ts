/** Bounds of tables, and of what pictures show of them: each by a world at it, and one beyond it. */
import { collections } from '../../src/contract/collections.ts'
import type { Collections } from '../../src/contract/collections.ts'
import { PortSchema } from '../../src/contract/records/shared.ts'
import { tables } from '../../src/tables/catalog.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { drawn, hostRecord, rackRecord, worldWith, zoneRecord } from '../pictures/drawings.ts'
import { rowsNamed } from './framed-worlds.ts'
import { askBounds } from '../fixtures/bounds.ts'

type Given = Partial<Collections>
type Zone = Collections['azs'][number]

const list = <T>(count: number, of: (id: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index + 1))
const zones = (count: number, given: Partial<Zone> = {}): Given => ({
  azs: list(count, (id) => zoneRecord({ id, name: `z${id}`, display_name: `Zone ${id}`, ...given })),
})
const racksOf = (count: number, given: Partial<Zone['racks'][number]> = {}) =>
  list(count, (id) => rackRecord({ id, name: `A-${id}`, ...given }))
const racks = (count: number, given: Partial<Zone['racks'][number]> = {}): Given =>
  zones(1, { racks: racksOf(count, given) })
/** Hosts in racks of forty. */
const hosts = (count: number, given: Partial<Collections['hosts'][number]> = {}): Given => ({
  ...zones(1, { host_count: count, racks: racksOf(Math.ceil(count / 40), { host_count: 40 }) }),
  hosts: list(count, (id) => {
    const place = { rack_id: Math.ceil(id / 40), start_u: 1 + (id % 40) }
    return hostRecord({ id, display_name_plain: `h${id}`, ...place, ...given })
  }),
})
const switchWith = (ports: number): Given => ({
  ...racks(1),
  switches: [
    emptyRecord(collections.switches, {
      id: 1,
      display_name_plain: 's1',
      rack_id: 1,
      start_u: 1,
      u_size: 1,
      ports: list(ports, (id) =>
        emptyRecord(PortSchema, {
          port_id: id,
          label: `p${id}`,
          link: id % 2 ? 'Up' : 'Down',
          cable_ids: [id],
        }),
      ),
    }),
  ],
})
/** A switch with a cable to each of several others. */
const star = (count: number): Given => {
  const ports = list(count, (id) => {
    const peer = { device_kind: 'Switch', device_id: id, port_id: 1, port_index: 0, label: '' } as const
    return emptyRecord(PortSchema, { port_id: id, link: 'Up', cable_ids: [id], peer })
  })
  const one = (id: number) => ({ id, display_name_plain: `s${id}`, rack_id: 1, start_u: 1, u_size: 1 })
  const center = { ...one(count + 1), ports }
  const others = list(count, (id) => emptyRecord(collections.switches, { ...one(id), role: 'core' }))
  return { ...racks(1), switches: [...others, emptyRecord(collections.switches, center)] }
}
const sizes = ['300x200', '400x200', '500x200', '600x200']
const backgroundOf = (size: readonly string[]): unknown => {
  const filters = new Map([
    ['picture', ['floor']],
    ['size', [size.join()]],
  ])
  return rowsNamed('pictures', worldWith(racks(1)), { filters })[0]['image']
}
const customers = list(11, (id) => emptyRecord(collections.customers, { id, name: `c${id}` }))
const served = { unit_count: 1, served_customer_ids: list(11, Number) }
const watched = (count: number): Given => ({
  incidents: list(count, (id) => emptyRecord(collections.incidents, { id, band: 'Watch' })),
})
const cableOf = (panels: number): Given => ({
  cables: [emptyRecord(collections.cables, { id: 1, path: list(panels, (id) => ({ Tray: id })) as never })],
})

const factsOf = (name: string, given: Given): string =>
  JSON.stringify(rowsNamed(name, worldWith(given)).map(Object.values))
const rowsIn = (name: string, given: Given): number => rowsNamed(name, worldWith(given)).length
const count = (part: RegExp, text: string): number => text.match(part)?.length ?? 0
const svg = (name: Parameters<typeof drawn>[0], given: Given) => drawn(name, worldWith(given))
const described = (text: string): string => /<desc>(.*?)<\/desc>/s.exec(text)![1]
const rackLink = /tables\/rack\?/g
const deviceLink = /tables\/(?:host|device)\?/g

askBounds([
  ['customers of a host', () => factsOf('host', { ...hosts(1, served), customers }), /c9, c10 and 1 more"/],
  ['customers in a list', () => factsOf('hosts', { ...hosts(1, served), customers }), /c1 and 10 more"/],
  ['units of a rack', () => [100, 101].map((u_size) => rowsIn('rack', racks(1, { u_size }))), [100, 100]],
  ['tasks that are watched', () => [2, 3].map((many) => rowsIn('tasks', watched(many))), [2, 2]],
  ['paths of a series', () => tables.get('series')!.paths!(new Map([['path', list(21, String)]])).length, 20],
  ['stops of a cable', () => described(svg('cable', cableOf(8))), /tray 8$/],
  ['more stops of a cable', () => described(svg('cable', cableOf(9))), /tray 7. and 2 more$/],
  [
    'racks that lead on',
    () => [1000, 1001].map((many) => count(rackLink, svg('floor', racks(many)))),
    [1000, 0],
  ],
  [
    'devices that lead on',
    () => [240, 241].map((many) => count(deviceLink, svg('floor', hosts(many)))),
    [240, 0],
  ],
  [
    'degrees',
    () =>
      [200, 201].map((inlet_celsius) => count(/opacity='0.5'/g, svg('floor', racks(1, { inlet_celsius })))),
    [2, 0],
  ],
  ['zones in words', () => count(/Zone/g, described(svg('floor', zones(13)))), 12],
  [
    'hosts in a network',
    () => [320, 321].map((many) => count(deviceLink, svg('network', hosts(many)))),
    [320, 0],
  ],
  [
    'zones in a network',
    () => [12, 13].map((many) => count(/tables\/zones/g, svg('network', zones(many)))),
    [12, 12],
  ],
  ['zones of power', () => described(svg('power', zones(17))).split('. ').length, 16],
  [
    'racks of power',
    () => [240, 241].map((many) => count(/240 of 241 racks/g, svg('power', racks(many)))),
    [0, 1],
  ],
  ['ports at the back', () => svg('rack', switchWith(129)) === svg('rack', switchWith(128)), true],
  ['links with words', () => [400, 401].map((many) => count(/ – /g, svg('network', star(many)))), [2, 0]],
  ['sizes of a background', () => backgroundOf(sizes) === backgroundOf(sizes.slice(0, 3)), true],
])
