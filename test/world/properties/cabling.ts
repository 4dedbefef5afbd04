import type { CableRecord, Collections } from '../../../src/contract/collections.ts'
import { devicesOf, portedKinds, portsById } from './checked-world.ts'
import type { Check, PlacedPort } from './checked-world.ts'

/** Invariant 2: cables, ports and peers agree from both ends. */
export const cablingViolations: Check = ({ snapshot: { collections } }) => {
  const ports = portsById(collections)
  const cables = new Map(collections.cables.map((cable) => [Number(cable.id), cable]))
  return [
    ...countViolations(collections, ports.size),
    ...collections.cables.flatMap((cable) => endViolations(cable, ports)),
    ...collections.cables.flatMap((cable) => wayViolations(cable, collections)),
    ...Array.from(ports).flatMap(([id, placed]) => portViolations(id, placed, ports, cables)),
  ]
}

function countViolations(collections: Collections, distinct: number): string[] {
  const wrong: string[] = []
  let all = 0
  for (const kind of portedKinds) {
    for (const { id, ports } of devicesOf(collections, kind)) {
      all += ports.length
      ports.forEach(({ index, port_id }, at) => {
        if (index !== at) wrong.push(`${kind} ${id}: port ${port_id} at place ${at} says ${index}`)
      })
    }
  }
  if (all !== distinct) wrong.push(`${all} ports have ${distinct} ids`)
  const counted = { switches: collections.switches, patchPanels: collections.patchPanels }
  for (const [kind, records] of Object.entries(counted)) {
    for (const { id, port_count, ports } of records) {
      if (port_count !== ports.length)
        wrong.push(`${kind} ${id} counts ${port_count} of ${ports.length} ports`)
    }
  }
  for (const { id, nic_count, ports } of collections.hosts) {
    if (nic_count !== ports.length) wrong.push(`host ${id} counts ${nic_count} of ${ports.length} ports`)
  }
  for (const { id, wan_port_count, lan_port_count, ports } of collections.gateways) {
    if (wan_port_count + lan_port_count !== ports.length) wrong.push(`gateway ${id} miscounts its ports`)
  }
  const users = { gateways: collections.gateways, patchPanels: collections.patchPanels }
  for (const [kind, records] of Object.entries(users)) {
    for (const { id, used_ports, ports } of records) {
      const used = ports.filter(({ cable_ids }) => cable_ids.length > 0).length
      if (used !== used_ports) wrong.push(`${kind} ${id} says ${used_ports} ports are used, ${used} are`)
    }
  }
  return wrong
}

/** A cable end is at a port of the named device, and that port has the cable. Ports of carriers have no record. */
function endViolations(cable: CableRecord, ports: ReadonlyMap<number, PlacedPort>): string[] {
  const who = `cable ${cable.id}`
  const wrong: string[] = []
  for (const [name, end] of [['A', cable.a] as const, ['B', cable.b] as const]) {
    if ((end === null) !== (cable.dangling_end === name)) wrong.push(`${who}: end ${name} dangles or not`)
    if (end === null || end.device_kind === 'Upstream') continue
    const placed = ports.get(Number(end.port_id))
    if (placed === undefined)
      wrong.push(`${who}: end ${name} is in port ${end.port_id}, which does not exist`)
    else if (placed.kind !== end.device_kind || placed.device !== Number(end.device_id)) {
      wrong.push(
        `${who}: port ${end.port_id} is one of ${placed.kind} ${placed.device}, not of its end ${name}`,
      )
    } else if (!placed.port.cable_ids.some((id) => Number(id) === Number(cable.id))) {
      wrong.push(`${who}: port ${end.port_id} at end ${name} does not have it`)
    }
  }
  const { a, b } = cable
  for (const [one, other] of [[a, b] as const, [b, a] as const]) {
    if (one === null || other === null) continue
    const peer = ports.get(Number(one.port_id))?.port.peer
    if (peer !== undefined && Number(peer?.port_id) !== Number(other.port_id)) {
      wrong.push(`${who}: the peer of port ${one.port_id} is not at its other end`)
    }
  }
  const host = a?.device_kind === 'Host' ? Number(a.device_id) : null
  const toSwitch = b?.device_kind === 'Switch' ? Number(b.device_id) : null
  if ((cable.from_host === null ? null : Number(cable.from_host)) !== host) wrong.push(`${who}: from_host`)
  if ((cable.to_switch === null ? null : Number(cable.to_switch)) !== toSwitch)
    wrong.push(`${who}: to_switch`)
  return wrong
}

