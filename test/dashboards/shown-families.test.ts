import { expect, test } from 'vitest'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'
import { collectorFamilies } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import { everyDashboard } from './dashboard-json.ts'
import { familiesNotShown } from './shown-families.ts'

const declared = Object.keys({ ...families, ...collectorFamilies, ...mirrorFamilies })
const listed = Object.values(familiesNotShown).flat()

/** All words of dashboards and rules: panels, marks, variables and alerts. */
const read = new Set(
  [JSON.stringify(everyDashboard).replaceAll('\\n', ' '), ...generatedFiles(defaultSettings).values()]
    .flatMap((text) => text.match(/\b[a-z]\w+_\w+/g) ?? [])
    .map((name) => name.replace(/_bucket$/, '')),
)

test('a dashboard or an alert reads every family of metrics, or it is listed with the reason why none does', () => {
  expect(listed.toSorted()).toEqual(declared.filter((name) => !read.has(name)).toSorted())
})
