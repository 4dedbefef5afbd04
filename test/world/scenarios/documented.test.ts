import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scenarioStart } from '../../../src/world/scenarios/scenario-start.ts'
import { defaultSpeed } from '../../../src/contract/thresholds.ts'
import { parseScenario } from '../../../src/world/scenarios/parse-scenario.ts'
import { actionRules, linkRoles } from '../../../src/world/simulation/scenarios/scenario.ts'
import { listScenarios, shippedScenario } from '../../../src/world/scenarios/shipped.ts'

const page = readFileSync(new URL('../../../docs/formats/scenario.md', import.meta.url), 'utf8')

test.each(listScenarios())('the page and the log of $name say what one sees, and from when', (listed) => {
  const row = new RegExp(`^\\| \`${listed.name}\` \\| (.*) \\| ([^|]+) \\|$`, 'm').exec(page)!
  const [, what, from] = row
  expect(what).toBe(listed.description)
  const told = scenarioStart(shippedScenario(listed.name)!, defaultSpeed)
  expect(told).toContain(what)
  expect(/, after (.+) of yours\.$/.exec(told)?.[1] ?? '–').toBe(from)
})

test('the example on the page is valid', () => {
  const [, example] = /```json[^\n]*\n([^]*?)```/.exec(page)!
  expect(parseScenario(example)).toHaveProperty('scenario.steps.length', 2)
})

test.each([...Object.keys(actionRules), ...linkRoles, ...listScenarios().map(({ name }) => name)])(
  'docs/formats/scenario.md documents %s',
  (word) => {
    expect(page.includes(`\`${word}\``)).toBe(true)
  },
)
