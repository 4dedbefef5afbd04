import type { Topology } from '../topology/tables.ts'
import { deviceKind, portRole } from '../topology/tables.ts'
import { upgradableRoles } from '../topology/works.ts'

/** Rows of cables that share a load: those of one kind of device. */
type LinkGroup = readonly number[]

interface LinksOfVersion {
  readonly version: number
  readonly links: readonly (readonly LinkGroup[])[]
}

/** Cache by topology: links are grouped once per version. */
const known = new WeakMap<Topology, LinksOfVersion>()

/** The cables that begin in ports of each upgradable role, by zone and role. */
export function linksByRole(topology: Topology): readonly (readonly LinkGroup[])[] {
  const before = known.get(topology)
  if (before?.version === topology.version) return before.links
  const groups = topology.zones.flatMap(() => upgradableRoles.map(() => new Map<string, number[]>()))
  const { cables, ports, switches, gateways, appliances } = topology
  const roles = upgradableRoles.map((role) => portRole[role])
  for (const cable of cables.rows) {
    const port = cables.a[cable]
    const role = roles.indexOf(ports.role[port])
    if (role === -1) continue
    const kind = ports.deviceKind[port]
    const device = ports.device[port]
    const isAppliance = kind !== deviceKind.Switch && kind !== deviceKind.Gateway
    const table = kind === deviceKind.Switch ? switches : isAppliance ? appliances : gateways
    const group = groups[table.zone[device] * roles.length + role]
    const key = isAppliance ? appliances.kind[device] : ''
    const cablesOfKind = group.get(key)
    if (cablesOfKind === undefined) group.set(key, [cable])
    else cablesOfKind.push(cable)
  }
  const links = groups.map((group) => Array.from(group.values()))
  known.set(topology, { version: topology.version, links })
  return links
}
