import type { Collections, PortRecord, Snapshot } from '../../../src/contract/collections.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'

/** A world at the moment at which it is looked at. Its records are updated in place afterwards. */
export interface WorldView {
  readonly sim: Simulation
  readonly snapshot: Snapshot
}

/** What is wrong with a world at one moment, in words that name the records; nothing where all is right. */
export type Check = (look: WorldView) => string[]

export const viewOf = (sim: Simulation): WorldView => ({ sim, snapshot: sim.snapshot() })

/** The devices whose ports have records, by the name that ends of cables have for their kind. */
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

/** All ports that have records, by their ids. */
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
