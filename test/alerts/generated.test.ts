import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'

const folder = new URL('../../alerts/generated/', import.meta.url)

test('alerts/generated is up to date (otherwise: npm run alerts)', () => {
  const written = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')])
  expect(Object.fromEntries(written)).toStrictEqual(Object.fromEntries(generatedFiles(defaultSettings)))
})
