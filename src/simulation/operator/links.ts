import { deviceKind, portRole, type Topology } from '../topology/tables.ts'
import { upgradableRoles } from '../topology/works.ts'

interface LinksOfVersion {
  readonly version: number
  readonly links: readonly (readonly number[])[]
}

/** They follow from the topology, so they are found once for each version of it. */
const known = new WeakMap<Topology, LinksOfVersion>()

/** Rows of the cables that begin in ports of each upgradable role, by zone and role. */
export function linksByRole(topology: Topology): readonly (readonly number[])[] {
  const before = known.get(topology)
  if (before?.version === topology.version) return before.links
  const links: number[][] = topology.zones.flatMap(() => upgradableRoles.map(() => []))
  const { cables, ports, switches, gateways, appliances } = topology
  const roles = upgradableRoles.map((role) => portRole[role])
  for (const cable of cables.rows) {
    const port = cables.a[cable]
    const role = roles.indexOf(ports.role[port])
    if (role === -1) continue
    const kind = ports.deviceKind[port]
    const table = kind === deviceKind.Switch ? switches : kind === deviceKind.Gateway ? gateways : appliances
    links[table.zone[ports.device[port]] * roles.length + role].push(cable)
  }
  known.set(topology, { version: topology.version, links })
  return links
}
