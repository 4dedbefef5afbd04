import type { CollectionName, Collections } from '../../../src/contract/collections.ts'
import { asScraped, asWritten } from '../sample-names.ts'
import type { ParsedFamily } from '../parsed-exposition.ts'
import type { Stored } from '../real-prometheus.ts'
import type { Scraped } from './all.ts'
import type { WorldJson } from './expected-family.ts'

const pageLength = 1_000

const routes: Readonly<Record<CollectionName, string>> = {
  azs: 'azs',
  customers: 'customers',
  hostPools: 'host-pools',
  hosts: 'hosts',
  incidents: 'incidents',
  resolvedIncidents: 'incidents/resolved',
  gateways: 'network/gateways',
  cables: 'network/cables',
  segments: 'network/segments',
  subnets: 'network/subnets',
  appliances: 'network/appliances',
  switches: 'network/switches',
  patchPanels: 'network/patch-panels',
  prospects: 'prospects',
  quests: 'quests',
  workOrders: 'work-orders',
}

/** Reads a whole world over HTTP, every answer of the same publish. */
export async function readWorld(url: string, publishSeq: string): Promise<WorldJson> {
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${url}/api/v1/${path}`)
    const seq = answer.headers.get('x-sim-publish-seq')
    if (seq !== publishSeq) throw new Error(`${path} is of publish ${seq}, not ${publishSeq}.`)
    return (await answer.json()) as T
  }
  const collections: Partial<Record<CollectionName, unknown[]>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const items: unknown[] = []
    for (let total = 1; items.length < total; ) {
      const page = await get<{ items: unknown[]; total: number }>(
        `${route}?limit=${pageLength}&offset=${items.length}`,
      )
      items.push(...page.items)
      total = page.total
    }
    collections[name as CollectionName] = items
  }
  return {
    collections: collections as Collections,
    diagnostics: await get<WorldJson['diagnostics']>('diagnostics'),
    events: (await get<{ items: WorldJson['events'] }>(`events?limit=${pageLength}`)).items,
  }
}

/** The samples of a scrape, family by family. */
export const samplesOf = (parsed: ReadonlyMap<string, ParsedFamily>): Scraped =>
  new Map(
    [...parsed].map(([family, { samples }]) => [
      family,
      new Map([...samples].map(([sample, value]) => [asScraped(sample), value])),
    ]),
  )

/** Stored samples by the family that they are of, given the families there are. */
export function byFamily(stored: readonly Stored[], families: readonly string[]): Scraped {
  const known = new Set(families)
  const grouped = new Map<string, Map<string, number>>()
  for (const sample of stored) {
    const name = sample.metric['__name__']
    const family = known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')
    const samples = grouped.get(family) ?? new Map<string, number>()
    samples.set(asWritten(sample), sample.value)
    grouped.set(family, samples)
  }
  return grouped
}
