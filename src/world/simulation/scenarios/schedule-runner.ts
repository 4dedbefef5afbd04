import { bands } from '../../../contract/vocabularies.ts'
import { isDue, schedule as worldSchedule } from '../schedule.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { day, hour } from '../time.ts'
import { entityOf, nameOf } from '../topology/entities.ts'
import type { Aftermath } from './perform.ts'
import { enact, createAftermath, endDrains } from './perform.ts'
import type { Schedule } from './scenario.ts'

export interface ScheduleState {
  /** Time of the next action. */
  nextAt: Micros
  readonly aftermath: Aftermath
}

interface ScheduleRunner {
  readonly state: ScheduleState
  step(): void
}

const gravityOf = (band: (typeof bands)[number]): number => bands.indexOf(band)

/** Begins random actions from `origin` on, within the schedule's budget. */
export function createScheduleRunner(
  world: WorldView,
  title: string,
  schedule: Schedule,
  origin: Micros,
): ScheduleRunner {
  // A separate stream: the rest of the world is the same as without a schedule.
  const random = world.random.stream(`scenario.schedule-${schedule.seed}`)
  const state: ScheduleState = { nextAt: 0, aftermath: createAftermath() }
  state.nextAt = nextTime(schedule, origin, random.exponential(schedule.every))
  const lasting = () => world.faults.active.filter(({ id }) => state.aftermath.begun.has(id))
  const holdsBack = (): boolean =>
    lasting().length >= schedule.atOnce ||
    world.incidents.values().some(({ band }) => gravityOf(band) >= gravityOf(schedule.gravest))
  return {
    state,
    step() {
      endDrains(world, state.aftermath)
      if (isDue(worldSchedule.capacityFaults, world.tick)) stopTooGrave(world, title, schedule, lasting())
      if (world.now < state.nextAt) return
      state.nextAt = nextTime(schedule, world.now, random.exponential(schedule.every))
      if (holdsBack()) return
      const action = schedule.actions[random.weighted(schedule.actions.map(({ weight }) => weight))]
      enact(world, state.aftermath, title, action)
    },
  }
}

/** Repairs the scheduled faults behind incidents above the budget's band. */
function stopTooGrave(
  world: WorldView,
  scenario: string,
  { gravest }: Schedule,
  lasting: readonly WorldView['faults']['active'][number][],
): void {
  for (const fault of lasting) {
    const incident = fault.incidentId === null ? undefined : world.incidents.get(fault.incidentId)
    if (incident === undefined || gravityOf(incident.band) <= gravityOf(gravest)) continue
    const args = { scenario, deed: fault.kind, target: nameOf(world, fault.target), band: gravest }
    const entity = entityOf(world.topology, fault.target)
    world.events.emit(world.now, 'ScenarioStep', 'Warning', entity, 'event.schedule-stopped', args)
    world.faults.repair(fault)
  }
}

/** The time at which `wait` of scheduled hours has passed since `from`. */
function nextTime({ hours: [first, end] }: Schedule, from: Micros, wait: Micros): Micros {
  const perDay = (end - first) * hour
  let midnight = Math.floor(from / day) * day
  let passed = Math.min(Math.max(from - midnight - first * hour, 0), perDay)
  let left = wait
  while (passed + left >= perDay) {
    left -= perDay - passed
    passed = 0
    midnight += day
  }
  return midnight + first * hour + passed + left
}
