import { portOwnerName } from '../../../../src/world/simulation/topology/entities.ts'
import { deviceKind } from '../../../../src/world/simulation/topology/tables.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** Devices by the suffix of their name, so that tests can use `edge1` in any zone. */

function endsWith(names: readonly string[], suffix: string): number {
  const found = names.flatMap((name, row) => (name.endsWith(suffix) ? [row] : []))
  if (found.length !== 1) throw new Error(`${found.length} devices end with ${suffix}: ${names.join(' ')}`)
  return found[0]
}

export const switchRow = (world: NetworkFixture, suffix: string): number =>
  endsWith(world.topology.switches.name, suffix)
export const gatewayRow = (world: NetworkFixture, suffix: string): number =>
  endsWith(world.topology.gateways.name, suffix)
export const applianceRow = (world: NetworkFixture, suffix: string): number =>
  endsWith(world.topology.appliances.name, suffix)
export const hostRow = (world: NetworkFixture, suffix: string): number =>
  endsWith(world.topology.hosts.name, suffix)

/** Carriers are numbered, as their names are random. */
const ownerOf = ({ topology }: NetworkFixture, port: number): string =>
  topology.ports.deviceKind[port] === deviceKind.Upstream
    ? `carrier${topology.ports.device[port]}`
    : portOwnerName(topology, port)

/** Ports of one device that link to another. */
export function portsBetween(world: NetworkFixture, from: string, to: string): number[] {
  const { ports } = world.topology
  const found: number[] = []
  for (let port = 0; port < ports.count; port++) {
    if (ports.peer[port] < 0 || !ownerOf(world, port).endsWith(from)) continue
    if (ownerOf(world, ports.peer[port]).endsWith(to)) found.push(port)
  }
  if (found.length === 0) throw new Error(`nothing leads from ${from} to ${to}`)
  return found
}

/** Traffic sent from one device to another in Gbit/s, to a millionth. */
export function sent(world: NetworkFixture, from: string, to: string): number {
  const gbps = portsBetween(world, from, to).reduce((sum, port) => sum + world.network.portTxGbps[port], 0)
  return Math.round(gbps * 1e6) / 1e6
}

export const cableBetween = (world: NetworkFixture, from: string, to: string): number =>
  world.topology.ports.cable[portsBetween(world, from, to)[0]]

/** Marks a target as broken, as faults do. */
export function mark(
  world: NetworkFixture,
  column: Exclude<keyof NetworkFixture['condition'], 'version'>,
  row: number,
  value = 1,
): void {
  world.condition[column][row] = value
  world.condition.version++
}
