/** Where devices stand, by name. */
import type { WorldJson } from './expected-family.ts'

interface Standing {
  readonly az_id: number | bigint
  readonly rack_id: number | bigint | null
}

/** A device with the names of its zone and rack. */
function placedIn<R extends Standing>({ collections }: WorldJson, device: R) {
  const zone = collections.azs.find(({ id }) => id === device.az_id)
  const rack = zone?.racks.find(({ id }) => id === device.rack_id)
  return { ...device, zone: zone?.display_name ?? null, rack_name: rack?.name ?? null }
}

export const placed =
  <R extends Standing>(devices: (world: WorldJson) => readonly R[]) =>
  (world: WorldJson) =>
    devices(world).map((device) => placedIn(world, device))

export const places = { zone: 'zone', rack_name: 'rack_name' } as const
