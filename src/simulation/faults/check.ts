import { numberText } from '../../contract/messages/catalogue.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import type { Micros } from '../time.ts'
import { nameOf, rowOf } from './targets.ts'

/** How a suspicion is checked, and what comes of it. */

/** Something that was looked at because of a suspicion, and what it says about it. */
export interface Observation {
  /** With light markup: ** around what matters. */
  readonly label: string
  readonly value: string
  readonly detail: string
  /** How many times likelier the suspicion becomes. */
  readonly likelihood: number
}

/** Readings that are kept over time by the monitors. */
export interface Instruments {
  /** A customer's requests over what is usual for it at this hour. */
  rush(customerId: number): number
  flapsLately(port: number): number
}

export interface Check {
  /** How long after the suspicion arose the reading is at hand. */
  readonly after: Micros
  readonly look: (state: WorldState, target: FaultTarget, instruments: Instruments) => Observation
}

export const found = (label: string, value: string, detail: string, likelihood: number): Observation => ({
  label,
  value: `**${value}**`,
  detail,
  likelihood,
})
export const normal = (label: string, value: string, detail: string, likelihood: number): Observation => ({
  label,
  value,
  detail,
  likelihood,
})

/** A check that reads one instrument, and finds it telling or normal. */
export const reading = (
  after: Micros,
  label: (name: string) => string,
  tells: (state: WorldState, row: number, instruments: Instruments) => string | null,
  telling: readonly [detail: string, likelihood: number],
  otherwise: readonly [value: string, detail: string, likelihood: number],
): Check => ({
  after,
  look: (state, target, instruments) => {
    const value = tells(state, rowOf(target), instruments)
    const name = label(`**${nameOf(state, target)}**`)
    return value === null ? normal(name, ...otherwise) : found(name, value, ...telling)
  },
})

export const percent = (share: number): string => `${numberText(Math.round(share * 100))} %`
