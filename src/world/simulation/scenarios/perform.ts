import type { ThreatClass } from '../../../contract/vocabularies.ts'
import { defenseCapacity } from '../faults/hazards/attackers.ts'
import { faultActions } from '../faults/kinds.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import { announce } from './announcements.ts'
import type { ScenarioAction } from './scenario.ts'
import { selectTargets } from './target-selection.ts'

/** Attack strength at a magnitude of 1 against a customer without defenses, in the unit of each class. */
const undefendedMagnitude: Readonly<Record<ThreatClass, number>> = {
  Volumetric: 8,
  Protocol: 2,
  Application: 6,
  Intrusion: 15,
  Scan: 150,
}

/** State left by performed actions. */
export interface Aftermath {
  drains: { readonly host: number; readonly until: Micros }[]
  /** The ids of faults begun by actions. */
  readonly begun: Set<number>
}

export const createAftermath = (): Aftermath => ({ drains: [], begun: new Set() })

/** The current targets of an action. */
export const targetsOf = (world: WorldView, action: ScenarioAction): FaultTarget[] =>
  selectTargets(world, action.target, (target) => applies(world, action, target))

/** Whether an action is applicable to a target: repairs need a fault, and some faults have constraints. */
function applies(world: WorldView, { action }: ScenarioAction, target: FaultTarget): boolean {
  if (action === 'Repair') return world.faults.active.some((fault) => sameTarget(fault.target, target))
  if (action === 'Drain' || target.kind === 'Customer') return true
  return faultActions[action].applies?.(world, target) ?? true
}

/** Performs an action at its targets, which the event log names; returns them. */
export function enact(
  world: WorldView,
  aftermath: Aftermath,
  scenario: string | null,
  action: ScenarioAction,
): FaultTarget[] {
  const targets = targetsOf(world, action)
  announce(world, scenario, action, targets)
  for (const target of targets) perform(world, aftermath, action, target)
  return targets
}

export function perform(
  world: WorldView,
  aftermath: Aftermath,
  step: ScenarioAction,
  target: FaultTarget,
): void {
  const { action, magnitude, duration } = step
  if (action === 'Repair') {
    const faults = world.faults.active.filter((fault) => sameTarget(fault.target, target))
    for (const fault of faults) world.faults.repair(fault)
  } else if (action === 'Drain') {
    if (target.kind !== 'Host') return
    world.faults.setCampaign(target.row, true)
    aftermath.drains.push({ host: target.row, until: world.now + (duration ?? 0) })
  } else if (action === 'Attack') {
    if (target.kind === 'Customer' && step.attackClass !== null)
      aftermath.begun.add(attack(world, step, target, step.attackClass))
  } else {
    aftermath.begun.add(world.faults.inject({ kind: action, target, magnitude, lasts: duration }).id)
  }
}

/** Returns hosts to service at the end of their drain. */
export function endDrains(world: WorldView, aftermath: Aftermath): void {
  for (const { host, until } of aftermath.drains)
    if (until <= world.now) world.faults.setCampaign(host, false)
  aftermath.drains = aftermath.drains.filter(({ until }) => until > world.now)
}

/** Scales the magnitude by the customer's defenses, so that a scenario fits every scale. */
function attack(
  world: WorldView,
  step: ScenarioAction,
  target: Extract<FaultTarget, { kind: 'Customer' }>,
  attackClass: ThreatClass,
): number {
  const defense = defenseCapacity(world, target.id, attackClass)
  const magnitude = step.magnitude * (defense > 0 ? defense : undefendedMagnitude[attackClass])
  return world.faults.inject({ kind: 'Attack', target, magnitude, lasts: step.duration, attackClass }).id
}
