import type { ApplianceKind, Band, SwitchRole, ThreatClass, Tier } from '../../../contract/vocabularies.ts'
import type { ActionRule, ActionTarget } from '../faults/fault-kind.ts'
import { actionTargets } from '../faults/fault-kind.ts'
import type { InjectableKind } from '../faults/kinds.ts'
import { faultActions } from '../faults/kinds.ts'
import type { Micros } from '../time.ts'

/** What the times of a scenario count from. */
export const timeOrigins = ['warm-up', 'beginning'] as const

/** What a link is for, by the device that it leads to. */
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
  readonly zone: number | null
  readonly role: SwitchRole | ApplianceKind | LinkRole | null
  readonly side: 'A' | 'B' | null
  readonly tier: Tier | null
  /** The order in which matching targets are taken; a number starts at that target, counted from 1. */
  readonly pick: (typeof picks)[number] | number
  readonly count: number
  /** Share of the matching targets; takes precedence over the count. */
  readonly share: number | null
}

/** What is done, and to what. */
export interface ScenarioAction {
  readonly action: Action
  readonly target: TargetSelector
  readonly magnitude: number
  /** Null if the fault lasts until it is repaired. */
  readonly duration: Micros | null
  readonly attackClass: ThreatClass | null
}

export interface ScenarioStep extends ScenarioAction {
  readonly at: Micros
}

/** Actions that are drawn at random, within a budget. */
export interface Schedule {
  /** Decides times and actions; a world of the same seed with another one of these breaks at other times. */
  readonly seed: number
  /** Mean time between two actions, counting the scheduled hours alone. */
  readonly every: Micros
  /** Hours of the day in which actions begin: from the first up to, but not including, the second. */
  readonly hours: readonly [from: number, until: number]
  /** Nothing begins while an incident is this grave; a scheduled fault behind a graver one is repaired. */
  readonly gravest: Band
  /** Nothing begins while this many scheduled faults last. */
  readonly atOnce: number
  readonly actions: readonly ScheduledAction[]
}

export interface ScheduledAction extends ScenarioAction {
  /** How often it is drawn, in relation to the others. */
  readonly weight: number
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Factor on the rate of random faults, attacks and surges. */
  readonly spontaneity: number
  readonly timesCountFrom: (typeof timeOrigins)[number]
  /** Warm-up to use if the user sets none. */
  readonly warmup: Micros | null
  /** Ordered by time; steps of the same time keep the order of the file. */
  readonly steps: readonly ScenarioStep[]
  readonly schedule: Schedule | null
}
