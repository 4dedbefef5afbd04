import { defenceOf } from '../faults/attacks.ts'
import { entityOf, nameOf, sameTarget } from '../faults/targets.ts'
import type { ThreatClass } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import type { Micros } from '../time.ts'
import { chooseTargets } from './choose.ts'
import type { Scenario, ScenarioStep } from './scenario.ts'

/** An attack on a customer without any defence is so strong at a magnitude of 1, in the unit of its class. */
const defenceless: Readonly<Record<ThreatClass, number>> = {
  Volumetric: 8,
  Protocol: 2,
  Application: 6,
  Intrusion: 15,
  Scan: 150,
}

export interface ScenarioRunner {
  /** Does what is due. The first thing in a step of the world. */
  step(): void
}

/** Runs a scenario whose times count from `start`: the end of the warm-up, or the beginning of the world. */
export function createScenarioRunner(state: WorldState, scenario: Scenario, start: Micros): ScenarioRunner {
  const drains: { readonly host: number; readonly until: Micros }[] = []
  let next = 0
  return {
    step() {
      for (let i = 0; i < drains.length; i++) {
        if (drains[i].until > state.now) continue
        state.faults.maintain(drains[i].host, false)
        drains.splice(i--, 1)
      }
      while (next < scenario.steps.length && start + scenario.steps[next].at <= state.now) {
        const step = scenario.steps[next++]
        const targets = chooseTargets(state, step.target, step.deed === 'Repair')
        announce(state, scenario, step, targets)
        for (const target of targets) {
          if (step.deed === 'Drain' && target.kind === 'Host') {
            state.faults.maintain(target.row, true)
            drains.push({ host: target.row, until: state.now + (step.lasts ?? 0) })
          } else perform(state, step, target)
        }
        if (targets.length === 0) announceMiss(state, scenario, step)
      }
    },
  }
}

function perform(state: WorldState, step: ScenarioStep, target: FaultTarget): void {
  const { deed, magnitude, lasts } = step
  if (deed === 'Repair') {
    for (const fault of state.faults.active.filter((fault) => sameTarget(fault.target, target))) {
      state.faults.repair(fault)
    }
  } else if (deed === 'Attack') {
    if (target.kind === 'Customer' && step.attackClass !== null)
      attack(state, step, target.id, step.attackClass)
  } else if (deed !== 'Drain') state.faults.inject({ kind: deed, target, magnitude, lasts })
}

/** Magnitudes of attacks are told by what stands in front of the customer, so that they fit every size of plant. */
function attack(state: WorldState, step: ScenarioStep, customerId: number, attackClass: ThreatClass): void {
  const defence = defenceOf(state, customerId, attackClass)
  const magnitude = step.magnitude * (defence > 0 ? defence : defenceless[attackClass])
  const target = { kind: 'Customer', id: customerId } as const
  state.faults.inject({ kind: 'Attack', target, magnitude, lasts: step.lasts, attackClass })
}

/** Of a step with more targets than this, only one event tells. */
const announcedOneByOne = 3

function announce(
  state: WorldState,
  scenario: Scenario,
  step: ScenarioStep,
  targets: readonly FaultTarget[],
): void {
  const { now, events, plant } = state
  const told = targets.slice(0, targets.length > announcedOneByOne ? 1 : targets.length)
  for (const first of told) {
    const given = { scenario: scenario.title, deed: step.deed, target: nameOf(state, first) }
    const others = targets.length - told.length
    if (others === 0) {
      events.emit(now, 'ScenarioStep', 'Info', entityOf(plant, first), 'event.scenario-step', given)
    } else {
      const many = { ...given, others }
      events.emit(now, 'ScenarioStep', 'Info', entityOf(plant, first), 'event.scenario-step-many', many)
    }
  }
}

function announceMiss(state: WorldState, scenario: Scenario, step: ScenarioStep): void {
  state.events.emit(
    state.now,
    'ScenarioStep',
    'Warning',
    { kind: 'World', id: null },
    'event.scenario-step-missed',
    { scenario: scenario.title, deed: step.deed, target: step.target.kind },
  )
}
