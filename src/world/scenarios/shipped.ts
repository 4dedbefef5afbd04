import type { Scenario } from '../simulation/scenarios/scenario.ts'
import { parseScenario } from './parse-scenario.ts'
import batteriesRunOut from './shipped/batteries-run-out.json' with { type: 'json' }
import broadcastStorm from './shipped/broadcast-storm.json' with { type: 'json' }
import cableCutBreaksRedundancy from './shipped/cable-cut-breaks-redundancy.json' with { type: 'json' }
import capacitySqueeze from './shipped/capacity-squeeze.json' with { type: 'json' }
import certificateForAll from './shipped/certificate-for-all.json' with { type: 'json' }
import coreSwitchAtPeak from './shipped/core-switch-at-peak.json' with { type: 'json' }
import ddosFriday from './shipped/ddos-friday.json' with { type: 'json' }
import displaysFreeze from './shipped/displays-freeze.json' with { type: 'json' }
import firstWorkday from './shipped/first-workday.json' with { type: 'json' }
import gameDay from './shipped/game-day.json' with { type: 'json' }
import hotAfternoon from './shipped/hot-afternoon.json' with { type: 'json' }
import misconfiguredGateway from './shipped/misconfigured-gateway.json' with { type: 'json' }
import namesEmptied from './shipped/names-emptied.json' with { type: 'json' }
import powerFeedLost from './shipped/power-feed-lost.json' with { type: 'json' }
import quietWeek from './shipped/quiet-week.json' with { type: 'json' }
import routesWithdrawn from './shipped/routes-withdrawn.json' with { type: 'json' }
import ruleForAllFirewalls from './shipped/rule-for-all-firewalls.json' with { type: 'json' }

/** Built-in scenarios, in the order of `--list-scenarios`. */
const files = [
  quietWeek,
  coreSwitchAtPeak,
  ddosFriday,
  powerFeedLost,
  cableCutBreaksRedundancy,
  broadcastStorm,
  misconfiguredGateway,
  capacitySqueeze,
  routesWithdrawn,
  ruleForAllFirewalls,
  hotAfternoon,
  batteriesRunOut,
  namesEmptied,
  certificateForAll,
  firstWorkday,
  displaysFreeze,
  gameDay,
] as const

export const listScenarios = (): Pick<Scenario, 'name' | 'title' | 'description'>[] =>
  files.map(({ name, title, description }) => ({ name, title, description }))

/** The built-in scenario with this name; null if unknown. */
export function shippedScenario(name: string): Scenario | null {
  const file = files.find((candidate) => candidate.name === name)
  if (file === undefined) return null
  const parsed = parseScenario(JSON.stringify(file))
  if ('scenario' in parsed) return parsed.scenario
  throw new Error(`built-in scenario ${name}: ${parsed.problem.message}`)
}
