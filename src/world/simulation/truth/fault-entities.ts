import { threatClassCount } from '../../../contract/vocabularies.ts'
import type { Fault } from '../faults/model.ts'
import type { BlastRadius } from '../incidents/correlation/blast-radius.ts'
import { threatIndex } from '../network/capabilities.ts'
import type { WorldView } from '../state.ts'
import { deviceOfPort, endsOf, rackOf, zonesOf } from '../topology/entities.ts'
import { idOf } from '../topology/tables.ts'

/** A fault with more hosts in reach is identified by its zones alone. */
const hostsListedMax = 100

type Touched = Record<string, string[]>

const labels = {
  Host: 'host',
  Switch: 'switch',
  Gateway: 'gateway',
  Appliance: 'appliance',
  Pool: 'pool',
} as const

/** Whether a port is of a gateway, or of an appliance that stops a class of attack. */
function defends({ topology, threats }: WorldView, port: number, threat: number): boolean {
  const device = deviceOfPort(topology, port)
  if (device?.kind !== 'Appliance') return device?.kind === 'Gateway'
  return threats.applianceCapacity[device.row * threatClassCount + threat] > 0
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
  const { topology } = world
  const touched: Touched = {}
  const add = (label: string, row: number): void => {
    const ids = (touched[label] ??= [])
    const id = String(idOf(row))
    if (!ids.includes(id)) ids.push(id)
  }
  const addLink = (cable: number): void => {
    if (cable < 0) return
    add('link', cable)
    for (const device of endsOf(topology, cable).map((port) => deviceOfPort(topology, port)))
      if (device !== null) add(labels[device.kind], device.row)
  }
  if (target.kind === 'Cable') addLink(target.row)
  else if (target.kind === 'Port') addLink(topology.ports.cable[target.row])
  else if (target.kind in labels)
    add(labels[target.kind as keyof typeof labels], (target as { row: number }).row)
  const zones = zonesOf(world, target)
  const passed = attack === null ? 0 : topology.ports.count
  for (let row = 0; row < passed; row++) {
    if (!zones.includes(zonesOf(world, { kind: 'Port', row })[0])) continue
    if (defends(world, row, threatIndex[attack!.class])) addLink(topology.ports.cable[row])
  }
  for (const zone of zones) add('az', zone)
  const rack = rackOf(topology, target)
  if (rack !== null) add('rack', rack)
  const hosts = Array.from(blastRadius.hostsOf(target))
  touched['zone'] = zones
    .map((zone) => topology.zones[zone])
    .filter((zone) => target.kind !== 'Customer' && zone.hosts.length <= hosts.length)
    .map(({ displayName }) => displayName)
  if (hosts.length <= hostsListedMax) for (const host of hosts) add('host', host)
  for (const host of hosts) if (topology.hosts.pool[host] >= 0) add('pool', topology.hosts.pool[host])
  return touched
}
