import { deviceKind } from '../../../src/simulation/plant/tables.ts'
import type { Rig } from './rig.ts'

/** Devices by the end of their name, so that tests can say `edge1` whatever the zone is called. */

function endsWith(names: readonly string[], suffix: string): number {
  const found = names.flatMap((name, row) => (name.endsWith(suffix) ? [row] : []))
  if (found.length !== 1) throw new Error(`${found.length} devices end with ${suffix}: ${names.join(' ')}`)
  return found[0]
}

export const switchRow = (world: Rig, suffix: string): number => endsWith(world.plant.switches.name, suffix)
export const gatewayRow = (world: Rig, suffix: string): number => endsWith(world.plant.gateways.name, suffix)
export const applianceRow = (world: Rig, suffix: string): number =>
  endsWith(world.plant.appliances.name, suffix)
export const hostRow = (world: Rig, suffix: string): number => endsWith(world.plant.hosts.name, suffix)

function ownerOf({ plant }: Rig, port: number): string {
  const row = plant.ports.device[port]
  switch (plant.ports.deviceKind[port]) {
    case deviceKind.Host:
      return plant.hosts.name[row]
    case deviceKind.Switch:
      return plant.switches.name[row]
    case deviceKind.Gateway:
      return plant.gateways.name[row]
    case deviceKind.Appliance:
      return plant.appliances.name[row]
    case deviceKind.Upstream:
      return `carrier${row}`
    default:
      return ''
  }
}

/** Ports of one device whose links lead to another. */
export function portsBetween(world: Rig, from: string, to: string): number[] {
  const { ports } = world.plant
  const found: number[] = []
  for (let port = 0; port < ports.count; port++) {
    if (ports.peer[port] < 0 || !ownerOf(world, port).endsWith(from)) continue
    if (ownerOf(world, ports.peer[port]).endsWith(to)) found.push(port)
  }
  if (found.length === 0) throw new Error(`nothing leads from ${from} to ${to}`)
  return found
}

/** Gbit/s that one device sends to another, to a millionth. */
export function sent(world: Rig, from: string, to: string): number {
  const gbps = portsBetween(world, from, to).reduce((sum, port) => sum + world.network.portTxGbps[port], 0)
  return Math.round(gbps * 1e6) / 1e6
}

export const cableBetween = (world: Rig, from: string, to: string): number =>
  world.plant.ports.cable[portsBetween(world, from, to)[0]]

/** Marks something as broken, as faults do. */
export function mark(
  world: Rig,
  column: Exclude<keyof Rig['condition'], 'version'>,
  row: number,
  value = 1,
): void {
  world.condition[column][row] = value
  world.condition.version++
}
