import { expect, test } from 'vitest'
import { createThreatRecords } from '../../src/world/records/equipment/threats.ts'
import { capitalized } from '../../src/words/phrases.ts'
import { threatWords } from '../../src/words/vocabulary.ts'

test('records, tables, alerts and dashboards call a class of attack by the same name', () => {
  const labels = createThreatRecords().map(({ label }) => label)
  expect(labels).toStrictEqual(createThreatRecords().map((each) => capitalized(threatWords(each.class))))
})
