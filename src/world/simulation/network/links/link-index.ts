import type { Topology } from '../../topology/tables.ts'
import { deviceKind } from '../../topology/tables.ts'

/** Every link as a pair of ports, with the slots of the devices at its ends in one column of running devices. */
export interface LinkIndex {
  readonly count: number
  readonly a: Int32Array
  readonly b: Int32Array
  readonly cable: Int32Array
  readonly deviceA: Int32Array
  readonly deviceB: Int32Array
  /** By slot: hosts, switches, gateways, appliances, then one slot for all devices that never fail. */
  readonly up: Uint8Array
  readonly firstSwitch: number
  readonly firstGateway: number
  readonly firstAppliance: number
  /** Links that lose frames: the first `lossyLinks` of the network. */
  readonly lossy: Int32Array
  /** Links with a flapping port: the first `flappingLinks` of the network. */
  readonly flapping: Int32Array
  /** The versions of `Condition` and of the facility that the link states reflect. */
  conditionVersion: number
  facilityVersion: number
}

export function createLinkIndex(topology: Topology): LinkIndex {
  const { hosts, switches, gateways, appliances, ports } = topology
  const firstSwitch = hosts.capacity
  const firstGateway = firstSwitch + switches.capacity
  const firstAppliance = firstGateway + gateways.capacity
  const always = firstAppliance + appliances.capacity
  const slotOf = (port: number): number => {
    const device = ports.device[port]
    switch (ports.deviceKind[port]) {
      case deviceKind.Host:
        return device
      case deviceKind.Switch:
        return firstSwitch + device
      case deviceKind.Gateway:
        return firstGateway + device
      case deviceKind.Appliance:
        return firstAppliance + device
      default:
        return always
    }
  }
  const a: number[] = []
  for (let port = 0; port < ports.count; port++) if (ports.peer[port] > port) a.push(port)
  const up = new Uint8Array(always + 1)
  up[always] = 1
  return {
    count: a.length,
    a: Int32Array.from(a),
    b: Int32Array.from(a, (port) => ports.peer[port]),
    cable: Int32Array.from(a, (port) => ports.cable[port]),
    deviceA: Int32Array.from(a, slotOf),
    deviceB: Int32Array.from(a, (port) => slotOf(ports.peer[port])),
    up,
    firstSwitch,
    firstGateway,
    firstAppliance,
    lossy: new Int32Array(a.length),
    flapping: new Int32Array(a.length),
    conditionVersion: -1,
    facilityVersion: -1,
  }
}
