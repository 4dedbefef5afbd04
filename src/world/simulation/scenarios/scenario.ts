import type { ApplianceKind, Band, SwitchRole, ThreatClass, Tier } from '../../../contract/vocabularies.ts'
import type { ActionRule, ActionTarget } from '../faults/fault-kind.ts'
import { actionTargets } from '../faults/fault-kind.ts'
import type { InjectableKind } from '../faults/kinds.ts'
import { faultActions } from '../faults/kinds.ts'
import type { Micros } from '../time.ts'

/** The possible origins of a scenario's times. */
export const timeOrigins = ['warm-up', 'beginning'] as const

/** Roles of links in the network hierarchy. */
export const linkRoles = [
  'host',
  'edge-uplink',
  'aggregation-uplink',
  'core-uplink',
  'zone-link',
  'appliance',
  'wan',
] as const
export type LinkRole = (typeof linkRoles)[number]

export type Action = InjectableKind | 'Repair' | 'Drain'

export const actionRules: Readonly<Record<Action, ActionRule>> = {
  ...faultActions,
  Repair: { targets: actionTargets, magnitude: null, duration: 'none' },
  Drain: { targets: ['Host'], magnitude: null, duration: 'required' },
}

export const picks = ['first', 'last', 'busiest', 'random'] as const

export interface TargetSelector {
  readonly kind: ActionTarget
  readonly id: number | null
  /** Id or name. */
  readonly zone: number | string | null
  /** The name of the only target, as records and texts have it. */
  readonly name: string | null
  readonly role: SwitchRole | ApplianceKind | LinkRole | null
  readonly side: 'A' | 'B' | null
  readonly tier: Tier | null
  /** The order of the matching targets; a number starts at that target, counted from 1. */
  readonly pick: (typeof picks)[number] | number
  readonly count: number
  /** Share of the matching targets; takes precedence over `count`. */
  readonly share: number | null
}

/** An action with its targets. */
export interface ScenarioAction {
  readonly action: Action
  readonly target: TargetSelector
  readonly magnitude: number
  /** Null for a fault that lasts until its repair. */
  readonly duration: Micros | null
  readonly attackClass: ThreatClass | null
}

export interface ScenarioStep extends ScenarioAction {
  readonly at: Micros
}

/** Random actions within a budget. */
export interface Schedule {
  /** Seed of the schedule's times and actions, independent of the seed of the world. */
  readonly seed: number
  /** Mean time between two actions within the scheduled hours. */
  readonly every: Micros
  /** Half-open range of the hours of the day in which actions begin. */
  readonly hours: readonly [from: number, until: number]
  /**
   * No action begins during an incident of this band or above; the scheduled fault behind an incident of a higher
   * band is repaired.
   */
  readonly gravest: Band
  /** Bound of the simultaneous scheduled faults. */
  readonly atOnce: number
  readonly actions: readonly ScheduledAction[]
}

export interface ScheduledAction extends ScenarioAction {
  /** Relative frequency of the action. */
  readonly weight: number
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Factor on the rate of random faults, attacks and surges. */
  readonly spontaneity: number
  readonly timesCountFrom: (typeof timeOrigins)[number]
  /** Default of the warm-up. */
  readonly warmup: Micros | null
  /** Ordered by time; steps of equal time keep the order of the file. */
  readonly steps: readonly ScenarioStep[]
  readonly schedule: Schedule | null
}
