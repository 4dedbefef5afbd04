import type { ArgumentsOf, MessageKey } from '../../../contract/messages/catalog.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { clockTime } from '../time.ts'
import { entityOf, nameOf, rowOf } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { ScenarioAction } from './scenario.ts'

/** Bound of the events per action; an action with more targets has a single event. */
const eventsPerActionMax = 3

/** Bound of the hosts that the event of a drain names. */
const drainedNamesMax = 10

/** Announces the drain of a plot, which is work that the operators planned. */
export function announceDrain(
  { now, events, topology }: WorldView,
  hosts: readonly FaultTarget[],
  until: Micros,
): void {
  const names = hosts.map((host) => topology.hosts.name[rowOf(host)])
  const others = names.length - drainedNamesMax
  events.emit(now, 'WorkStarted', 'Info', { kind: 'World', id: null }, 'event.hosts-drained', {
    hosts: names.length,
    at: clockTime(until),
    names: names.slice(0, drainedNamesMax).join(', ') + (others > 0 ? ` and ${others} others` : ''),
  })
}

/** Announces an action and its targets; `scenario` is the scenario's title, or null for an injected action. */
export function announce(
  world: WorldView,
  scenario: string | null,
  step: ScenarioAction,
  targets: readonly FaultTarget[],
): void {
  if (targets.length === 0) {
    announceMissed(world, scenario, step)
    return
  }
  const { now, events, topology } = world
  const announced = targets.length > eventsPerActionMax ? targets.slice(0, 1) : targets
  const others = targets.length - announced.length
  for (const target of announced) {
    const args = { deed: step.action, target: nameOf(world, target) }
    const entity = entityOf(topology, target)
    const emit = <K extends MessageKey>(key: K, messageArgs: ArgumentsOf<K>): void =>
      events.emit(now, 'ScenarioStep', 'Info', entity, key, messageArgs)
    if (scenario === null && others === 0) emit('event.action-injected', args)
    else if (scenario === null) emit('event.action-injected-many', { ...args, others })
    else if (others === 0) emit('event.scenario-step', { scenario, ...args })
    else emit('event.scenario-step-many', { scenario, ...args, others })
  }
}

function announceMissed({ events, now }: WorldView, scenario: string | null, step: ScenarioAction): void {
  const args = { deed: step.action, target: step.target.kind }
  const entity = { kind: 'World', id: null } as const
  if (scenario === null)
    events.emit(now, 'ScenarioStep', 'Warning', entity, 'event.action-injected-missed', args)
  else
    events.emit(now, 'ScenarioStep', 'Warning', entity, 'event.scenario-step-missed', { scenario, ...args })
}
