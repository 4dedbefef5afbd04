import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'

const folder = new URL('../../alerts/generated/', import.meta.url)

test('alerts/generated is up to date (otherwise: npm run alerts)', () => {
  const written = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')])
  expect(Object.fromEntries(written)).toStrictEqual(Object.fromEntries(generatedFiles(defaultSettings)))
})

test.each([
  [15, 'incidents', '5s'],
  [15, 'network', '15s'],
  [30, 'incidents', '10s'],
])('of scrapes every %i s, groups of %s name the interval %s', (scrape, subject, interval) => {
  const files = generatedFiles({ ...defaultSettings, scrape })
  const named = [...files.get(`${subject}.rules.yaml`)!.matchAll(/^ {4}interval: (.+)$/gm)]
  expect(new Set(named.map(([, text]) => text))).toEqual(new Set([interval]))
})
