import type { Collections, PortRecord, Snapshot } from '../../../src/contract/collections.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'

/** A world at the time of a check. Its records are updated in place afterwards. */
export interface CheckedWorld {
  readonly sim: Simulation
  readonly snapshot: Snapshot
}

/** Returns the violations in a world at one time, each with the names of the records; empty if there are none. */
export type Check = (look: CheckedWorld) => string[]

export const checkedWorldOf = (sim: Simulation): CheckedWorld => ({ sim, snapshot: sim.snapshot() })

/** The collections of devices with port records, by the kind in cable ends. */
const deviceCollections = {
  Gateway: 'gateways',
  Switch: 'switches',
  Appliance: 'appliances',
  PatchPanel: 'patchPanels',
  Host: 'hosts',
} as const satisfies Record<string, keyof Collections>
type PortedKind = keyof typeof deviceCollections
export const portedKinds = Object.keys(deviceCollections) as PortedKind[]

interface PortedDevice {
  readonly id: number | bigint
  readonly ports: readonly PortRecord[]
}

export const devicesOf = (collections: Collections, kind: PortedKind): readonly PortedDevice[] =>
  collections[deviceCollections[kind]]

export interface PlacedPort {
  readonly kind: PortedKind
  readonly device: number
  readonly port: PortRecord
}

/** All ports with records, by id. */
export function portsById(collections: Collections): Map<number, PlacedPort> {
  const ports = new Map<number, PlacedPort>()
  for (const kind of portedKinds) {
    for (const { id, ports: own } of devicesOf(collections, kind)) {
      for (const port of own) ports.set(Number(port.port_id), { kind, device: Number(id), port })
    }
  }
  return ports
}

export function sum<T>(of: Iterable<T>, value: (item: T) => number): number {
  let total = 0
  for (const item of of) total += value(item)
  return total
}
