import type { indicators } from '../../contract/vocabularies.ts'
import { type DeviceTable, idOf, type Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'

/** What the records of all devices in racks have in common. */

export interface Placement {
  readonly display_name: string
  readonly display_name_plain: string
  readonly rack_id: number
  readonly az_id: number
  readonly start_u: number
  readonly u_size: number
}

/** A name for people, with the place where to find the device. */
export const nameWithPlace = (plant: Plant, table: DeviceTable, row: number): string =>
  `${table.name[row]} (${plant.racks.name[table.rack[row]]}, U${table.startU[row]})`

export const placementOf = (plant: Plant, table: DeviceTable, row: number): Placement => ({
  display_name: nameWithPlace(plant, table, row),
  display_name_plain: table.name[row],
  rack_id: idOf(table.rack[row]),
  az_id: idOf(table.zone[row]),
  start_u: table.startU[row],
  u_size: table.uSize[row],
})

/** Of so many hours since a device was installed, those in which it had power. */
export const hoursWithPower = (ageHours: number, darkMinutes: number): number =>
  Math.max(0, ageHours - Math.ceil(darkMinutes / 60))

type Indicator = (typeof indicators)[number]

/** Red: broken. Amber: works, but something wants looking at. */
export function frontLight(feeds: number, broken: boolean, troubled: boolean): Indicator {
  if (feeds === 0) return 'Off'
  if (broken) return 'Red'
  return troubled || feeds < 2 ? 'Amber' : 'Green'
}

export interface PortSums {
  tx: number
  rx: number
}

/** Traffic over a range of ports. */
export function sumPorts(state: WorldState, from: number, to: number, into: PortSums): void {
  const { portTxGbps, portRxGbps } = state.network
  into.tx = 0
  into.rx = 0
  for (let port = from; port < to; port++) {
    into.tx += portTxGbps[port]
    into.rx += portRxGbps[port]
  }
}

/** How many of a range of ports have a cable. */
export function usedPorts({ ports }: Plant, from: number, to: number): number {
  let used = 0
  for (let port = from; port < to; port++) if (ports.cable[port] !== -1) used++
  return used
}

/** Less than this is rounding, not loss. */
export const noticeableGbps = 1e-6
