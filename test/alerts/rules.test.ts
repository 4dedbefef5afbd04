import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inhibitionsText, rulesText } from './rule-text.ts'

const folder = new URL('./rules/', import.meta.url)

/** These files are not generated: after an intended change, edit the lines that a test reports, and review them. */
const reviewed = (name: string): string => readFileSync(new URL(`${name}.txt`, folder), 'utf8')

test('rules are those in test/alerts/rules', async () => {
  // Imported here, so that `npm run test:mutants` reloads the modules for each mutant.
  const { ruleGroups } = await import('../../alerts/catalog.ts')
  const { defaultSettings } = await import('../../alerts/settings.ts')
  const groups = ruleGroups(defaultSettings)
  for (const group of groups) expect.soft(rulesText(group), group.subject).toBe(reviewed(group.subject))
  const names = [...groups.map(({ subject }) => subject), 'inhibitions']
  expect(readdirSync(folder).toSorted()).toEqual(names.map((name) => `${name}.txt`).toSorted())
})

test('an alert silences those that test/alerts/rules/inhibitions.txt says', async () => {
  const { inhibitions } = await import('../../alerts/notifications/inhibitions.ts')
  const { defaultSettings } = await import('../../alerts/settings.ts')
  expect(inhibitionsText(inhibitions(defaultSettings))).toBe(reviewed('inhibitions'))
})
