import { collectionNames } from '../../../src/contract/collections.ts'
import type { CollectionName, Snapshot } from '../../../src/contract/collections.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { UpstreamPublish } from '../attached/fake-upstream.ts'

export type Json = Record<string, unknown>

/** A world as an upstream shows it: every record is plain JSON. */
export interface PlainWorld {
  readonly simTimeNs: number
  readonly collections: Readonly<Record<CollectionName, readonly Json[]>>
  readonly events: readonly Json[]
  readonly diagnostics: Json
}

const hoursMax = 72

/** A small world at the first hour at which every collection has a record. */
export function worldWithEveryCollection(): PlainWorld {
  const simulation = createSimulation({ seed: 13n, scale: 12, warmUp: 0, scenario: null, speed: 60 })
  for (let hour = 1; hour <= hoursMax; hour++) {
    for (let step = 0; step < 360; step++) simulation.step()
    const snapshot = simulation.snapshot()
    if (collectionNames.every((name) => snapshot.collections[name].length > 0)) return plain(snapshot)
  }
  throw new Error(`Some collection is empty for ${hoursMax} hours: choose another seed.`)
}

/** The world is young and small: a double holds all of its numbers. */
function plain({ simTimeNs, collections, events, diagnostics }: Snapshot): PlainWorld {
  const text = JSON.stringify({ simTimeNs, collections, events, diagnostics }, (_name, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  return JSON.parse(text) as PlainWorld
}

/** The world with other records in some collections. */
export const withRecords = (
  world: PlainWorld,
  names: readonly CollectionName[],
  change: (record: Json) => Json,
): PlainWorld => ({
  ...world,
  collections: {
    ...world.collections,
    ...Object.fromEntries(names.map((name) => [name, world.collections[name].map(change)])),
  },
})

const texts = (records: readonly Json[]): string[] => records.map((record) => JSON.stringify(record))

/** The world stands still: publishes differ in their number alone. */
export function publishOf(world: PlainWorld, publishSeq: number): UpstreamPublish {
  const { simTimeNs, collections, events, diagnostics } = world
  return {
    publishSeq,
    simTimeNs: BigInt(simTimeNs),
    collections: Object.fromEntries(collectionNames.map((name) => [name, texts(collections[name])])),
    events: events.map((event) => ({ atNs: BigInt(event['at_ns'] as number), json: JSON.stringify(event) })),
    diagnostics: JSON.stringify(diagnostics),
  }
}
