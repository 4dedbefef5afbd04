import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { inhibitions } from '../../alerts/notifications/inhibitions.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { inhibitionsText, rulesText } from './rule-text.ts'

/** No program writes these files: after an intended change, edit the lines that a test names, and read them. */
const reviewed = (subject: string): string =>
  readFileSync(new URL(`./rules/${subject}.txt`, import.meta.url), 'utf8')

test.each(ruleGroups(defaultSettings).map((group) => [group.subject, group] as const))(
  'the rules about %s are those in test/alerts/rules',
  (subject, group) => {
    expect(rulesText(group)).toBe(reviewed(subject))
  },
)

test('an alert silences those that test/alerts/rules/inhibitions.txt says', () => {
  expect(inhibitionsText(inhibitions(defaultSettings))).toBe(reviewed('inhibitions'))
})
