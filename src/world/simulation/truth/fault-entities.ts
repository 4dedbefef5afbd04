import { threatClassCount } from '../../../contract/vocabularies.ts'
import type { Fault } from '../faults/model.ts'
import type { BlastRadius } from '../incidents/correlation/blast-radius.ts'
import { threatIndex } from '../network/capabilities.ts'
import type { WorldView } from '../state.ts'
import { deviceOfPort, endsOf, rackOf, zonesOf } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { DeviceTable } from '../topology/tables.ts'
import { idOf } from '../topology/tables.ts'

/** A fault with more hosts in reach is identified by its zones alone. */
const hostsListedMax = 100

type Touched = Record<string, string[]>

const labels = { Host: 'host', Switch: 'switch', Gateway: 'gateway', Appliance: 'appliance' } as const

/** Ports of the gateways of a zone, and of its appliances that stop a class of attack. */
function defendingPorts({ topology, threats }: WorldView, zone: number, threat: number): number[] {
  const { gateways, appliances, zones } = topology
  const portsOf = ({ firstPort, portCount }: DeviceTable, row: number): number[] =>
    Array.from({ length: portCount[row] }, (_, port) => firstPort[row] + port)
  const stops = (row: number): boolean => threats.applianceCapacity[row * threatClassCount + threat] > 0
  return [
    ...zones[zone].gateways.flatMap((row) => portsOf(gateways, row)),
    ...zones[zone].appliances.filter(stops).flatMap((row) => portsOf(appliances, row)),
  ]
}

/**
 * Ids of the entities within reach of a fault, by metric label; without hosts if there are too many. An attack also
 * reaches what defends the zones of its customer, and the links of that. `zone` lists the names of entirely affected zones.
 */
export function touchedBy(
  world: WorldView,
  blastRadius: BlastRadius,
  { target, attack }: Pick<Fault, 'target' | 'attack'>,
): Touched {
  const touched: Touched = {}
  const add = (label: string, row: number): void => {
    const ids = (touched[label] ??= [])
    const id = String(idOf(row))
    if (!ids.includes(id)) ids.push(id)
  }
  const addDevice = (port: number): void => {
    const device = deviceOfPort(world.topology, port)
    if (device !== null) add(labels[device.kind], device.row)
  }
  addTarget(world, target, add, addDevice)
  const zones = zonesOf(world, target)
  if (attack !== null)
    for (const row of zones.flatMap((zone) => defendingPorts(world, zone, threatIndex[attack.class])))
      addTarget(world, { kind: 'Port', row }, add, addDevice)
  for (const zone of zones) add('az', zone)
  const rack = rackOf(world.topology, target)
  if (rack !== null) add('rack', rack)
  const hosts = Array.from(blastRadius.hostsOf(target))
  touched['zone'] = zones
    .map((zone) => world.topology.zones[zone])
    .filter((zone) => target.kind !== 'Customer' && zone.hosts.length <= hosts.length)
    .map(({ displayName }) => displayName)
  if (hosts.length <= hostsListedMax) for (const host of hosts) add('host', host)
  for (const host of hosts)
    if (world.topology.hosts.pool[host] >= 0) add('pool', world.topology.hosts.pool[host])
  return touched
}

function addTarget(
  { topology }: WorldView,
  target: FaultTarget,
  add: (label: string, row: number) => void,
  addDevice: (port: number) => void,
): void {
  if (target.kind === 'Cable' || target.kind === 'Port') {
    const cable = target.kind === 'Cable' ? target.row : topology.ports.cable[target.row]
    if (cable < 0) return
    add('link', cable)
    for (const port of endsOf(topology, cable)) addDevice(port)
  } else if (target.kind === 'Pool') add('pool', target.row)
  else if (target.kind in labels)
    add(labels[target.kind as keyof typeof labels], (target as { row: number }).row)
}
