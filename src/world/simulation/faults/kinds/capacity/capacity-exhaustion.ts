import { abnormal, article, normal, percent } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { mostContendedPoolOfCustomer, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import {
  failedRequestThreshold,
  hysteresisRatio,
  isServed,
  starvedThreshold,
} from '../../../incidents/monitors/customers.ts'
import type { Observation } from '../../../incidents/model.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { nameOf, mostContendedHost, mostContendedPool } from '../../../topology/entities.ts'
import type { ShortageKind } from '../../fault-kind.ts'
import { relieve } from '../../repair.ts'
import type { ShortageReports, ShortageSearch } from '../../shortages.ts'

/**
 * Contention (CPU demand over physical CPU) of a starved host, and the minimum share of starved hosts in an exhausted
 * pool.
 */
const starvedContention = 1.25
const starvedShareMin = 0.12
/** Contention that customers notice: the limit for a new shortage, and for a known one. */
const noticeableContention = 1.05
const persistingContention = 1

const findShortPools: ShortageSearch = (world, reports) => {
  findStarvedPools(world, reports)
  findPoolsWithoutRoom(world, reports)
}

function findStarvedPools({ topology, facility, load }: ObservedWorld, { report }: ShortageReports): void {
  const { pool } = topology.hosts
  const running = new Int32Array(topology.pools.length)
  const starved = new Int32Array(topology.pools.length)
  for (const host of topology.hosts.rows) {
    running[pool[host]] += facility.hostRunning[host]
    if (load.contention[host] > starvedContention) starved[pool[host]]++
  }
  for (let row = 0; row < running.length; row++) {
    if (starved[row] > Math.max(1, starvedShareMin * running[row]))
      report({ kind: 'Pool', row }, starved[row])
  }
}

/**
 * Reports pools with customers that suffer from unplaced or starved units. Hysteresis: a shortage persists until its
 * customers are clearly within their limits.
 */
function findPoolsWithoutRoom(world: ObservedWorld, { report, isKnown }: ShortageReports): void {
  for (const tenant of world.tenants.active) {
    if (!isServed(tenant)) continue
    const limitShare = Math.max(
      tenant.failing / failedRequestThreshold,
      tenant.p99Ms / tenant.p99BudgetMs,
      tenant.starving / starvedThreshold,
    )
    if (limitShare < hysteresisRatio) continue
    const host = mostContendedHost(world, tenant.id)
    if (host < 0) continue
    const pool = { kind: 'Pool', row: world.topology.hosts.pool[host] } as const
    const isShort = isKnown(pool)
    if (limitShare < 1 && !isShort) continue
    const unplaced = tenant.requestedUnits - tenant.placedUnits
    const contentionMin = isShort ? persistingContention : noticeableContention
    if (unplaced > 0 || world.load.contention[host] > contentionMin) report(pool, Math.max(1, unplaced))
  }
}

function worstContention({ topology, load }: ObservedWorld, pool: number): number {
  let worst = 0
  for (const host of topology.hosts.rows) {
    if (topology.hosts.pool[host] === pool && load.contention[host] > worst) worst = load.contention[host]
  }
  return worst
}

/** Contention at which the fullest host has little to spare. */
const tightContention = 0.9

/** Interprets the contention of a pool's fullest host. The text agrees with the percentage shown. */
function observeContention(label: string, contention: number): Observation {
  const demand = Math.round(100 * contention) / 100
  const value = `${percent(demand)} CPU demand on its fullest host`
  if (contention > noticeableContention) return abnormal(label, value, 'Units wait for each other.', 3.5)
  if (demand > 1)
    return normal(label, value, 'Slightly more than it has, too little for users to notice.', 0.8)
  if (demand > tightContention) return normal(label, value, 'It is nearly full, but no unit waits.', 0.5)
  return normal(label, value, 'Every host has CPU to spare.', 0.15)
}

/** Unplaced units of suffering customers whose most contended host is in the pool. */
function unplacedUnits(world: ObservedWorld, pool: number): number {
  let unplaced = 0
  for (const { id, requestedUnits, placedUnits, failing, p99Ms, p99BudgetMs } of world.tenants.active) {
    const suffers = failing > failedRequestThreshold || p99Ms > p99BudgetMs
    if (suffers && requestedUnits > placedUnits && mostContendedPool(world, id) === pool)
      unplaced += requestedUnits - placedUnits
  }
  return unplaced
}

export const capacityExhaustion: ShortageKind = {
  origin: { type: 'shortage', search: findShortPools },
  effects: {},
  diagnosis: {
    article: article('capacity', 'Making **room in a pool**'),
    lookAt: 'Compare requested CPU with available CPU',
    suspicions: [
      suspicion(mostContendedPoolOfCustomer, {
        'customer-stranded': 0.25,
        'customer-redundancy': 0.25,
        'customer-slow': 0.3,
        'customer-starved': 0.3,
        'customer-failing': 0.12,
      }),
    ],
    checks: [
      {
        delay: 3 * minute,
        observe(world, target) {
          const label = `Room in **${nameOf(world, target)}**`
          const contention = target.kind === 'Pool' ? worstContention(world, target.row) : 0
          const unplaced = target.kind === 'Pool' ? unplacedUnits(world, target.row) : 0
          if (unplaced > 0) {
            const detail = 'Units wait for a host, and the others work for them too.'
            return abnormal(label, `none for ${unplaced} more`, detail, 4)
          }
          return observeContention(label, contention)
        },
      },
    ],
  },
  remedy: 'relieve',
  planRepair: relieve,
  action: null,
}
