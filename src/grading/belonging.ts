import type { TruthLine } from '../contract/truth-line.ts'
import type { Span } from './firing.ts'

/** One time that an alert fired, in seconds since 1970. */
export interface Episode {
  readonly alert: string
  readonly severity: string
  readonly labels: Readonly<Record<string, string>>
  readonly span: Span
}

/** Labels that name one thing; the first that an alert has decides what it is about. */
const names = ['incident', 'customer', 'link', 'switch', 'gateway', 'appliance', 'host', 'rack', 'pool', 'az']

/**
 * Whether an alert is about a fault: it names the fault's incident, or it began to fire while the fault lasted, or
 * within `grace` seconds of its end, and names something that the fault touched, or nothing at all. A fault that
 * reaches a whole zone touches all devices in it.
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

/** Wall times of faults are as exact as the clock of the mirror and that of Prometheus agree. */
const timeError = 1
