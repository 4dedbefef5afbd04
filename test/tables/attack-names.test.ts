import { expect, test } from 'vitest'
import { threatsAtRest } from '../../src/world/records/equipment/threats.ts'
import { capitalized } from '../../src/words/phrases.ts'
import { threatWords } from '../../src/words/vocabulary.ts'

test('records, tables, alerts and dashboards call a class of attack by the same name', () => {
  const labels = threatsAtRest().map(({ label }) => label)
  expect(labels).toStrictEqual(threatsAtRest().map((each) => capitalized(threatWords(each.class))))
})
