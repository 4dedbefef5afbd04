import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseScenario } from '../../../src/simulation/scenarios/parse-scenario.ts'
import { deeds, linkRoles } from '../../../src/simulation/scenarios/scenario.ts'
import { listScenarios } from '../../../src/simulation/scenarios/shipped.ts'

const page = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8')

test('the example of the page is right', () => {
  const [, example] = /```json\n([^]*?)```/.exec(page)!
  expect(parseScenario(example)).toHaveProperty('scenario.steps.length', 2)
})

test.each([...Object.keys(deeds), ...linkRoles, ...listScenarios().map(({ name }) => name)])(
  'the page tells of %s',
  (word) => {
    expect(page).toContain(`\`${word}\``)
  },
)
