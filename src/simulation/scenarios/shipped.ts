import broadcastStorm from './broadcast-storm.json' with { type: 'json' }
import cableCutBreaksRedundancy from './cable-cut-breaks-redundancy.json' with { type: 'json' }
import capacitySqueeze from './capacity-squeeze.json' with { type: 'json' }
import coreSwitchAtPeak from './core-switch-at-peak.json' with { type: 'json' }
import ddosFriday from './ddos-friday.json' with { type: 'json' }
import hotAfternoon from './hot-afternoon.json' with { type: 'json' }
import misconfiguredGateway from './misconfigured-gateway.json' with { type: 'json' }
import powerFeedLost from './power-feed-lost.json' with { type: 'json' }
import quietWeek from './quiet-week.json' with { type: 'json' }
import { parseScenario } from './parse-scenario.ts'
import type { Scenario } from './scenario.ts'

/** The scenarios that come with the project, by the order in which one might try them. */
const files = [
  quietWeek,
  coreSwitchAtPeak,
  ddosFriday,
  powerFeedLost,
  cableCutBreaksRedundancy,
  hotAfternoon,
  broadcastStorm,
  misconfiguredGateway,
  capacitySqueeze,
] as const

export interface ListedScenario {
  readonly name: string
  readonly title: string
  readonly description: string
}

export const listScenarios = (): ListedScenario[] =>
  files.map(({ name, title, description }) => ({ name, title, description }))

/** The shipped scenario of that name; null where there is none. */
export function shippedScenario(name: string): Scenario | null {
  const file = files.find((candidate) => candidate.name === name)
  if (file === undefined) return null
  const reading = parseScenario(JSON.stringify(file))
  if ('scenario' in reading) return reading.scenario
  throw new Error(`the scenario ${name} is wrong: ${reading.problem.message}`)
}
