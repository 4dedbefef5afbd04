import { durationText } from '../../text/duration.ts'
import { wrapText } from '../../text/wrap-text.ts'
import type { Scenario } from '../simulation/scenarios/scenario.ts'
import { second } from '../simulation/time.ts'
import { listScenarios } from './shipped.ts'

/** The plot of a scenario, and the time of its first action in the world and on the clock. */
export function scenarioStart(scenario: Scenario, speed: number): string {
  const { title, description, steps, timesCountFrom } = scenario
  const what = `Scenario: ${title}. ${description}`
  if (steps.length === 0 || timesCountFrom !== 'warm-up' || speed === 0) return what
  const seconds = steps[0].at / second
  return `${what} It begins at ${durationText(seconds)} of the session, after ${durationText(seconds / speed)} of yours.`
}

/** The list of `--list-scenarios`. */
export const describeScenarios = (): string =>
  listScenarios()
    .map(({ name, title, description }) => `${name}\n${wrapText(`  ${title}. ${description}`, 2)}`)
    .join('\n')
