import { buildPlant } from '../../../src/simulation/plant/build.ts'
import type { ScaleName } from '../../../src/simulation/plant/sizing.ts'
import type { DeviceTable, Plant } from '../../../src/simulation/plant/tables.ts'
import { RandomStreams } from '../../../src/simulation/random.ts'

export interface PlantCase {
  /** What reproduces the plant, for messages. */
  readonly name: string
  readonly seed: bigint
  readonly scale: number | ScaleName
}

const plantCase = (seed: number, scale: number | ScaleName): PlantCase => ({
  name: `seed ${seed}, scale ${scale}`,
  seed: BigInt(seed),
  scale,
})

const seeds = Array.from({ length: 50 }, (_, index) => 1 + index * 7919)

/** Fifty seeds at every named scale, and sizes at which something is about to change. */
export const plantCases: readonly PlantCase[] = [
  ...(['small', 'medium', 'large'] as const).flatMap((scale) => seeds.map((seed) => plantCase(seed, scale))),
  ...[1, 2, 3, 5, 6, 7, 23, 24, 25, 59, 60, 61, 333, 499, 500, 4_999, 5_000].map((hosts) =>
    plantCase(hosts, hosts),
  ),
]

export const plantOf = ({ seed, scale }: PlantCase): Plant => buildPlant(new RandomStreams(seed), scale)

/** What each of the functions finds in any of the plants, with what reproduces it. */
export function offences<K extends string>(
  finders: Readonly<Record<K, (plant: Plant) => readonly string[]>>,
): Record<K, string[]> {
  const found = Object.fromEntries(Object.keys(finders).map((name) => [name, []])) as unknown as Record<
    K,
    string[]
  >
  for (const one of plantCases) {
    const plant = plantOf(one)
    for (const name of Object.keys(finders) as K[]) {
      for (const offence of finders[name](plant)) found[name].push(`${one.name}: ${offence}`)
    }
  }
  return found
}

export const deviceTables = (plant: Plant): Record<string, DeviceTable> => ({
  host: plant.hosts,
  switch: plant.switches,
  gateway: plant.gateways,
  appliance: plant.appliances,
  panel: plant.panels,
})
