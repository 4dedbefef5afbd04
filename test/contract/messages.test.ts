import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { causeKeyOf } from '../../src/contract/messages/incident-causes.ts'
import type { CauseKind } from '../../src/contract/vocabularies.ts'
import { messageArguments, messages, messageText } from '../../src/contract/messages/catalog.ts'
import { eventKinds } from '../../src/contract/vocabularies.ts'
import { faultKinds } from '../../src/world/simulation/faults/kinds.ts'
import { questChain } from '../../src/world/simulation/quests/quest-chain.ts'
import { signals } from '../../src/world/simulation/incidents/monitors/signals.ts'

test.each([
  [183.6, '$183.60'],
  [183.65, '$183.65'],
  [1409, '$1,409'],
])('%d dollars have cents or none', (dollars, said) => {
  const key = 'event.hardware-sold'
  const text = messageText(
    key,
    messageArguments(key, { what: 'a host', dollars, because: 'empty for 2.5 weeks' }),
  )
  expect(text).toBe(`Sold a host for ${said}: empty for 2.5 weeks.`)
})

test('other numbers have the decimals that they need', () => {
  const key = 'event.sale-planned'
  const text = messageText(key, messageArguments(key, { what: 'a host', days: 7.5, because: 'empty' }))
  expect(text).toBe('Plans to sell a host in 7.5 days: empty.')
})

test('a count of one is in the singular', () => {
  const shrank = messageArguments('event.customer-shrank', {
    customer: 'Alder',
    before: 2,
    after: 1,
    reason: 'a quiet season',
  })
  expect(messageText('event.customer-shrank', shrank)).toBe(
    'Alder shrank from 2 to 1 unit. Reason: a quiet season.',
  )
  const ordered = { what: 'a host', dollars: 5, days: 1, because: 'it is needed' }
  expect(messageText('event.capacity-ordered', messageArguments('event.capacity-ordered', ordered))).toBe(
    'Ordered a host for $5, delivery in 1 day: it is needed.',
  )
  const second = messageArguments('event.day-started', { day: 1, hosts: 1, customers: 3 })
  expect(messageText('event.day-started', second)).toBe('Day 1 starts with 1 host and 3 customers.')
})

test.each([
  [0, '0 s'],
  [59, '59 min'],
  [60, '1 h'],
  [454, '7 h 34 min'],
  [1_560, '1 d 2 h'],
])('%d minutes are told as every duration is', (minutes, said) => {
  const resolved = messageArguments('event.incident-resolved', { incident: 5, minutes })
  expect(messageText('event.incident-resolved', resolved)).toBe(`Incident 5 is resolved after ${said}.`)
})

test('every message and every kind of event is used', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('contract'))
    .map((path) => readFileSync(join('src', path), 'utf8'))
    .join('\n')
  const composed = new Set([
    ...(Object.keys(faultKinds) as CauseKind[]).map(causeKeyOf),
    ...Object.keys(signals).map((signal) => `symptom.${signal}`),
    ...questChain(24).flatMap(({ slug }) => [`quest.${slug}.title`, `quest.${slug}.blurb`]),
  ])
  const unused = [...Object.keys(messages), ...eventKinds].filter(
    (key) => !composed.has(key) && !sources.includes(`'${key}'`),
  )
  expect(unused).toEqual([])
})
