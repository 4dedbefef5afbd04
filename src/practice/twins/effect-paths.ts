import type { SeriesDifference } from './series-comparison.ts'
import { entityOfSeries } from './topology-graph.ts'
import type { TopologyGraph } from './topology-graph.ts'

/** Why something that no path reaches differs: through people and orders, contracts, money, or in sums. */
type Consequence = 'work' | 'business' | 'money' | 'sum'

/** An entity with a series that differs between two worlds, or a root from which others have their difference. */
export interface EntityDifference {
  /** Kind and id; `World` for series of no entity, `Books` for all in dollars. */
  readonly key: string
  readonly name: string
  readonly sinceSeconds: number
  readonly series: readonly SeriesDifference[]
  /** The entity that it has the difference from; null at the root, and where no path leads to it. */
  readonly from: string | null
  /** Steps from the root; null where no path leads to it. */
  readonly hops: number | null
  /** Null where a path leads to it, or nothing explains it. */
  readonly consequence: Consequence | null
}

/** Collectors of what people do, and of contracts that are being made: they reach everything in the end. */
const consequenceOf: Readonly<Record<string, Consequence>> = {
  incidents: 'work',
  work: 'work',
  prospects: 'business',
}
const isMoney = ({ family }: SeriesDifference): boolean => family.includes('_dollars')

interface Reached {
  readonly from: string | null
  readonly hops: number
  readonly isSum: boolean
}

/**
 * The entities that differ, in order of time and of distance from the roots. A path leads through entities that differ
 * themselves, and not through sums.
 */
export function entityDifferences(
  series: readonly SeriesDifference[],
  graph: TopologyGraph,
  feedIds: ReadonlyMap<string, number | bigint>,
  roots: readonly string[],
): EntityDifference[] {
  const byEntity = Map.groupBy(series, (found) =>
    isMoney(found) ? books : (entityOfSeries(found.labels, feedIds) ?? world),
  )
  const reached = reachFrom(roots, graph, new Set(byEntity.keys()))
  const firstOf = new Map<Consequence, number>()
  for (const { collector, sinceSeconds } of series) {
    const consequence = consequenceOf[collector]
    if (consequence !== undefined && !firstOf.has(consequence)) firstOf.set(consequence, sinceSeconds)
  }
  const found = Array.from(byEntity, ([key, own]): EntityDifference => {
    const way = reached.get(key) ?? null
    const sinceSeconds = own[0].sinceSeconds
    const explanation = (): Consequence | null => {
      if (key === world || key === books) return key === world ? 'sum' : 'money'
      return (
        (['work', 'business'] as const).find((name) => (firstOf.get(name) ?? Infinity) <= sinceSeconds) ??
        null
      )
    }
    return {
      key,
      name: graph.names.get(key) ?? key,
      sinceSeconds,
      series: own,
      from: way?.from ?? null,
      hops: way?.hops ?? null,
      consequence: way === null ? explanation() : null,
    }
  })
  // A fault may show elsewhere alone.
  const silent = roots.filter((root) => !byEntity.has(root) && found.some(({ from }) => from === root))
  const known = silent.map((key): EntityDifference => {
    const sinceSeconds = Math.min(
      ...found.filter(({ from }) => from === key).map((each) => each.sinceSeconds),
    )
    const name = graph.names.get(key) ?? key
    return { key, name, sinceSeconds, series: [], from: null, hops: 0, consequence: null }
  })
  return [...known, ...found].toSorted(
    (a, b) => a.sinceSeconds - b.sinceSeconds || (a.hops ?? Infinity) - (b.hops ?? Infinity),
  )
}

const world = 'World'
const books = 'Books'

/** Breadth first, so that every way is a shortest one. Sums are ends. */
function reachFrom(
  roots: readonly string[],
  { edges }: TopologyGraph,
  differing: ReadonlySet<string>,
): ReadonlyMap<string, Reached> {
  const outgoing = Map.groupBy(edges, ({ from }) => from)
  const reached = new Map<string, Reached>(roots.map((root) => [root, { from: null, hops: 0, isSum: false }]))
  for (const [key, { hops, isSum }] of reached) {
    if (isSum) continue
    for (const { to, kind } of outgoing.get(key) ?? [])
      if (differing.has(to) && (!reached.has(to) || (reached.get(to)!.isSum && kind !== 'sum')))
        setReached(reached, to, { from: key, hops: hops + 1, isSum: kind === 'sum' })
  }
  return reached
}

/** Deletes first, so that an entity that was a sum is visited again. */
function setReached(reached: Map<string, Reached>, key: string, way: Reached): void {
  reached.delete(key)
  reached.set(key, way)
}

/** The steps from the root to an entity, the root first. */
export function pathTo(entities: readonly EntityDifference[], key: string): EntityDifference[] {
  const byKey = new Map(entities.map((entity) => [entity.key, entity]))
  const path: EntityDifference[] = []
  for (let at = byKey.get(key); at !== undefined; at = at.from === null ? undefined : byKey.get(at.from))
    path.unshift(at)
  return path
}
