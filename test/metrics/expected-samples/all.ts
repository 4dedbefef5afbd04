import { sampleKey } from '../sample-names.ts'
import { expectedLinks, expectedPorts } from './cabling.ts'
import { expectedCustomers, expectedMoney, expectedProspects, expectedServices } from './customers.ts'
import {
  expectedAppliances,
  expectedGateways,
  expectedSegments,
  expectedSwitches,
  expectedThreats,
} from './network.ts'
import { expectedIncidents, expectedTotals, expectedWork } from './operations.ts'
import { expectedHosts, expectedPools, expectedRacks, expectedZones } from './facility.ts'
import type { ExpectedFamily, ExpectedFamilies, WorldJson } from './expected-family.ts'
import { expectedClock, expectedFleet } from './world.ts'

/** What a scrape has to contain of a world at any age, family by family. */
export const expectedAlways: ExpectedFamilies = {
  ...expectedClock,
  ...expectedFleet,
  ...expectedZones,
  ...expectedRacks,
  ...expectedPools,
  ...expectedHosts,
  ...expectedSwitches,
  ...expectedGateways,
  ...expectedAppliances,
  ...expectedThreats,
  ...expectedLinks,
  ...expectedPorts,
  ...expectedSegments,
  ...expectedCustomers,
  ...expectedServices,
  ...expectedMoney,
  ...expectedProspects,
  ...expectedIncidents,
  ...expectedWork,
}

/** What it has to contain of a young world, all events of which are still in the window. */
export const expectedWhileYoung: ExpectedFamilies = { ...expectedAlways, ...expectedTotals }

/** Values of a family by sample. */
export type Scraped = ReadonlyMap<string, ReadonlyMap<string, number>>

const agrees = (scraped: number, wanted: number): boolean =>
  Math.abs(scraped - wanted) <= Math.abs(wanted) * 1e-12

function expected(family: string, { samples }: ExpectedFamily, world: WorldJson): Map<string, number> {
  return new Map(
    samples(world).map(({ suffix = '', labels, value }) => {
      const written = Object.entries(labels).filter(([, label]) => label !== null && label !== '')
      return [
        sampleKey(
          family + suffix,
          written.map(([name, label]) => [name, String(label)]),
        ),
        value,
      ]
    }),
  )
}

/** Every difference between samples and what the world's JSON gives for the same families. */
export function differences(families: ExpectedFamilies, world: WorldJson, scraped: Scraped): string[] {
  return Object.entries(families).flatMap(([family, declared]) => {
    const meant = expected(family, declared, world)
    const samples = scraped.get(family) ?? new Map<string, number>()
    const wrong: string[] = []
    for (const [sample, value] of meant) {
      const found = samples.get(sample)
      const isThere = found === undefined ? declared.zerosBeside && value === 0 : agrees(found, value)
      if (!isThere) wrong.push(`${sample}: ${found ?? 'nothing'} instead of ${value}`)
    }
    for (const [sample, value] of samples) {
      const isMeant = meant.has(sample) || (declared.zerosBeside && value === 0)
      if (!isMeant) wrong.push(`${sample}: ${value} instead of nothing`)
    }
    return wrong
  })
}
