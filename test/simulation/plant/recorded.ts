import type { ScaleName } from '../../../src/simulation/plant/sizing.ts'
import { createPlantRecords, type PlantRecords } from '../../../src/simulation/records/plant.ts'
import type { WorldState } from '../../../src/simulation/state.ts'
import { loadEvenly, type Rig, rig, step } from '../network/rig.ts'

/** The physical world with the records of its plant. */
export interface Recorded {
  readonly world: Rig
  readonly records: PlantRecords
}

export function recorded(scale: number | ScaleName, seed = 1n): Recorded {
  const world = rig(scale, seed)
  const staffed = Object.assign(world, { work: { costPerHour: 120 } as WorldState['work'] })
  loadEvenly(world, 0.2, 0.5, 0.4)
  const records = createPlantRecords(staffed)
  after(world, records, 3)
  return { world, records }
}

export function after(world: Rig, records: PlantRecords, steps: number): void {
  step(world, steps)
  records.update()
}
