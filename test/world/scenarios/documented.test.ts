import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseScenario } from '../../../src/world/scenarios/parse-scenario.ts'
import { actionRules, linkRoles } from '../../../src/world/simulation/scenarios/scenario.ts'
import { listScenarios } from '../../../src/world/scenarios/shipped.ts'

const page = readFileSync(new URL('../../../docs/formats/scenario.md', import.meta.url), 'utf8')

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
