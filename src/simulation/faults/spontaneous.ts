import type { RandomStream } from '../random.ts'
import type { FaultOrder, WorldState } from '../state.ts'
import { hour, stepLength } from '../time.ts'
import { type Hazard, hazardsOf, sizeFactor, strainMax } from './hazards.ts'
import { wearForAnHour } from './wear.ts'

/** Every part is looked at once a simulated hour, a share of them at each step. */
const stepsAnHour = hour / stepLength
/** No part is likelier than this to fail within an hour. */
const chanceMax = 0.2

interface Watch {
  readonly hazard: Hazard
  /** Chance in an hour of each part in average condition, at a spontaneity of 1. */
  readonly base: Float64Array
  readonly when: RandomStream
  readonly how: RandomStream
}

export interface Spontaneous {
  /** What breaks by itself in this step. */
  step(spontaneity: number): FaultOrder[]
}

const none: FaultOrder[] = []

/** Prime to the steps of an hour, so that each part has its turn once an hour, and at another minute every time. */
const stride = 97
const shift = 131

/** The first of the parts whose turn it is. */
const turnOf = (tick: number, kind: number): number =>
  ((tick % stepsAnHour) * stride + Math.floor(tick / stepsAnHour) * shift + kind * shift) % stepsAnHour

export function createSpontaneous(state: WorldState): Spontaneous {
  const watches = hazardsOf(state).map((hazard) => watchOf(state, hazard))
  return {
    step(spontaneity) {
      const first = state.tick % stepsAnHour
      for (let host = first; host < state.plant.hosts.count; host += stepsAnHour) wearForAnHour(state, host)
      let broken = none
      for (let kind = 0; kind < watches.length; kind++) {
        const watch = watches[kind]
        for (let row = turnOf(state.tick, kind); row < watch.hazard.parts; row += stepsAnHour) {
          // One draw a part, whatever comes of it, so that one fault does not reshuffle the next.
          const draw = watch.when.fraction()
          const likely = watch.base[row] * spontaneity
          if (draw >= likely * strainMax || draw >= chanceMax) continue
          if (draw >= likely * Math.min(strainMax, watch.hazard.strain(row))) continue
          if (broken === none) broken = []
          broken.push(orderOf(watch, row))
        }
      }
      return broken
    },
  }
}

function orderOf({ hazard, how }: Watch, row: number): FaultOrder {
  const harm = hazard.harm === undefined ? { magnitude: 1, lasts: null } : hazard.harm(how)
  return { kind: hazard.kind, target: { kind: hazard.target, row }, ...harm }
}

function watchOf(state: WorldState, hazard: Hazard): Watch {
  const weights = Float64Array.from({ length: hazard.parts }, (_, row) => hazard.weight(row))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const anHour = (hazard.aDay / 24) * sizeFactor(state.plant.hosts.count)
  return {
    hazard,
    base: sum === 0 ? weights : weights.map((weight) => (weight / sum) * anHour),
    when: state.random.stream(`faults.${hazard.target}.${hazard.kind}`),
    how: state.random.stream(`faults.${hazard.target}.${hazard.kind}.how`),
  }
}
