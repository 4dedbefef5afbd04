import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tables } from '../../src/tables/catalog.ts'
import { everyDashboard, panelsOf } from '../dashboards/dashboard-json.ts'
import { columnsNotShown } from './shown-columns.ts'

const textOf = (paths: string): string =>
  globSync(paths)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')

const addresses = /\/tables\/(?<table>[\w-]+)(?:\.csv)?\?(?<query>[^\s'"`)|]+)/g

/** The columns by which addresses in texts order rows. */
const orders = (text: string): string[] =>
  Array.from(text.matchAll(addresses), ({ groups }) => {
    const column = /\bsort=-?(\w+)/.exec(groups!['query'])?.[1]
    return column === undefined ? '' : `${groups!['table']}.${column}`
  })

/** The columns that a program reads of tables: every word of it that one of them has as a column. */
const readBy = (path: string, names: readonly string[]): string[] => {
  const words = new Set(textOf(path).match(/\w+/g))
  return names.flatMap((name) =>
    Object.keys(tables.get(name)!.columns).flatMap((column) =>
      words.has(column) ? [`${name}.${column}`] : [],
    ),
  )
}

const onPanels = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard).flatMap(({ targets = [] }) =>
    targets.flatMap(({ url = '', columns = [] }) => {
      const table = /^\/tables\/([\w-]+)/.exec(url)?.[1]
      return [...orders(url), ...columns.map(({ selector }) => `${table}.${selector}`)]
    }),
  ),
)

const shown = new Set([
  ...onPanels,
  ...orders(textOf('{README.md,docs/**/*.md,alerts/runbooks/*.md}')),
  ...readBy('src/http/landing/script.ts', ['world', 'incident-groups', 'zones', 'events']),
  ...readBy('src/commands/{chronicle,chronicle-page}.ts', ['days', 'incidents', 'worlds']),
])

const reasons = Object.values(columnsNotShown).flatMap((names) => names.trim().split(/\s+/))
const isListed = (table: string, column: string): boolean =>
  reasons.includes(`${table}.${column}`) || reasons.includes(`*.${column}`)

const all = [...tables.values()].flatMap(({ name, columns }) =>
  Object.keys(columns).map((column) => ({ table: name, column })),
)

test('a page, a runbook or a command shows every column, or it is listed with the reason why none does', () => {
  const lacking = all.filter(
    ({ table, column }) => !shown.has(`${table}.${column}`) && !isListed(table, column),
  )
  expect(lacking.map(({ table, column }) => `${table}.${column}`)).toEqual([])
})

test('each reason is for a column that there is and that nothing shows', () => {
  const idle = reasons.filter((reason) =>
    all.every(({ table, column }) => {
      const isMeant = reason === `${table}.${column}` || reason === `*.${column}`
      return !isMeant || shown.has(`${table}.${column}`)
    }),
  )
  expect(idle).toEqual([])
})
