import { expect, onTestFinished, test } from 'vitest'
import { createMirror, recordOf } from '../../src/library.ts'
import type { WorldState } from '../../src/library.ts'

test('a host of a few fields has a name in tables, and power', () => {
  expect(recordOf('hosts', { id: 1, display_name: 'n-01' })).toMatchObject({
    display_name: 'n-01',
    display_name_plain: 'n-01',
    powered: true,
  })
  expect(recordOf('hosts', { id: 1, powered: false })).toMatchObject({
    powered: false,
    display_name_plain: '',
  })
})

/** As in a program without types. */
const untyped = recordOf as (collection: string, fields: object) => object

test.each([
  ['racks', {}, 'unknown collection "racks"; expected one of '],
  ['host', {}, 'unknown collection "host"; did you mean "hosts"?'],
  ['hosts', { displayname: 'n-01' }, 'unknown field of Host "displayname"; did you mean "display_name"?'],
])('recordOf names what it does not know: %s %j', (collection, fields, message) => {
  expect(() => untyped(collection, fields)).toThrow(message)
})

test.each([
  [{ host: [] }, 'The world could not be read: unknown collection "host"; did you mean "hosts"?'],
  [
    { hosts: [{ id: 1 }] },
    'The world could not be read: hosts: the first record has no display_name; recordOf fills what is left out',
  ],
])('a world with a mistake is reported, and the process continues: %j', async (collections, message) => {
  const lines: string[] = []
  const state = { simTimeNs: 1n, collections } as unknown as WorldState
  const mirror = createMirror({ source: { read: () => state }, log: (line) => lines.push(line) })
  onTestFinished(() => mirror.close())
  const { port } = await mirror.listen()
  await fetch(`http://127.0.0.1:${port}/health`)
  await expect.poll(() => lines.join('\n')).toContain(message)
})
