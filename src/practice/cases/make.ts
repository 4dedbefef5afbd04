/** Runs the worlds of a case, and tells what it shows and what is true. */
import type { EventRecord, Snapshot } from '../../contract/collections.ts'
import type { RootKind } from '../../contract/vocabularies.ts'
import { compareWorlds, follow, followCustomers } from '../twins/compare-worlds.ts'
import type { WorldDifferences } from '../twins/compare-worlds.ts'
import { compareCustomers, costOf } from '../twins/customer-harm.ts'
import type { HarmLog } from '../twins/customer-harm.ts'
import { pathTo } from '../twins/effect-paths.ts'
import { continueFrom, injectInto, rootsOf } from '../twins/branch-point.ts'
import type { BranchPoint } from '../twins/branch-point.ts'
import { entityKey, topologyGraph } from '../twins/topology-graph.ts'
import type { TopologyEdge } from '../twins/topology-graph.ts'
import { microsOf, second } from '../../world/built-in-world.ts'
import type { Micros } from '../../world/built-in-world.ts'
import { actionRules, breakingActions } from '../../world/scenario-language.ts'
import type { ActionLine } from '../../world/scenario-language.ts'
import { windowSeconds } from './plan.ts'
import type { CasePlan, CaseSort } from './plan.ts'
import { CaseTable, statusSeries } from './series.ts'

/** Why a candidate is no case. */
export type Discarded =
  | 'a customer was hurt anyway'
  | 'nothing fit the action'
  | 'a fault hurt no customer'
  | 'work or demand hurt a customer'

export const caseTiers = ['gauge', 'consequences', 'overlapping', 'incomplete', 'healthy'] as const
type CaseTier = (typeof caseTiers)[number]

/** An entity and what is wrong with it. */
interface Blamed {
  readonly entity: string
  readonly kind: string
}

/** The truth about a case. Entities are keys in a case, and names in files. */
export interface CaseTruth {
  readonly tier: CaseTier
  readonly sort: CaseSort
  readonly faults: readonly (Blamed & { readonly at_seconds: number })[]
  readonly effects: readonly {
    readonly entity: string
    readonly since_seconds: number
    /** The entity that it has the effect from, and the steps from the fault; null where no path leads to it. */
    readonly from: string | null
    readonly hops: number | null
    readonly consequence: string | null
  }[]
  readonly customers: readonly {
    readonly entity: string
    readonly since_seconds: number
    readonly hurt_seconds: number
    readonly failed_requests: number
    readonly cost_dollars: number
    /** From the fault to the customer. */
    readonly path: readonly string[]
  }[]
  /** The suspects of the operators of the world at the end of the window, the likeliest first. */
  readonly suspects: readonly Blamed[]
}

/** An edge, and the first and last minute at which it is there. */
interface TimedEdge extends TopologyEdge {
  readonly fromSeconds: number
  untilSeconds: number
}

export interface Case {
  readonly table: CaseTable
  readonly events: readonly EventRecord[]
  readonly edges: readonly TimedEdge[]
  readonly names: ReadonlyMap<string, string>
  /** Simulated time at the beginning of the window. */
  readonly begin: Micros
  readonly truth: CaseTruth
}

const minute = 60
/** Share of the telemetry that is missing from an incomplete case. */
const missingShare = 0.3

const hasFaults = ({ sort }: CasePlan): boolean => sort === 'fault' || sort === 'overlapping'

/** Runs worlds without their series, which takes a tenth of the time, as most candidates are no cases. */
function screen(branch: BranchPoint, plan: CasePlan): Discarded | null {
  const follow = (actions: readonly ActionLine[]) => {
    const world = continueFrom(branch)
    const outcomes = injectInto(world, actions)
    return { log: followCustomers(world, windowSeconds, minute), outcomes }
  }
  const { actions } = plan
  const calm = follow([]).log
  if (!isCalm(calm)) return 'a customer was hurt anyway'
  if (actions.length === 0) return null
  const { log, outcomes } = follow(actions)
  if (outcomes.some(({ targets }) => targets.length === 0)) return 'nothing fit the action'
  if (!hasFaults(plan)) return hurtsMore(calm, log) ? 'work or demand hurt a customer' : null
  const withoutOne = (index: number): HarmLog =>
    actions.length === 1 ? calm : follow(actions.toSpliced(index, 1)).log
  return actions.every((_, index) => hurtsMore(withoutOne(index), log)) ? null : 'a fault hurt no customer'
}

const hurtsMore = (less: HarmLog, more: HarmLog): boolean =>
  compareCustomers(less, more).some(({ hurtSeconds }) => hurtSeconds > 0)

/** No customer is hurt who was not at the beginning: some are slow all the time by the size that they bought. */
const isCalm = ([first, ...later]: HarmLog): boolean =>
  later.every(({ customers }) =>
    customers.entries().every(([id, { isHurt }]) => !isHurt || first.customers.get(id)?.isHurt === true),
  )

