import { sampleKey } from '../sample-names.ts'
import { statedLinks, statedPorts } from './cabling.ts'
import { statedCustomers, statedMoney, statedProspects, statedServices } from './customers.ts'
import { statedAppliances, statedGateways, statedSegments, statedSwitches, statedThreats } from './network.ts'
import { statedIncidents, statedTotals, statedWork } from './operations.ts'
import { statedHosts, statedPools, statedRacks, statedZones } from './plant.ts'
import type { Statement, Statements, WorldJson } from './statement.ts'
import { statedClock, statedFleet } from './world.ts'

/** What a scrape has to say of a world at any age, family by family. */
export const statedAlways: Statements = {
  ...statedClock,
  ...statedFleet,
  ...statedZones,
  ...statedRacks,
  ...statedPools,
  ...statedHosts,
  ...statedSwitches,
  ...statedGateways,
  ...statedAppliances,
  ...statedThreats,
  ...statedLinks,
  ...statedPorts,
  ...statedSegments,
  ...statedCustomers,
  ...statedServices,
  ...statedMoney,
  ...statedProspects,
  ...statedIncidents,
  ...statedWork,
}

/** What it has to say of a young world. */
export const statedWhileYoung: Statements = { ...statedAlways, ...statedTotals }

/** Values of a family by sample. */
export type Scraped = ReadonlyMap<string, ReadonlyMap<string, number>>

const agrees = (scraped: number, stated: number): boolean =>
  Math.abs(scraped - stated) <= Math.abs(stated) * 1e-12

function expected(family: string, { samples }: Statement, world: WorldJson): Map<string, number> {
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

/** Every difference between samples and what the world's JSON says of the same families. */
export function differences(statements: Statements, world: WorldJson, scraped: Scraped): string[] {
  return Object.entries(statements).flatMap(([family, statement]) => {
    const meant = expected(family, statement, world)
    const samples = scraped.get(family) ?? new Map<string, number>()
    const wrong: string[] = []
    for (const [sample, value] of meant) {
      const found = samples.get(sample)
      const isThere = found === undefined ? statement.zerosBeside && value === 0 : agrees(found, value)
      if (!isThere) wrong.push(`${sample}: ${found ?? 'nothing'} instead of ${value}`)
    }
    for (const [sample, value] of samples) {
      const isMeant = meant.has(sample) || (statement.zerosBeside && value === 0)
      if (!isMeant) wrong.push(`${sample}: ${value} instead of nothing`)
    }
    return wrong
  })
}
