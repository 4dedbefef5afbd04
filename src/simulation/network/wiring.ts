import { deviceKind, type Plant } from '../plant/tables.ts'

/** Every link as a pair of ports, with the devices at its ends as slots of one column that tells which are up. */
export interface Wiring {
  readonly count: number
  readonly a: Int32Array
  readonly b: Int32Array
  readonly cable: Int32Array
  readonly deviceA: Int32Array
  readonly deviceB: Int32Array
  /** By slot: hosts, switches, gateways, appliances, then one for all that never goes down. */
  readonly up: Uint8Array
  readonly firstSwitch: number
  readonly firstGateway: number
  readonly firstAppliance: number
  /** Links with a port that flaps: the first `flappingCount`. */
  readonly flapping: Int32Array
  flappingCount: number
  /** The version of the marks that was looked at last. */
  seenVersion: number
}

export function layWiring(plant: Plant): Wiring {
  const { hosts, switches, gateways, appliances, ports } = plant
  const firstSwitch = hosts.count
  const firstGateway = firstSwitch + switches.count
  const firstAppliance = firstGateway + gateways.count
  const always = firstAppliance + appliances.count
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
    flapping: new Int32Array(a.length),
    flappingCount: 0,
    seenVersion: -1,
  }
}
