import { threatClassCount } from '../../../../src/contract/vocabularies.ts'
import { deviceKind } from '../../../../src/world/simulation/topology/tables.ts'
import { gbpsPerUnit } from '../../../../src/world/simulation/network/capabilities.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'

/** Violations of the conservation of traffic; empty if all sums balance. */
export function imbalances(world: MutableWorld): string[] {
  return [...devices(world), ...linkEnds(world), ...border(world), ...limits(world), ...threats(world)]
}

const balanced = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-6 * Math.max(1e-3, Math.abs(one), Math.abs(other))

interface Account {
  rx: number
  tx: number
  portDropped: number
}

function portSums(world: MutableWorld): Map<string, Account> {
  const { ports } = world.topology
  const accounts = new Map<string, Account>()
  for (let port = 0; port < ports.count; port++) {
    const key = `${ports.deviceKind[port]}/${ports.device[port]}`
    const account = accounts.get(key) ?? { rx: 0, tx: 0, portDropped: 0 }
    account.rx += world.network.portRxGbps[port]
    account.tx += world.network.portTxGbps[port]
    account.portDropped += world.network.portDroppedGbps[port]
    accounts.set(key, account)
  }
  return accounts
}

const stopped = (mitigated: Float64Array, row: number): number => {
  let gbps = 0
  for (let threat = 0; threat < threatClassCount; threat++) {
    gbps += mitigated[row * threatClassCount + threat] * gbpsPerUnit[threat]
  }
  return gbps
}

function devices(world: MutableWorld): string[] {
  const { network, topology, load } = world
  const wrong: string[] = []
  const accounts = portSums(world)
  const of = (kind: number, row: number) => accounts.get(`${kind}/${row}`) ?? { rx: 0, tx: 0, portDropped: 0 }
  const check = (name: string, rx: number, gone: number) => {
    if (!balanced(rx, gone)) wrong.push(`${name}: received ${rx}, sent, dropped and stopped ${gone}`)
  }
  for (let row = 0; row < topology.switches.count; row++) {
    const { rx, tx, portDropped } = of(deviceKind.Switch, row)
    check(topology.switches.name[row], rx, tx + portDropped + network.switchDroppedGbps[row])
  }
  for (let row = 0; row < topology.gateways.count; row++) {
    const { rx, tx, portDropped } = of(deviceKind.Gateway, row)
    const mitigated = stopped(world.threats.gatewayMitigated, row)
    check(topology.gateways.name[row], rx, tx + portDropped + network.gatewayDroppedGbps[row] + mitigated)
  }
  for (let row = 0; row < topology.appliances.count; row++) {
    const { rx, tx, portDropped } = of(deviceKind.Appliance, row)
    const mitigated = stopped(world.threats.applianceMitigated, row)
    check(topology.appliances.name[row], rx, tx + portDropped + network.applianceDroppedGbps[row] + mitigated)
  }
  for (let row = 0; row < topology.hosts.count; row++) {
    const { tx, portDropped } = of(deviceKind.Host, row)
    const out = network.hostReachable[row] ? load.wantedOutGbps[row] : 0
    const between = load.wantedEastWestGbps[row] * network.routes.hostSendShare[row]
    // In a storm a host also reflects the flood.
    if (!network.flows.storming) check(`host ${row}`, out + between, tx + portDropped)
  }
  return wrong
}

function linkEnds(world: MutableWorld): string[] {
  const { ports } = world.topology
  const { portTxGbps, portRxGbps } = world.network
  const wrong: string[] = []
  for (let port = 0; port < ports.count; port++) {
    const peer = ports.peer[port]
    if (peer >= 0 && portTxGbps[port] !== portRxGbps[peer])
      wrong.push(`port ${port} sends what ${peer} does not get`)
    if (!world.network.portUp[port] && portTxGbps[port] + portRxGbps[port] > 0) {
      wrong.push(`port ${port} is down and carries traffic`)
    }
  }
  return wrong
}

function border(world: MutableWorld): string[] {
  const { network, load, threats: hostile } = world
  let servedIn = 0
  let servedOut = 0
  for (let host = 0; host < world.topology.hosts.count; host++) {
    servedIn += load.wantedInGbps[host] * network.hostDeliveredIn[host]
    servedOut += load.wantedOutGbps[host] * network.hostDeliveredOut[host]
  }
  const sum = (column: Float64Array) => column.reduce((total, value) => total + value, 0)
  const wanIn = sum(network.zoneWanInGbps)
  const wanOut = sum(network.zoneWanOutGbps)
  const explained = servedIn + network.lostInsideGbps + sum(hostile.gatewayHostileInGbps)
  const wrong: string[] = []
  if (!balanced(wanIn, explained)) wrong.push(`WAN in ${wanIn}, explained ${explained}`)
  if (!balanced(wanOut, servedOut)) wrong.push(`WAN out ${wanOut}, served ${servedOut}`)
  return wrong
}

function limits(world: MutableWorld): string[] {
  const { ports, topology, network } = { ...world, ports: world.topology.ports }
  const wrong: string[] = []
  const within = (name: string, load: number, most: number) => {
    if (!(load >= 0 && load <= most * (1 + 1e-9))) wrong.push(`${name} carries ${load} of ${most}`)
  }
  for (let port = 0; port < ports.count; port++) {
    within(`port ${port}`, network.portTxGbps[port], ports.capacityGbps[port])
  }
  for (let row = 0; row < topology.switches.count; row++) {
    const fabric = topology.switchSkus[topology.switches.sku[row]].fabricGbps
    within(topology.switches.name[row], network.switchFabricGbps[row], fabric)
  }
  for (let row = 0; row < topology.gateways.count; row++) {
    within(topology.gateways.name[row], network.gatewayFabricGbps[row], network.gatewayCeilingGbps[row])
  }
  for (let host = 0; host < topology.hosts.count; host++) {
    within(`share in of host ${host}`, network.hostDeliveredIn[host], 1)
    within(`share out of host ${host}`, network.hostDeliveredOut[host], 1)
  }
  return wrong
}

function threats(world: MutableWorld): string[] {
  const wrong: string[] = []
  const check = (name: string, reaching: Float64Array, mitigated: Float64Array, capacity: Float64Array) => {
    for (let at = 0; at < reaching.length; at++) {
      const most = Math.min(reaching[at], capacity[at]) * (1 + 1e-9)
      if (!(mitigated[at] >= 0 && mitigated[at] <= most)) {
        wrong.push(`${name} ${at}: stops ${mitigated[at]} of ${reaching[at]}, can ${capacity[at]}`)
      }
    }
  }
  const { threats: seen } = world
  check('gateway', seen.gatewayReaching, seen.gatewayMitigated, seen.gatewayCapacity)
  check('appliance', seen.applianceReaching, seen.applianceMitigated, seen.applianceCapacity)
  return wrong
}
