import { expect, test } from 'vitest'
import { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'
import { collectorFamilies } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import { everyDashboard, panelsOf } from './dashboard-json.ts'
import { parsed } from './promql-parts.ts'
import { familiesWithoutPanel } from './shown-families.ts'

const declared = Object.keys({ ...families, ...collectorFamilies, ...mirrorFamilies })
const listed = Object.values(familiesWithoutPanel).flat()

const onPanels = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard).flatMap(({ targets = [] }) => targets.map(({ expr = '' }) => expr)),
)
const asMarks = everyDashboard.flatMap(({ annotations }) => annotations.list.map(({ expr }) => expr))
const shown = new Set(
  [...onPanels, ...asMarks]
    .filter((expr) => expr !== '')
    .flatMap((expr) => parsed(expr).selectors.map(({ metric }) => metric.replace(/_bucket$/, ''))),
)

test('every family of metrics is on a dashboard, or is listed with the reason why it is on none', () => {
  const known = new Set([...shown, ...listed])
  expect(declared.filter((name) => !known.has(name))).toEqual([])
})

test('the list names families that there are, each once', () => {
  const names = new Set(declared)
  expect(listed.filter((name) => !names.has(name))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
})

test('a family that is on a dashboard is not listed as one that is on none', () => {
  expect(listed.filter((name) => shown.has(name))).toEqual([])
})

test('most families are shown', () => {
  const found = declared.filter((name) => shown.has(name))
  expect(found.length / declared.length).toBeGreaterThan(0.75)
})
