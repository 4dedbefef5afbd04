import { deviceKind, type Plant, portRole } from '../plant/tables.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { deviceOfPort, endsOf, targetKey, zonesOf } from './targets.ts'

/** Which hosts a thing can hurt when it fails, as the cabling tells. */
export interface Domains {
  hostsOf(target: FaultTarget): ArrayLike<number>
  /** The same as a question: whether a host is among them. */
  reachOf(target: FaultTarget): Reach
  /** Hosts with a leg on the thing: one that is plugged into the switch, or at an end of the cable. */
  leggedOn(target: FaultTarget): readonly number[]
  /** Edge switches that a host is cabled to. */
  edgesOf(host: number): readonly number[]
}

export type Reach = (host: number) => boolean

/** So many reaches are remembered: of all that is wrong at the same time, and then some. */
const reachesKept = 1_000

export function createDomains(state: WorldState): Domains {
  const { plant } = state
  const hostsBehind = plant.switches.role.map(() => [] as number[])
  const edgesOf = Array.from({ length: plant.hosts.count }, () => [] as number[])
  for (let port = 0; port < plant.ports.count; port++) {
    const peer = plant.ports.peer[port]
    if (plant.ports.role[port] !== portRole.HostNic || peer < 0) continue
    if (plant.ports.deviceKind[peer] !== deviceKind.Switch) continue
    const host = plant.ports.device[port]
    const edge = plant.ports.device[peer]
    if (!edgesOf[host].includes(edge)) edgesOf[host].push(edge)
    if (hostsBehind[edge].at(-1) !== host) hostsBehind[edge].push(host)
  }
  const pools = plant.pools.map((_, pool) =>
    Array.from({ length: plant.hosts.count }, (_, host) => host).filter(
      (host) => plant.hosts.pool[host] === pool,
    ),
  )
  const zoneHosts = (target: FaultTarget): ArrayLike<number> => {
    const zones = zonesOf(state, target)
    return zones.length === 1 ? plant.zones[zones[0]].hosts : zones.flatMap((zone) => plant.zones[zone].hosts)
  }
  const hostsOf = (target: FaultTarget): ArrayLike<number> => {
    const { kind } = target
    if (kind === 'Host') return [target.row]
    if (kind === 'Customer') return state.tenants.byId.get(target.id)?.hosts ?? []
    if (kind === 'Pool') return pools[target.row]
    if (kind === 'Switch' && plant.switches.role[target.row] === 'edge') return hostsBehind[target.row]
    const ports =
      kind === 'Port'
        ? [target.row, plant.ports.peer[target.row]]
        : kind === 'Cable'
          ? endsOf(plant, target.row)
          : []
    return narrowest(plant, ports, hostsBehind) ?? zoneHosts(target)
  }
  /** What is cabled stays so: reaches are found once. Those of customers move with their units. */
  const known = new Map<number, Reach>()
  const reachOf = (target: FaultTarget): Reach => {
    if (target.kind === 'Customer') return findReach(target)
    const key = targetKey(target)
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size === reachesKept) known.clear()
    const found = findReach(target)
    known.set(key, found)
    return found
  }
  /** Zones are told by number, so that a large one need not be listed. */
  const findReach = (target: FaultTarget): Reach => {
    const { kind } = target
    if (kind === 'Pool') return (host) => plant.hosts.pool[host] === target.row
    const hosts = hostsOf(target)
    const zones = zonesOf(state, target)
    const whole = zones.length === 1 && hosts === plant.zones[zones[0]].hosts
    if (whole) return (host) => plant.hosts.zone[host] === zones[0]
    const within = new Set(Array.from(hosts))
    return (host) => within.has(host)
  }
  const leggedOn = (target: FaultTarget): readonly number[] =>
    target.kind === 'Switch' ? hostsBehind[target.row] : hostsAtEnds(plant, target)
  return { hostsOf, reachOf, leggedOn, edgesOf: (host) => edgesOf[host] }
}

function hostsAtEnds(plant: Plant, target: FaultTarget): number[] {
  if (target.kind !== 'Cable') return []
  return endsOf(plant, target.row).flatMap((port) => {
    const device = deviceOfPort(plant, port)
    return device?.kind === 'Host' ? [device.row] : []
  })
}

/** A link to a host hurts that host, an edge switch's uplink the hosts behind it; null for links further up. */
function narrowest(
  plant: Plant,
  ports: readonly number[],
  hostsBehind: readonly (readonly number[])[],
): readonly number[] | null {
  const devices = ports.map((port) => (port < 0 ? null : deviceOfPort(plant, port)))
  const host = devices.find((device) => device?.kind === 'Host')
  if (host) return [host.row]
  const edge = devices.find(
    (device) => device?.kind === 'Switch' && plant.switches.role[device.row] === 'edge',
  )
  return edge ? hostsBehind[edge.row] : null
}
