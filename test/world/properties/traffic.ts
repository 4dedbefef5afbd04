import { imbalances } from '../simulation/network/conservation.ts'
import { devicesOf, portedKinds, portsById, sum } from './checked-world.ts'
import type { Check, CheckedWorld, PlacedPort } from './checked-world.ts'

/**
 * Invariant 3: conservation of traffic. A device forwards or drops its ingress, and gateways exchange with carriers
 * the traffic of customers, internal losses, and hostile traffic.
 */
export const trafficViolations: Check = (look) => [
  ...linkViolations(look),
  ...deviceSumViolations(look),
  ...borderViolations(look),
  // The drops of a device are in no record.
  ...imbalances(look.sim.state),
]

/** Rounding of records in Gbit/s: the tolerance is half of it for each number in a sum. */
const grain = 1e-4
const equalWithin = (one: number, other: number, numbers: number): boolean =>
  Math.abs(one - other) <= (grain / 2) * (numbers + 1) + 1e-9

function linkViolations({ sim, snapshot: { collections } }: CheckedWorld): string[] {
  const used = portsUsedBefore(sim)
  const ports = portsById(collections)
  const wrong: string[] = []
  for (const [id, { kind, device, port }] of ports) {
    const who = `port ${id} of ${kind} ${device}`
    const traffic = port.gbps_tx + port.gbps_rx
    if (!port.active && traffic > 0 && kind !== 'PatchPanel')
      wrong.push(`${who}: no link, but ${traffic} Gbit/s`)
    const most = port.link_capacity_gbps + grain
    if (port.gbps_tx > most || port.gbps_rx > most) {
      wrong.push(`${who}: ${port.gbps_tx} and ${port.gbps_rx} of ${port.link_capacity_gbps} Gbit/s`)
    }
    wrong.push(...peerViolations(who, port, ports, used))
  }
  return wrong
}

/** Ids of the ports of removed cables. */
function portsUsedBefore({ state: { topology } }: CheckedWorld['sim']): Set<number> {
  const { cables } = topology
  const inPlace = new Set(cables.rows)
  const used = new Set<number>()
  for (let cable = 0; cable < cables.count; cable++)
    if (!inPlace.has(cable)) used.add(cables.a[cable] + 1).add(cables.b[cable] + 1)
  return used
}

function peerViolations(
  who: string,
  port: PlacedPort['port'],
  ports: ReadonlyMap<number, PlacedPort>,
  used: ReadonlySet<number>,
): string[] {
  const peer = port.peer === null ? undefined : ports.get(Number(port.peer.port_id))?.port
  if (peer === undefined) return []
  const wrong: string[] = []
  if (port.gbps_tx !== peer.gbps_rx) wrong.push(`${who} sends ${port.gbps_tx}, its peer gets ${peer.gbps_rx}`)
  // A port that gets another cable keeps its counters.
  const isComparable = [port, peer].every(({ port_id }) => !used.has(Number(port_id)))
  if (isComparable && port.bytes_egress_total !== peer.bytes_ingress_total) {
    wrong.push(`${who} sent ${port.bytes_egress_total} bytes, its peer got ${peer.bytes_ingress_total}`)
  }
  return wrong
}

/** The figures of a device are the sums over its ports. */
function deviceSumViolations({ snapshot: { collections } }: CheckedWorld): string[] {
  const wrong: string[] = []
  const agree = (who: string, said: number, ports: readonly PlacedPort['port'][], rx: boolean): void => {
    const adds = sum(ports, ({ gbps_rx, gbps_tx }) => (rx ? gbps_rx : gbps_tx))
    if (!equalWithin(said, adds, ports.length)) wrong.push(`${who} says ${said}, its ports ${adds} Gbit/s`)
  }
  for (const kind of portedKinds) {
    if (kind === 'PatchPanel') continue
    for (const device of devicesOf(collections, kind)) {
      const { id, ports } = device
      const { ingress_gbps, egress_gbps } = device as unknown as Record<string, number>
      agree(`${kind} ${id}, in,`, ingress_gbps, ports, true)
      agree(`${kind} ${id}, out,`, egress_gbps, ports, false)
    }
  }
  for (const gateway of collections.gateways) {
    const wan = gateway.ports.slice(0, gateway.wan_port_count)
    const lan = gateway.ports.slice(gateway.wan_port_count)
    agree(`gateway ${gateway.id}, WAN in,`, gateway.wan_ingress_gbps, wan, true)
    agree(`gateway ${gateway.id}, WAN out,`, gateway.wan_egress_gbps, wan, false)
    agree(`gateway ${gateway.id}, LAN in,`, gateway.lan_ingress_gbps, lan, true)
    agree(`gateway ${gateway.id}, LAN out,`, gateway.lan_egress_gbps, lan, false)
  }
  return wrong
}

function borderViolations({ sim: { state }, snapshot: { collections } }: CheckedWorld): string[] {
  const { gateways, azs, customers } = collections
  const wrong: string[] = []
  for (const { id, wan_ingress_gbps, wan_egress_gbps } of azs) {
    const own = gateways.filter(({ az_id }) => az_id === id)
    const [inside, out] = [sum(own, (own) => own.wan_ingress_gbps), sum(own, (own) => own.wan_egress_gbps)]
    if (
      !equalWithin(inside, wan_ingress_gbps, own.length) ||
      !equalWithin(out, wan_egress_gbps, own.length)
    ) {
      wrong.push(
        `zone ${id} exchanges ${wan_ingress_gbps} and ${wan_egress_gbps}, its gateways ${inside} and ${out}`,
      )
    }
  }
  const hostile = sum(state.threats.gatewayHostileInGbps, (gbps) => gbps)
  const lost = state.network.lostInsideGbps
  const numbers = customers.length + gateways.length
  const served = sum(customers, ({ ingress_gbps }) => ingress_gbps)
  const wanIn = sum(gateways, ({ wan_ingress_gbps }) => wan_ingress_gbps)
  if (!equalWithin(wanIn, served + lost + hostile, numbers)) {
    wrong.push(`WAN in ${wanIn} is not served ${served} + lost inside ${lost} + hostile ${hostile} Gbit/s`)
  }
  const servedOut = sum(customers, ({ egress_gbps }) => egress_gbps)
  const wanOut = sum(gateways, ({ wan_egress_gbps }) => wan_egress_gbps)
  if (!equalWithin(wanOut, servedOut, numbers))
    wrong.push(`WAN out ${wanOut} is not served ${servedOut} Gbit/s`)
  return wrong
}
