import { expect, test } from 'vitest'
import { reviewedTexts } from '../../fixtures/reviewed-texts.ts'
import { numberedSimulation, recordsText } from './record-text.ts'

const reviewed = reviewedTexts(new URL('./shown/', import.meta.url))

const { collections, diagnostics } = numberedSimulation().snapshot()
const { customers: _, ...others } = collections
const shown = { ...others, diagnostics: [diagnostics] }

test.each(Object.entries(shown).filter(([, records]) => records.length > 0))(
  '%s show what test/world/records/shown has of them',
  (name, records) => {
    expect(recordsText(records)).toBe(reviewed.text(name))
  },
)
