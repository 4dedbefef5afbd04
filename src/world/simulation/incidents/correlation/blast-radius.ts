import { hostWarningCelsius, inletSpecifiedCelsius } from '../../facility/limits.ts'
import type { Topology } from '../../topology/tables.ts'
import { deviceKind, portRole } from '../../topology/tables.ts'
import type { ObservedWorld } from '../../state.ts'
import { deviceOfPort, endsOf, targetKey, zonesOf } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'

/** The hosts affected by a target's failure, derived from the cabling. */
export interface BlastRadius {
  hostsOf(target: FaultTarget): ArrayLike<number>
  /** The same hosts as a predicate. */
  reachOf(target: FaultTarget): Reach
  /** Hosts plugged into a switch, or at an end of a cable. */
  attachedHosts(target: FaultTarget): readonly number[]
  edgeSwitchesOf(host: number): readonly number[]
}

type Reach = (host: number) => boolean

/** Bound of the cached predicates, above the number of simultaneous faults. */
const reachesMax = 1_000

export function createBlastRadius(world: ObservedWorld): BlastRadius {
  const { topology } = world
  let cabling = cablingOf(topology)
  /** Cached until the topology changes, except for customers, whose units move. */
  const reaches = new Map<number, Reach>()
  const cabled = (): Cabling => {
    if (cabling.version !== topology.version) {
      cabling = cablingOf(topology)
      reaches.clear()
    }
    return cabling
  }
  const zoneHosts = (target: FaultTarget): ArrayLike<number> => {
    const zones = zonesOf(world, target)
    return zones.length === 1
      ? topology.zones[zones[0]].hosts
      : zones.flatMap((zone) => topology.zones[zone].hosts)
  }
  const hostsOf = (target: FaultTarget): ArrayLike<number> => {
    if (target.kind === 'Host') return [target.row]
    if (target.kind === 'Customer') return world.tenants.byId.get(target.id)?.hosts ?? []
    if (target.kind === 'Pool') return cabled().poolHosts[target.row]
    if (target.kind === 'Switch' && topology.switches.role[target.row] === 'edge')
      return cabled().hostsBehind[target.row]
    return hostsBehindLink(topology, linkPorts(topology, target), cabled().hostsBehind) ?? zoneHosts(target)
  }
  const findReach = (target: FaultTarget): Reach => {
    if (target.kind === 'Pool') return (host) => topology.hosts.pool[host] === target.row
    const hosts = hostsOf(target)
    const zones = zonesOf(world, target)
    const isWholeZone = zones.length === 1 && hosts === topology.zones[zones[0]].hosts
    if (isWholeZone) return (host) => topology.hosts.zone[host] === zones[0]
    const rows = new Set(Array.from(hosts))
    return (host) => rows.has(host)
  }
  return {
    hostsOf,
    reachOf(target) {
      if (target.kind === 'Customer') return findReach(target)
      cabled()
      const key = targetKey(target)
      const cached = reaches.get(key)
      if (cached !== undefined) return cached
      if (reaches.size === reachesMax) reaches.clear()
      const reach = findReach(target)
      reaches.set(key, reach)
      return reach
    },
    attachedHosts: (target) =>
      target.kind === 'Switch' ? cabled().hostsBehind[target.row] : hostsAtEnds(topology, target),
    edgeSwitchesOf: (host) => cabled().edgeSwitches[host],
  }
}

/**
 * The current reach of a target: insufficient cooling affects only hosts that overheat in warm inlet air. A hot host
 * in cool air has a fault of its own.
 */
export function presentReach(world: ObservedWorld, blastRadius: BlastRadius, target: FaultTarget): Reach {
  const reaches = blastRadius.reachOf(target)
  return target.kind === 'CoolingUnit' ? (host) => reaches(host) && lacksCooling(world, host) : reaches
}

/** Whether a host overheats because of its inlet air. */
export function lacksCooling({ topology, facility }: ObservedWorld, host: number): boolean {
  const { rack, zone } = topology.hosts
  const inlet = rack[host] < 0 ? facility.zoneCelsius[zone[host]] : facility.rackInletCelsius[rack[host]]
  const isHot = facility.hostCelsius[host] >= hostWarningCelsius || facility.hostHeatTripped[host] > 0
  return isHot && inlet > inletSpecifiedCelsius
}

/** Cabling derived from one version of the topology. */
interface Cabling {
  readonly version: number
  readonly hostsBehind: number[][]
  readonly edgeSwitches: number[][]
  readonly poolHosts: number[][]
}

const cablingOf = (topology: Topology): Cabling => ({
  version: topology.version,
  ...cabledHosts(topology),
  poolHosts: topology.pools.map((_, pool) =>
    topology.hosts.rows.filter((host) => topology.hosts.pool[host] === pool),
  ),
})

/** Hosts behind each edge switch, and edge switches of each host, by cabling. */
function cabledHosts({ hosts, switches, ports }: Topology) {
  const hostsBehind = switches.role.map(() => [] as number[])
  const edgeSwitches = Array.from({ length: hosts.count }, () => [] as number[])
  for (let port = 0; port < ports.count; port++) {
    const peer = ports.peer[port]
    if (ports.role[port] !== portRole.HostNic || peer < 0) continue
    if (ports.deviceKind[peer] !== deviceKind.Switch) continue
    const host = ports.device[port]
    const edge = ports.device[peer]
    if (!edgeSwitches[host].includes(edge)) edgeSwitches[host].push(edge)
    if (hostsBehind[edge].at(-1) !== host) hostsBehind[edge].push(host)
  }
  return { hostsBehind, edgeSwitches }
}

function linkPorts(topology: Topology, target: FaultTarget): readonly number[] {
  if (target.kind === 'Port') return [target.row, topology.ports.peer[target.row]]
  return target.kind === 'Cable' ? endsOf(topology, target.row) : []
}

function hostsAtEnds(topology: Topology, target: FaultTarget): number[] {
  if (target.kind !== 'Cable') return []
  return endsOf(topology, target.row).flatMap((port) => {
    const device = deviceOfPort(topology, port)
    return device?.kind === 'Host' ? [device.row] : []
  })
}

/** A host link affects its host, an edge switch's uplink the hosts behind it; null for links at higher tiers. */
function hostsBehindLink(
  topology: Topology,
  ports: readonly number[],
  hostsBehind: readonly (readonly number[])[],
): readonly number[] | null {
  const devices = ports.map((port) => (port < 0 ? null : deviceOfPort(topology, port)))
  const host = devices.find((device) => device?.kind === 'Host')
  if (host) return [host.row]
  const edge = devices.find(
    (device) => device?.kind === 'Switch' && topology.switches.role[device.row] === 'edge',
  )
  return edge ? hostsBehind[edge.row] : null
}
