import type { Collections } from '../../src/contract/collections.ts'
import { collections } from '../../src/contract/collections.ts'
import { themes } from '../../src/pictures/palette.ts'
import type { ThemeName } from '../../src/pictures/palette.ts'
import type { Size } from '../../src/pictures/svg.ts'
import { drawings } from '../../src/tables/drawings/pictures.ts'
import type { PictureName } from '../../src/tables/drawings/pictures.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, worldOf } from '../tables/framed-worlds.ts'

interface Wish {
  readonly theme?: ThemeName
  readonly isLinked?: boolean
  readonly filters?: Readonly<Record<string, string>>
  readonly size?: Size
}

export function drawn(
  name: PictureName,
  world: TableWorld,
  { theme = 'dark', isLinked = true, filters = {}, size }: Wish = {},
): string {
  const chosen = new Map(Object.entries(filters).map(([key, value]) => [key, [value]]))
  return drawings[name].draw(world, { filters: chosen, isLinked, size: size ?? null }, themes[theme])
}

type Zone = Collections['azs'][number]
type Rack = Zone['racks'][number]
type Host = Collections['hosts'][number]

export const rackRecord = (given: Partial<Rack>): Rack => ({
  id: 1,
  name: 'A-01',
  u_size: 42,
  used_u: 0,
  host_count: 0,
  hosts_online: 0,
  power_feeds: 2,
  power_capacity_kw: 10,
  power_draw_kw: 5,
  inlet_celsius: 22,
  ...given,
})

export const zoneRecord = (given: Partial<Zone>): Zone =>
  emptyRecord(collections.azs, {
    id: 1,
    name: 'za',
    display_name: 'Zone A',
    status: 'Healthy',
    bgp_advertising: true,
    ...given,
  })

/** A host that is in order, half loaded. */
export const hostRecord = (given: Partial<Host>): Host =>
  emptyRecord(collections.hosts, {
    id: 1,
    display_name_plain: 'h1',
    rack_id: 1,
    az_id: 1,
    start_u: 1,
    u_size: 1,
    online: true,
    powered: true,
    power_feeds: 2,
    inv_status: 'Installed',
    contention_state: 'None',
    physical_vcpu: 10,
    used_millivcpu: 5000,
    ...given,
  })

export const worldWith = (given: Partial<Collections>): TableWorld => worldOf(frameOf(snapshotWith(given)))

/** A world of zones with racks, hosts in numbers only. */
export function countedWorld(zones: number, racks: number, hostsPerRack: number): TableWorld {
  const rackOf = (zone: number, index: number): Rack =>
    rackRecord({
      id: zone * 10_000 + index + 1,
      name: `${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[Math.floor(index / 16) % 26]}-${String((index % 16) + 1).padStart(2, '0')}`,
      host_count: hostsPerRack,
      hosts_online: hostsPerRack - (index % 97 === 0 ? 1 : 0),
    })
  const azs = Array.from({ length: zones }, (_, zone) =>
    zoneRecord({
      id: zone + 1,
      name: `z${zone}`,
      display_name: `Zone ${zone}`,
      host_count: racks * hostsPerRack,
      racks: Array.from({ length: racks }, (__, index) => rackOf(zone, index)),
    }),
  )
  return worldWith({ azs })
}