/** The path leads from port to port, through trays, and through panels that have the cable in one of their ports. */
function wayViolations(cable: CableRecord, { patchPanels }: Collections): string[] {
  const who = `cable ${cable.id}`
  const wrong: string[] = []
  const { path } = cable
  const ends = [path[0], path.at(-1)].map((step) => (step && 'Port' in step ? Number(step.Port) : null))
  if (ends[0] !== Number(cable.a?.port_id) || ends[1] !== Number(cable.b?.port_id)) {
    wrong.push(`${who}: its way does not go from end to end`)
  }
  const trays = path.flatMap((step) => ('Tray' in step ? [Number(step.Tray)] : []))
  if (trays.join() !== cable.routed_via.map(Number).join()) wrong.push(`${who}: lies in other trays`)
  if (cable.route_slots.length !== trays.length) wrong.push(`${who}: has not a slot in each tray`)
  for (const step of path) {
    if (!('PatchPanel' in step)) continue
    const panel = patchPanels.find(({ id }) => Number(id) === Number(step.PatchPanel))
    const has = panel?.ports.some(({ cable_ids }) => cable_ids.some((id) => Number(id) === Number(cable.id)))
    if (has !== true) wrong.push(`${who}: panel ${step.PatchPanel} does not have it`)
  }
  return wrong
}

function portViolations(
  id: number,
  { kind, device, port }: PlacedPort,
  ports: ReadonlyMap<number, PlacedPort>,
  cables: ReadonlyMap<number, CableRecord>,
): string[] {
  const who = `port ${id} of ${kind} ${device}`
  const wrong: string[] = []
  for (const cableId of port.cable_ids) {
    const cable = cables.get(Number(cableId))
    if (cable === undefined) wrong.push(`${who}: cable ${cableId} does not exist`)
    else if (cable.is_failed && (port.active || port.link === 'Up')) {
      wrong.push(`${who}: has a link over cable ${cableId}, which is cut`)
    } else if (kind !== 'PatchPanel') {
      const isEnd = [cable.a, cable.b].some((end) => Number(end?.port_id) === id)
      if (!isEnd) wrong.push(`${who}: cable ${cableId} does not end there`)
    }
  }
  if (kind === 'PatchPanel') return wrong
  if ((port.peer === null) !== (port.cable_ids.length === 0))
    wrong.push(`${who}: a cable without a peer, or none`)
  if ((port.state === 'Free') !== (port.cable_ids.length === 0)) wrong.push(`${who}: is free, or not`)
  if (port.active && port.link === 'Down') wrong.push(`${who}: is active without a link`)
  if (port.peer === null || port.peer.device_kind === 'Upstream') return wrong
  const other = ports.get(Number(port.peer.port_id))
  if (other === undefined) return [...wrong, `${who}: its peer ${port.peer.port_id} does not exist`]
  const { device_kind, device_id, port_index } = port.peer
  if (other.kind !== device_kind || other.device !== Number(device_id) || other.port.index !== port_index) {
    wrong.push(`${who}: its peer is port ${other.port.index} of ${other.kind} ${other.device}`)
  }
  if (Number(other.port.peer?.port_id) !== id) wrong.push(`${who}: its peer has another peer`)
  if (other.port.active !== port.active)
    wrong.push(`${who}: is active, its peer is not, or the other way round`)
  if (other.port.cable_ids.join() !== port.cable_ids.join()) wrong.push(`${who}: its peer has another cable`)
  return wrong
}
