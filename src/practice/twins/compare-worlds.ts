/** Runs two worlds side by side from a moment at which they are alike, and yields what differs. */
import { createSampler } from '../../metrics/exposition/sampler.ts'
import type { Snapshot } from '../../contract/collections.ts'
import { stepSeconds } from '../../world/built-in-world.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import { compareCustomers, costOf, noteCustomers } from './customer-harm.ts'
import type { CustomerDifference, HarmLog } from './customer-harm.ts'
import { entityDifferences } from './effect-paths.ts'
import type { EntityDifference } from './effect-paths.ts'
import { SeriesComparison } from './series-comparison.ts'
import type { SeriesDifference } from './series-comparison.ts'
import { feedIdsOf, topologyGraph } from './topology-graph.ts'
import type { TopologyGraph } from './topology-graph.ts'

interface TwinOptions {
  /** The world in which less, or nothing, is done. */
  readonly baseline: BuiltInWorld
  readonly changed: BuiltInWorld
  readonly lastsSeconds: number
  /** Keys of the entities that something is done to, such as `Switch 3`; read once the worlds have run. */
  readonly roots: () => readonly string[]
  readonly onProgress?: (share: number) => void
  /** When the first of it is done; 0 by default. */
  readonly actsAtSeconds?: number
  /** Called at the beginning and every minute, with the changed world. */
  readonly onMinute?: (seconds: number, snapshot: Snapshot) => void
}

export interface WorldDifferences {
  readonly lastsSeconds: number
  /** In order of time. */
  readonly series: readonly SeriesDifference[]
  /** In order of time and of distance from the roots. */
  readonly entities: readonly EntityDifference[]
  /** The costliest first. */
  readonly customers: readonly CustomerDifference[]
  /** Revenue lost and credits paid by all customers together. */
  readonly costDollars: number
}

/** The interval between two samples, of which the world takes steps of 10 seconds. */
const sampleSeconds = 60
/** Just after something is done every step is sampled, so that differences can be put in order. */
const denseSeconds = 1_200

export function compareWorlds(options: TwinOptions): WorldDifferences {
  const { baseline, changed, lastsSeconds, roots, onProgress, onMinute, actsAtSeconds = 0 } = options
  const comparison = new SeriesComparison()
  const samplers = [createSampler(isOfWorld), createSampler(isOfWorld)]
  const logs: [HarmLog, HarmLog] = [[], []]
  const before = baseline.snapshot()
  const [graphBefore, feedIds] = [topologyGraph(before), feedIdsOf(before)]
  for (const [index, world] of [baseline, changed].entries()) noteCustomers(logs[index], 0, world.snapshot())
  onMinute?.(0, changed.snapshot())
  let after: Snapshot = before
  for (let seconds = stepSeconds; seconds <= lastsSeconds; seconds += stepSeconds) {
    baseline.step()
    changed.step()
    const isMinute = seconds % sampleSeconds === 0
    const isDense = seconds > actsAtSeconds && seconds <= actsAtSeconds + denseSeconds
    if (!isMinute && !isDense) continue
    const snapshots = [baseline.snapshot(), changed.snapshot()]
    comparison.compare(seconds, samplers[0](snapshots[0]), samplers[1](snapshots[1]))
    after = snapshots[1]
    if (!isMinute) continue
    for (const [index, log] of logs.entries()) noteCustomers(log, seconds, snapshots[index])
    onMinute?.(seconds, after)
    onProgress?.(seconds / lastsSeconds)
  }
  const series = comparison.differences()
  const graph = joined(graphBefore, topologyGraph(after))
  const customers = compareCustomers(...logs)
  return {
    lastsSeconds,
    series,
    entities: entityDifferences(series, graph, feedIds, roots()),
    customers,
    costDollars: customers.reduce((sum, customer) => sum + costOf(customer), 0),
  }
}

/** Not the mirror's own metrics. */
const isOfWorld = (name: string): boolean => !name.startsWith('dcsim_mirror_')

/** Entities come, and units move, while the worlds run. */
const joined = (a: TopologyGraph, b: TopologyGraph): TopologyGraph => ({
  names: new Map([...b.names, ...a.names]),
  edges: [...a.edges, ...b.edges],
})

/** Advances a world alone, and calls back at an interval. */
export function follow(
  world: BuiltInWorld,
  lastsSeconds: number,
  everySeconds: number,
  visit: (seconds: number) => void,
): void {
  for (let seconds = stepSeconds; seconds <= lastsSeconds; seconds += stepSeconds) {
    world.step()
    if (seconds % everySeconds === 0) visit(seconds)
  }
}

/** Advances a world alone and notes its customers at an interval, for a comparison without series. */
export function followCustomers(
  world: BuiltInWorld,
  lastsSeconds: number,
  everySeconds: number,
  onProgress?: (share: number) => void,
): HarmLog {
  const log: HarmLog = []
  noteCustomers(log, 0, world.snapshot())
  follow(world, lastsSeconds, everySeconds, (seconds) => {
    noteCustomers(log, seconds, world.snapshot())
    onProgress?.(seconds / lastsSeconds)
  })
  return log
}
