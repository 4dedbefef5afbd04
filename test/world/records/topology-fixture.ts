import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { countBytes } from '../../../src/world/simulation/network/counters.ts'
import { createEquipmentRecords } from '../../../src/world/records/equipment/equipment.ts'
import type { EquipmentRecords } from '../../../src/world/records/equipment/equipment.ts'
import type { WorldView } from '../../../src/world/simulation/state.ts'
import { loadEvenly, createNetworkFixture, step } from '../simulation/network/network-fixture.ts'
import type { NetworkFixture } from '../simulation/network/network-fixture.ts'

/** The physical world with the records of its equipment. */
interface RecordsFixture {
  readonly world: NetworkFixture
  readonly records: EquipmentRecords
}

export function createRecords(scale: number | ScaleName, seed = 1n): RecordsFixture {
  const world = createNetworkFixture(scale, seed)
  const staffed = Object.assign(world, { operations: { costPerHour: 120 } as WorldView['operations'] })
  loadEvenly(world, 0.2, 0.5, 0.4)
  const records = createEquipmentRecords(staffed, () => countBytes(world))
  advance(world, records, 3)
  return { world, records }
}

export function advance(world: NetworkFixture, records: EquipmentRecords, steps: number): void {
  step(world, steps)
  records.update()
}
