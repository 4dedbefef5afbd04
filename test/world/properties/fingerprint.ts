import { createHash } from 'node:crypto'
import type { Snapshot } from '../../../src/contract/collections.ts'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'

/** JSON that depends on values only, not on the order of fields. */
const canonicalJson = (part: unknown): string =>
  JSON.stringify(part, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })

/** One hash over all records of a snapshot, events, diagnostics and totals, without the publishing statistics. */
export function fingerprint(snapshot: Snapshot): string {
  const hash = createHash('sha256')
  const add = (part: unknown): void => {
    hash.update(canonicalJson(part))
  }
  const { simTimeNs, collections, events, newestEvictedNs, diagnostics, totals } = snapshot
  add([simTimeNs, newestEvictedNs, events])
  for (const [name, records] of Object.entries(collections)) {
    add(name)
    for (const record of records) add(record)
  }
  const { publish: _, ...world } = diagnostics
  add(world)
  const { events: counted, incidentsOpened, incidentsResolved, timeToResolve } = totals
  add([counted, incidentsOpened, incidentsResolved, timeToResolve])
  return hash.digest('hex')
}

export interface WorldToHash {
  readonly seed: bigint
  readonly scale: number | ScaleName
  readonly span: Micros
}

export const begin = ({ seed, scale }: WorldToHash): Simulation =>
  createSimulation({ seed, scale, scenario: null, warmUp: 0, speed: 60 })

/** Runs a world for its span, calls `each` after every step, and hashes the world. */
export function fingerprintAfter(world: WorldToHash, each: (sim: Simulation) => void = () => {}): string {
  const sim = begin(world)
  while (sim.state.now < world.span) {
    sim.step()
    each(sim)
  }
  return fingerprint(sim.snapshot())
}
