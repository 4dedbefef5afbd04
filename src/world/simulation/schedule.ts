import { hour, minute, stepLength } from './time.ts'

export const stepsPerMinute = minute / stepLength
export const stepsPerHour = hour / stepLength

/** Runs in every step with `tick % everySteps === offset`. */
interface RecurringTask {
  readonly everySteps: number
  readonly offset: number
}

export const turnMinutes = 5
export const turnsPerHour = 60 / turnMinutes
export const turnsPerDay = 24 * turnsPerHour
const stepsPerTurn = turnMinutes * stepsPerMinute
/**
 * Demand moves slowly, and at once where something breaks, is repaired or surges. Every two minutes, so that two scrapes
 * 15 s apart differ from 8 times the speed on, for half of the processor time of moves every minute.
 */
export const demandMinutes = 2
const eachMove = { everySteps: demandMinutes * stepsPerMinute, offset: 0 }

const eachMinute = (offset: number): RecurringTask => ({ everySteps: stepsPerMinute, offset })

/** Once a day, together with the hourly booking. */
const atHour = (hourOfDay: number): RecurringTask => ({
  everySteps: 24 * stepsPerHour,
  offset: hourOfDay * stepsPerHour + 4,
})

/**
 * The step of each recurring task. Moving demand is the most expensive one and has the first step of a minute, together
 * with tasks that only read the clock; the other passes over the whole world have the steps between.
 */
export const schedule = {
  demand: eachMove,
  surges: eachMinute(0),
  plots: eachMinute(0),
  heat: eachMinute(0),
  linkErrors: eachMinute(0),
  attackNoise: eachMove,
  attackStrength: eachMinute(0),
  workOrderReview: eachMinute(0),
  questProgress: { everySteps: stepsPerTurn, offset: 0 },
  newDay: { everySteps: 24 * stepsPerHour, offset: 0 },
  staffing: { everySteps: stepsPerHour, offset: 0 },
  symptomPoll: { everySteps: 3, offset: 1 },
  capacityFaults: { ...eachMove, offset: 2 },
  linkSaturation: eachMinute(3),
  hotHostRebalancing: eachMinute(3),
  accounting: { everySteps: stepsPerTurn, offset: stepsPerTurn - 1 },
  prospects: eachMinute(5),
  faultLog: eachMinute(5),
  reputation: { everySteps: stepsPerHour, offset: 5 },
  unservedDemand: { everySteps: stepsPerHour, offset: 5 },
  installations: eachMinute(4),
  operatorBooks: { everySteps: stepsPerHour, offset: 4 },
  chapters: atHour(5),
  hostPlan: atHour(6),
  networkPlan: atHour(7),
  facilityPlan: atHour(8),
  renewalPlan: atHour(9),
  staffPlan: atHour(10),
} as const satisfies Record<string, RecurringTask>

export const isDue = ({ everySteps, offset }: RecurringTask, tick: number): boolean =>
  tick % everySteps === offset

/** When demand moved last. A change between two moves reads no later time, so that it moves nothing else. */
export const movedAt = ({ now, tick }: { readonly now: number; readonly tick: number }): number =>
  now - (tick % eachMove.everySteps) * stepLength

/**
 * The step of a customer, by its id, among those of five minutes: its money is booked, and its relations move. Of a tick,
 * the step that it is.
 */
export const turnOf = (idOrTick: number): number => idOrTick % stepsPerTurn
