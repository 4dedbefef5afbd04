import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { chooseCollectors } from '../../src/metrics/declaration/collectors.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'
import { fileText, stack } from '../containers/stack-file.ts'
import { everyDashboard } from '../dashboards/dashboard-json.ts'

const declared: Readonly<Record<string, Family>> = families

/** The default choice of collectors of each shipped stack. */
const choices = {
  compose: stack.services['mirror'].environment!['DCSIM_COLLECTORS'].replace(
    /^\$\{DCSIM_COLLECTORS:-(.*)\}$/,
    '$1',
  ),
  kubernetes:
    /DCSIM_COLLECTORS\s+value: (?<choice>\S+)/.exec(fileText('deploy/kubernetes/mirror.yaml'))?.groups?.[
      'choice'
    ] ?? '',
  helm:
    (
      parse(fileText('deploy/helm/dcsim-mirror/values.yaml')) as {
        readonly sessions: readonly [{ readonly settings: { readonly collectors?: string } }]
      }
    ).sessions[0].settings.collectors ?? '',
}

const groups = ruleGroups(defaultSettings)
/** Rules and dashboards, with the text of their queries. */
const readers: readonly (readonly [reader: string, text: string])[] = [
  ...groups.flatMap((group) => group.recordings).map(({ record, expr }) => [record, expr] as const),
  ...groups.flatMap((group) => group.alerts).map((alert) => [alert.alert, JSON.stringify(alert)] as const),
  ...everyDashboard.map((dashboard) => [dashboard.uid, JSON.stringify(dashboard)] as const),
]

const readIn = (text: string): Family[] =>
  [...text.matchAll(/\bdcsim_\w+/g)].flatMap(
    ([name]) => declared[name.replace(/_(?:bucket|sum|count)$/, '')] ?? [],
  )

test.each(Object.entries(choices))(
  'no rule and no panel reads a collector that is off in the shipped stack: %s',
  (_, choice) => {
    const on = new Set<string>(chooseCollectors(choice))
    const missed = readers.flatMap(([reader, text]) =>
      [...new Set(readIn(text).map(({ collector }) => collector))]
        .filter((collector) => !on.has(collector))
        .map((collector) => `${reader} reads ${collector}`),
    )
    expect(missed).toStrictEqual([])
  },
)

test('rules and panels are seen to read most collectors', () => {
  const collectors = new Set(readers.flatMap(([, text]) => readIn(text)).map(({ collector }) => collector))
  expect(collectors.size).toBeGreaterThanOrEqual(19)
})
