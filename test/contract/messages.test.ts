import { expect, test } from 'vitest'
import { messageArguments, messageText } from '../../src/contract/messages/catalog.ts'

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
