import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import type { Span } from './firing.ts'

/** One episode of an alert firing, in seconds since 1970. */
export interface Episode {
  readonly alert: string
  readonly severity: string
  readonly labels: Readonly<Record<string, string>>
  readonly span: Span
}

/**
 * Labels that identify an entity, in order of precedence: an alert is about the entity in the first of these labels
 * that it has.
 */
const names = ['incident', 'customer', 'link', 'switch', 'gateway', 'appliance', 'host', 'rack', 'pool', 'az']

/**
 * Whether an alert belongs to a fault: it names the fault's incident, or it began to fire while the fault lasted or
 * within `grace` seconds of its end, and names an affected entity or none at all. A fault in a whole zone affects all
 * of its devices.
 */
export function belongs({ labels, span }: Episode, fault: TruthLine, grace: number): boolean {
  const label = names.find((name) => labels[name] !== undefined)
  const touches = (name: string): boolean => (fault.touched[name] ?? []).includes(labels[name])
  const isWithin = label !== 'incident' && label !== 'customer' && touches('zone')
  if (label !== undefined && !touches(label) && !isWithin) return false
  const [from] = span
  const ends = fault.end === null ? Infinity : fault.end.wall_s
  // Incidents are open for longer than their faults last.
  return from >= fault.begin.wall_s - timeError && (label === 'incident' || from <= ends + grace)
}

/** Tolerance in seconds: wall times of faults are as exact as the clocks of the mirror and of Prometheus agree. */
const timeError = 1
