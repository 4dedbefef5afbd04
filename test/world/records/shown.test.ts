import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { numberedSimulation, recordsText } from './record-text.ts'

/** These files are not generated: after an intended change, edit the lines that a test reports, and review them. */
const reviewed = (name: string): string =>
  readFileSync(new URL(`./shown/${name}.txt`, import.meta.url), 'utf8')

const { collections, diagnostics } = numberedSimulation().snapshot()
const { customers: _, ...others } = collections
const shown = { ...others, diagnostics: [diagnostics] }

test.each(Object.entries(shown).filter(([, records]) => records.length > 0))(
  '%s show what test/world/records/shown has of them',
  (name, records) => {
    expect(recordsText(records)).toBe(reviewed(name))
  },
)
