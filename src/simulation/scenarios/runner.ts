import { faultActions } from '../faults/kinds.ts'
import type { ThreatClass } from '../../contract/vocabularies.ts'
import { defenseCapacity } from '../attacks/attackers.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { entityOf, nameOf, sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Scenario, ScenarioStep } from './scenario.ts'
import { selectTargets } from './target-selection.ts'

/** What a magnitude of 1 means against a customer without defenses, in the unit of the attack's class. */
const undefendedMagnitude: Readonly<Record<ThreatClass, number>> = {
  Volumetric: 8,
  Protocol: 2,
  Application: 6,
  Intrusion: 15,
  Scan: 150,
}

/** A step with more targets is announced by one event for all of them. */
const eventsPerStepMax = 3

interface RunnerState {
  /** What the times of the scenario count from. */
  readonly origin: Micros
  nextStep: number
  drains: { readonly host: number; readonly until: Micros }[]
}

export interface ScenarioRunner {
  readonly state: RunnerState
  /** Performs the steps that are due. Runs before anything else in a step of the world. */
  step(): void
}

/** Runs a scenario whose times count from `origin`: the end of the warm-up, or the beginning of the world. */
export function createScenarioRunner(world: WorldView, scenario: Scenario, origin: Micros): ScenarioRunner {
  const state: RunnerState = { origin, nextStep: 0, drains: [] }
  return {
    state,
    step() {
      for (const { host, until } of state.drains)
        if (until <= world.now) world.faults.setMaintenance(host, false)
      state.drains = state.drains.filter(({ until }) => until > world.now)
      while (
        state.nextStep < scenario.steps.length &&
        state.origin + scenario.steps[state.nextStep].at <= world.now
      ) {
        const step = scenario.steps[state.nextStep++]
        const targets = selectTargets(world, step.target, (target) => applies(world, step, target))
        if (targets.length === 0) announceSkipped(world, scenario, step)
        else announce(world, scenario, step, targets)
        for (const target of targets) perform(world, state, step, target)
      }
    },
  }
}

/** Whether an action makes sense at a target: repairs need a fault, and some faults only befall some targets. */
function applies(world: WorldView, { action }: ScenarioStep, target: FaultTarget): boolean {
  if (action === 'Repair') return world.faults.active.some((fault) => sameTarget(fault.target, target))
  if (action === 'Drain' || target.kind === 'Customer') return true
  return faultActions[action].applies?.(world, target) ?? true
}

function perform(world: WorldView, state: RunnerState, step: ScenarioStep, target: FaultTarget): void {
  const { action, magnitude, duration } = step
  if (action === 'Repair') {
    const faults = world.faults.active.filter((fault) => sameTarget(fault.target, target))
    for (const fault of faults) world.faults.repair(fault)
  } else if (action === 'Drain') {
    if (target.kind !== 'Host') return
    world.faults.setMaintenance(target.row, true)
    state.drains.push({ host: target.row, until: world.now + (duration ?? 0) })
  } else if (action === 'Attack') {
    if (target.kind === 'Customer' && step.attackClass !== null) {
      attack(world, step, target, step.attackClass)
    }
  } else world.faults.inject({ kind: action, target, magnitude, lasts: duration })
}

/** Scales the magnitude by the defenses in front of the customer, so that a scenario fits every scale. */
function attack(
  world: WorldView,
  step: ScenarioStep,
  target: Extract<FaultTarget, { kind: 'Customer' }>,
  attackClass: ThreatClass,
): void {
  const defense = defenseCapacity(world, target.id, attackClass)
  const magnitude = step.magnitude * (defense > 0 ? defense : undefendedMagnitude[attackClass])
  world.faults.inject({ kind: 'Attack', target, magnitude, lasts: step.duration, attackClass })
}

function announce(
  world: WorldView,
  scenario: Scenario,
  step: ScenarioStep,
  targets: readonly FaultTarget[],
): void {
  const { now, events, topology } = world
  const announced = targets.length > eventsPerStepMax ? targets.slice(0, 1) : targets
  const others = targets.length - announced.length
  for (const target of announced) {
    const args = { scenario: scenario.title, deed: step.action, target: nameOf(world, target) }
    const entity = entityOf(topology, target)
    if (others === 0) events.emit(now, 'ScenarioStep', 'Info', entity, 'event.scenario-step', args)
    else {
      events.emit(now, 'ScenarioStep', 'Info', entity, 'event.scenario-step-many', { ...args, others })
    }
  }
}

function announceSkipped({ events, now }: WorldView, scenario: Scenario, step: ScenarioStep): void {
  const args = { scenario: scenario.title, deed: step.action, target: step.target.kind }
  const entity = { kind: 'World', id: null } as const
  events.emit(now, 'ScenarioStep', 'Warning', entity, 'event.scenario-step-missed', args)
}
