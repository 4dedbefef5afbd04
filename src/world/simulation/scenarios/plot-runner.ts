import type { WorldView } from '../state.ts'
import { isDue, schedule } from '../schedule.ts'
import type { Micros } from '../time.ts'
import { minute } from '../time.ts'
import { sameTarget, targetId, zonesOf } from '../topology/entities.ts'
import type { Fault } from '../faults/model.ts'
import { announceDrain } from './announcements.ts'
import type { Aftermath } from './perform.ts'
import { createAftermath, endDrains, perform, targetsOf } from './perform.ts'
import type { PlotEvent, Range } from './plots.ts'
import { plotNames, plots } from './plots.ts'
import type { ScenarioStep, TargetSelector } from './scenario.ts'

/** An event of the plot under way, as the seed drew it: at that rank among the busiest. */
interface DrawnEvent extends ScenarioStep {
  readonly where: PlotEvent['where'] | undefined
  readonly rank: number
}

interface PlotsState {
  /** When the next plot begins; null in a world that began without a warm-up, which has none. */
  nextAt: Micros | null
  /** The latest plots, which are not repeated. */
  readonly recent: string[]
  readonly due: DrawnEvent[]
  /** The targets of the plot's events, in their order. */
  readonly struck: Fault['target'][]
  readonly aftermath: Aftermath
}

export interface PlotRunner {
  readonly state: PlotsState
  step(): void
}

/** The first night has this many plots; from then on there is one a week. */
const plotsOfFirstNight = 2
const firstGapMinutes: Range = [40, 120]
const weekMinutes: Range = [5 * 24 * 60, 9 * 24 * 60]
/** At most half of the plots, so that a draw remains. */
const unrepeatedMax = 7

const anyOf = {
  id: null,
  zone: null,
  name: null,
  role: null,
  side: null,
  tier: null,
  share: null,
  count: 1_000,
  pick: 'busiest',
} as const

/**
 * A world without a scenario has a troubled first night after its warm-up, to show at once what it does, and a plot a
 * week afterwards. Which, when, where and how grave follows from the seed; what comes of it, from the simulation.
 */
export function createPlotRunner(world: WorldView, warmUp: Micros): PlotRunner {
  const state: PlotsState = {
    nextAt: warmUp > 0 ? warmUp : null,
    recent: [],
    due: [],
    struck: [],
    aftermath: createAftermath(),
  }
  return {
    state,
    step() {
      if (state.nextAt === null || !isDue(schedule.plots, world.tick)) return
      endDrains(world, state.aftermath)
      if (world.now >= state.nextAt) state.nextAt = begin(world, state)
      while (state.due.length > 0 && state.due[0].at <= world.now) strike(world, state, state.due.shift()!)
    },
  }
}

/** Draws the next plot whole; returns when the one after it begins, later than the last event of this one. */
function begin(world: WorldView, { recent, due, struck }: PlotsState): Micros {
  const random = world.random.stream('plots')
  const draw = ([low, high]: Range): number => random.between(low, high)
  const plot = random.pick(plotNames.filter((name) => !recent.includes(name)))
  if (recent.push(plot) > unrepeatedMax) recent.shift()
  struck.length = 0
  for (const { at, action, attackClass = null, on, among = 1, where, percent, lasts } of plots[plot].events)
    due.push({
      at: world.now + draw(at) * minute,
      action,
      magnitude: draw(percent ?? [100, 100]) / 100,
      duration: lasts === undefined ? null : draw(lasts) * minute,
      rank: random.below(among),
      target: { ...anyOf, ...on },
      where,
      attackClass,
    })
  const gap = draw(recent.length < plotsOfFirstNight ? firstGapMinutes : weekMinutes)
  return due[due.length - 1].at + gap * minute
}

function strike(world: WorldView, { struck, aftermath }: PlotsState, drawn: DrawnEvent): void {
  const { where, rank } = drawn
  const first: Fault['target'] | undefined = struck[0]
  const place = first === undefined || where === undefined ? {} : placeOf(world, first, where)
  const found = targetsOf(world, { ...drawn, target: { ...drawn.target, ...place } })
  const fresh = where === 'there' ? found : found.filter((one) => !struck.some((old) => sameTarget(old, one)))
  const from = Math.min(rank, fresh.length - 1)
  const hit = drawn.target.share === null ? fresh.slice(from, from + 1) : fresh
  for (const one of hit) perform(world, aftermath, drawn, one)
  struck.push(...hit)
  if (drawn.action === 'Drain' && hit.length > 0) announceDrain(world, hit, world.now + drawn.duration!)
}

/** Narrows a selector to the target of the plot's first event, or to its zone. */
const placeOf = (
  world: WorldView,
  first: Fault['target'],
  where: 'there' | 'beside',
): Partial<TargetSelector> =>
  where === 'there' ? { id: targetId(first) } : { zone: (zonesOf(world, first)[0] ?? 0) + 1 }
