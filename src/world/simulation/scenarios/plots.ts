import type { ThreatClass } from '../../../contract/vocabularies.ts'
import table from './plots.json' with { type: 'json' }
import type { Action, TargetSelector } from './scenario.ts'

/** Whole numbers from the first to the second, one of which the seed draws. */
export type Range = readonly [low: number, high: number]

export interface PlotEvent {
  /** Minutes after the beginning of the plot. */
  readonly at: Range
  readonly action: Exclude<Action, 'Repair'>
  readonly attackClass?: ThreatClass
  /** Its target is one of the `among` busiest. */
  readonly on: Partial<TargetSelector> & Pick<TargetSelector, 'kind'>
  readonly among?: number
  /** At the target of the plot's first event, or at another one in its zone; anywhere if omitted. */
  readonly where?: 'there' | 'beside'
  readonly percent?: Range
  /** Minutes until it ends by itself; until its repair if omitted. */
  readonly lasts?: Range
}

interface Plot {
  readonly story: string
  readonly events: readonly PlotEvent[]
}

/** Chains of two or three events that belong together. What comes of them follows from the simulation. */
export const plots = table as unknown as Readonly<Record<string, Plot>>
export const plotNames = Object.keys(plots)
