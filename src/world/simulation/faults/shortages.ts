import type { CauseKind } from '../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../state.ts'
import type { Micros } from '../time.ts'
import { minute } from '../time.ts'
import { targetKey, zonesOf } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Fault, FaultSpec } from './model.ts'

/**
 * Shortages of capacity: an overloaded link or fabric, a pool that is too small, or a host that was drained too early. Nothing is broken, and no
 * scenario injects shortages: they are detected in the world, become faults once they have lasted without another
 * explanation, and end when they are no longer detected.
 */

const beginDelay: Micros = 4 * minute
const endDelay: Micros = 8 * minute

/** Reports all current shortages of one kind. */
export type ShortageSearch = (world: ObservedWorld, reports: ShortageReports) => void

/** The role of each fault kind in shortages. */
type ShortageTraits = Readonly<
  Record<
    CauseKind,
    {
      readonly origin:
        | { readonly type: 'shortage'; readonly search: ShortageSearch }
        | { readonly type: 'hazard' | 'external' }
      readonly explainsShortages?: true
    }
  >
>

export interface ShortageReports {
  readonly report: (target: FaultTarget, magnitude: number) => void
  /** Whether a shortage at a target was reported recently: hysteresis requires a clear improvement to end it. */
  readonly isKnown: (target: FaultTarget) => boolean
}

interface Shortage {
  readonly spec: FaultSpec
  /** Start of the time without another explanation. */
  since: Micros
  lastSeen: Micros
  /** The resulting fault; null before that. */
  fault: Fault | null
}

/** Shortages by the key of their target. */
export type ShortagesState = Map<number, Shortage>

interface Shortages {
  /** Searches for shortages, and begins and ends their faults. */
  step(): void
  /** The fault of a shortage at a target, recognized now if necessary; null without a shortage there. */
  readonly claim: (target: FaultTarget) => Fault | null
}

export interface ShortagePorts {
  readonly active: readonly Fault[]
  readonly begin: (spec: FaultSpec) => Fault
  readonly end: (fault: Fault) => void
}

/** Whether the fault of a shortage was repaired; a persistent shortage is detected again. */
const isEnded = ({ fault }: Shortage): boolean => fault !== null && fault.ended !== null

export function createShortages(
  world: ObservedWorld,
  kinds: ShortageTraits,
  shortages: ShortagesState,
  { active, begin, end }: ShortagePorts,
): Shortages {
  const searches = Object.entries(kinds).flatMap(([kind, { origin }]) =>
    origin.type === 'shortage' ? [{ kind: kind as CauseKind, search: origin.search }] : [],
  )
  const report = (kind: CauseKind, target: FaultTarget, magnitude: number): void => {
    const key = targetKey(target)
    const shortage = shortages.get(key)
    if (shortage !== undefined) shortage.lastSeen = world.now
    else {
      const spec = { kind, target, magnitude, lasts: null, began: world.now }
      shortages.set(key, { spec, since: world.now, lastSeen: world.now, fault: null })
    }
  }
  const isKnown = (target: FaultTarget): boolean => shortages.has(targetKey(target))
  const isExplained = (target: FaultTarget): boolean =>
    target.kind === 'Pool'
      ? isPoolDisturbed(world, target.row, active)
      : target.kind !== 'Host' && isExplainedByFault(world, kinds, target, active)
  return {
    step() {
      for (const { kind, search } of searches) {
        search(world, { report: (target, magnitude) => report(kind, target, magnitude), isKnown })
      }
      for (const [key, shortage] of shortages) {
        if (isEnded(shortage)) shortages.delete(key)
        else if (world.now - shortage.lastSeen > endDelay) {
          if (shortage.fault !== null) end(shortage.fault)
          shortages.delete(key)
        } else if (shortage.fault === null && shortage.lastSeen === world.now) {
          if (isExplained(shortage.spec.target)) shortage.since = world.now
          else if (world.now - shortage.since >= beginDelay)
            shortage.fault = begin({ ...shortage.spec, began: shortage.since })
        }
      }
    },
    claim(target) {
      const shortage = shortages.get(targetKey(target))
      if (shortage === undefined || isEnded(shortage)) return null
      // It began when it was first seen, even if another fault explains it.
      shortage.fault ??= begin(shortage.spec)
      return shortage.fault
    },
  }
}

/** Whether another fault in the same zones explains a shortage. */
function isExplainedByFault(
  world: ObservedWorld,
  kinds: ShortageTraits,
  target: FaultTarget,
  active: readonly Fault[],
): boolean {
  const zones = zonesOf(world, target)
  return active.some(
    (fault) =>
      kinds[fault.kind].explainsShortages === true &&
      zonesOf(world, fault.target).some((zone) => zones.includes(zone)),
  )
}

/** Whether a pool lacks hosts that should run, or serves a surge of demand. */
function isPoolDisturbed(world: ObservedWorld, pool: number, active: readonly Fault[]): boolean {
  const { topology, facility, condition, tenants } = world
  const isInPool = (host: number): boolean => topology.hosts.pool[host] === pool
  for (const host of topology.hosts.rows) {
    const isDown = facility.hostRunning[host] === 0 && condition.hostMaintenance[host] === 0
    if (isDown && isInPool(host)) return true
  }
  return active.some(
    ({ kind, target }) =>
      kind === 'DemandSurge' &&
      target.kind === 'Customer' &&
      (tenants.byId.get(target.id)?.hosts.some(isInPool) ?? false),
  )
}
