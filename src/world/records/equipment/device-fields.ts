import type { indicators } from '../../../contract/vocabularies.ts'
import type { DeviceTable, Topology } from '../../simulation/topology/tables.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordedWorld } from '../world.ts'

/** Fields that the records of all rack-mounted devices share. */

interface Placement {
  readonly display_name: string
  readonly display_name_plain: string
  readonly rack_id: number
  readonly az_id: number
  readonly start_u: number
  readonly u_size: number
}

const nameWithPlace = (topology: Topology, table: DeviceTable, row: number): string =>
  `${table.name[row]} (${topology.racks.name[table.rack[row]]}, U${table.startU[row]})`

export const placementOf = (topology: Topology, table: DeviceTable, row: number): Placement => ({
  display_name: nameWithPlace(topology, table, row),
  display_name_plain: table.name[row],
  rack_id: idOf(table.rack[row]),
  az_id: idOf(table.zone[row]),
  start_u: table.startU[row],
  u_size: table.uSize[row],
})

/** Hours with power since the device was installed. */
export const hoursWithPower = (ageHours: number, darkMinutes: number): number =>
  Math.max(0, ageHours - Math.ceil(darkMinutes / 60))

type Indicator = (typeof indicators)[number]

/** Red: broken. Amber: works, but needs attention. */
export function statusLed(feeds: number, broken: boolean, troubled: boolean): Indicator {
  if (feeds === 0) return 'Off'
  if (broken) return 'Red'
  return troubled || feeds < 2 ? 'Amber' : 'Green'
}

interface PortSums {
  tx: number
  rx: number
}

/** Sums a column over a range of ports. */
export function sumPorts(state: RecordedWorld, from: number, to: number, into: PortSums): void {
  const { portTxGbps, portRxGbps } = state.network
  into.tx = 0
  into.rx = 0
  for (let port = from; port < to; port++) {
    into.tx += portTxGbps[port]
    into.rx += portRxGbps[port]
  }
}

/** Number of cabled ports in a range. */
export function usedPorts({ ports }: Topology, from: number, to: number): number {
  let used = 0
  for (let port = from; port < to; port++) if (ports.cable[port] !== -1) used++
  return used
}

/** Smaller losses are rounding errors. */
export const noticeableGbps = 1e-6
