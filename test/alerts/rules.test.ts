import { expect, test } from 'vitest'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'
import { inhibitionsText, rulesText } from './rule-text.ts'

const reviewed = reviewedTexts(new URL('./rules/', import.meta.url))

test('rules are those in test/alerts/rules', async () => {
  // Imported here, so that `npm run node test/mutants/main.ts` reloads the modules for each mutant.
  const { ruleGroups } = await import('../../alerts/catalog.ts')
  const { designSettings } = await import('./design-settings.ts')
  const groups = ruleGroups(designSettings)
  for (const group of groups) expect.soft(rulesText(group), group.subject).toBe(reviewed.text(group.subject))
  const names = [...groups.map(({ subject }) => subject), 'inhibitions']
  expect(reviewed.names).toEqual(names.toSorted())
})

test('an alert silences those that test/alerts/rules/inhibitions.txt says', async () => {
  const { inhibitions } = await import('../../alerts/notifications/inhibitions.ts')
  const { designSettings } = await import('./design-settings.ts')
  expect(inhibitionsText(inhibitions(designSettings))).toBe(reviewed.text('inhibitions'))
})