export function makeCase(branch: BranchPoint, plan: CasePlan): Case | Discarded {
  const reason = screen(branch, plan)
  if (reason !== null) return reason
  const [baseline, changed] = [continueFrom(branch), continueFrom(branch)]
  const outcomes = injectInto(changed, plan.actions)
  const begin = changed.now
  const actsAtSeconds = (plan.actions[0]?.at ?? 0) / second
  const table = new CaseTable()
  const events = new Map<bigint, EventRecord>()
  const edges = new EdgeLog()
  const differences = compareWorlds({
    baseline,
    changed,
    lastsSeconds: windowSeconds,
    actsAtSeconds,
    roots: () => rootsOf(outcomes),
    onMinute(seconds, snapshot) {
      table.add(seconds, snapshot)
      edges.note(seconds, snapshot)
      for (const event of snapshot.events) events.set(BigInt(event.at_ns), event)
    },
  })
  const faults = outcomes.map(({ action, entities: [{ kind, id }], began }) => ({
    entity: entityKey(kind, id ?? 0),
    kind: 'action' in action ? action.action : action.remedy,
    at_seconds: (began - begin) / second,
  }))
  if (plan.isIncomplete) table.hide(plan.random, missingShare)
  return {
    table,
    events: [...events.values()].filter(({ at_ns: at }) => microsOf(BigInt(at)) >= begin),
    edges: edges.edges,
    names: edges.names,
    begin,
    truth: {
      tier: tierOf(plan, differences, rootsOf(outcomes)),
      sort: plan.sort,
      faults: hasFaults(plan) ? faults : [],
      ...effectsOf(differences, actsAtSeconds),
      suspects: suspectsOf(branch, plan.actions, begin),
    },
  }
}

function tierOf(plan: CasePlan, { entities }: WorldDifferences, roots: readonly string[]): CaseTier {
  if (!hasFaults(plan)) return 'healthy'
  if (plan.isIncomplete) return 'incomplete'
  if (plan.sort === 'overlapping') return 'overlapping'
  const ofRoots = entities.filter(({ key }) => roots.includes(key)).flatMap(({ series }) => series)
  return ofRoots.some(({ family }) => statusSeries.includes(family)) ? 'gauge' : 'consequences'
}

const effectsOf = (
  { entities, customers }: WorldDifferences,
  actsAtSeconds: number,
): Pick<CaseTruth, 'effects' | 'customers'> => ({
  effects: entities.map(({ key, sinceSeconds, from, hops, consequence }) => ({
    entity: key,
    since_seconds: sinceSeconds,
    from,
    hops,
    consequence,
  })),
  customers: customers
    .filter(({ hurtSeconds }) => hurtSeconds > 0)
    .map((customer) => ({
      entity: entityKey('Customer', customer.id),
      // The minute in which a customer is hurt first may begin before the fault.
      since_seconds: Math.max(customer.sinceSeconds!, actsAtSeconds),
      hurt_seconds: customer.hurtSeconds,
      failed_requests: Math.round(customer.failedRequests),
      cost_dollars: Math.round(costOf(customer) * 100) / 100,
      path: pathTo(entities, entityKey('Customer', customer.id)).map(({ key }) => key),
    })),
})

/** The suspects of operators who work on incidents, other than those of a blind world. */
function suspectsOf(
  { options, state }: BranchPoint,
  actions: readonly ActionLine[],
  begin: Micros,
): Blamed[] {
  const world = continueFrom({ options: { ...options, blind: false }, state })
  injectInto(world, actions)
  follow(world, windowSeconds, windowSeconds, () => {})
  const { incidents, resolvedIncidents } = world.feedSnapshot().collections
  return [...incidents, ...resolvedIncidents]
    .filter(({ started_at_ns: at }) => microsOf(BigInt(at)) >= begin)
    .flatMap(({ causes }) => causes)
    .filter(({ cleared, entity_id: id }) => !cleared && id !== null)
    .toSorted((a, b) => b.confidence - a.confidence)
    .map(({ root_kind: kind, entity_id: id }) => ({ entity: entityKey(targetKindOf(kind), id!), kind }))
}

/** The kind of target of a kind of fault; those without an action are shortages of a customer's hosts. */
function targetKindOf(kind: RootKind): string {
  const action = breakingActions.find((name) => name === kind)
  return action === undefined ? 'Customer' : actionRules[action].targets[0]
}

/** Follows the topology minute by minute. */
class EdgeLog {
  readonly names = new Map<string, string>()
  readonly #edges = new Map<string, TimedEdge>()

  note(seconds: number, snapshot: Snapshot): void {
    const { names, edges } = topologyGraph(snapshot)
    for (const [key, name] of names) this.names.set(key, name)
    for (const edge of edges) {
      const text = `${edge.kind} ${edge.from} ${edge.to}`
      const known = this.#edges.get(text)
      if (known === undefined) this.#edges.set(text, { ...edge, fromSeconds: seconds, untilSeconds: seconds })
      else known.untilSeconds = seconds
    }
  }

  get edges(): TimedEdge[] {
    return [...this.#edges.values()]
  }
}
