import { durationText } from '../text/duration.ts'
import { second } from '../world/built-in-world.ts'
import type { Scenario } from '../world/scenario-language.ts'

/** The plot of a scenario, and the time of its first action in the world and on the clock. */
export function scenarioStart(
  { title, description, steps, timesCountFrom }: Scenario,
  speed: number,
): string {
  const what = `Scenario: ${title}. ${description}`
  if (steps.length === 0 || timesCountFrom !== 'warm-up' || speed === 0) return what
  const seconds = steps[0].at / second
  return `${what} It begins at ${durationText(seconds)} of the session, after ${durationText(seconds / speed)} of yours.`
}
