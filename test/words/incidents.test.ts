/** Texts of incidents and events. */
import { expect, test } from 'vitest'
import { messageArguments } from '../../src/contract/messages/catalog.ts'
import { sentenceOr } from '../../src/words/incidents.ts'

test.each([
  ['app', 'Anvil: every application unit is placed, 10 in all.'],
  ['gpu-inference', 'Anvil: every GPU inference unit is placed, 10 in all.'],
])('a service of the class %s has a name: %s', (service, text) => {
  const given = messageArguments('event.service-placed', { customer: 'Anvil', service, units: 10 })
  expect(sentenceOr('event.service-placed', given, '')).toBe(text)
})
