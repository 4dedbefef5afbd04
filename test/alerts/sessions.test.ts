import { describe, test } from 'vitest'
import { alertCases } from '../../alerts/cases/alert-cases.ts'
import type { AlertCase } from '../../alerts/cases/alert-case.ts'
import { ruleGroups } from '../../alerts/catalog.ts'
import { designSettings } from './design-settings.ts'
import type { AlertSettings } from '../../alerts/settings.ts'
import { hasTool } from '../fixtures/tools.ts'
import { movingWorld, expectRules, ofTargets } from './promtool.ts'
import type { RuleTest } from './promtool.ts'

type Labels = Readonly<Record<string, string>>

interface Store {
  readonly what: string
  readonly settings: AlertSettings
  readonly targets: readonly Labels[]
}

/** Targets in one store, each of which differs from another one in a single label. */
const stores: readonly Store[] = [
  {
    what: 'sessions of one address, and mirrors without a session',
    settings: designSettings,
    targets: [
      { job: 'dcsim', instance: 'a', session: 's' },
      { job: 'dcsim', instance: 'a', session: 't' },
      { job: 'dcsim', instance: 'a' },
      { job: 'dcsim', instance: 'b' },
    ],
  },
  {
    what: 'stacks whose sessions have one name',
    settings: { ...designSettings, identity: ['cluster'] },
    targets: [
      { job: 'dcsim', instance: 'a', session: 's', cluster: 'east' },
      { job: 'dcsim', instance: 'a', session: 's', cluster: 'west' },
    ],
  },
]

/** An absent target without any label cannot be identified, so there is no alert for it. */
const cases = Object.entries<AlertCase>(alertCases).filter(([name]) => name !== 'DcsimMirrorAbsent')

/** Expects the labels of all firing alerts: one for each target; anything else is an error or a wrong sum. */
function firing(name: string, category: string, { firesAt, labels }: AlertCase, targets: Store['targets']) {
  const own = Object.entries({ category, ...labels, alertname: name, alertstate: 'firing' }).filter(
    ([, value]) => value !== '',
  )
  return {
    expr: `ALERTS{alertname="${name}", alertstate="firing"}`,
    eval_time: firesAt,
    exp_samples: targets.map((target) => ({
      labels: `ALERTS{${[...own, ...Object.entries(target)].map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(', ')}}`,
      value: 1,
    })),
  }
}

describe.skipIf(!hasTool('promtool'))('every alert keeps apart (skipped where there is no promtool)', () => {
  const subjectOf = (settings: AlertSettings, name: string): string =>
    ruleGroups(settings).find(({ alerts }) => alerts.some(({ alert }) => alert === name))!.subject

  test.each(stores)('$what', ({ settings, targets }) => {
    const bySubject = Map.groupBy(cases, ([name]) => subjectOf(settings, name))
    for (const [subject, ofSubject] of bySubject) {
      const tests = ofSubject.map(
        ([name, given]): RuleTest => ({
          input_series: ofTargets({ ...movingWorld, ...given.series }, targets),
          promql_expr_test: [firing(name, subject, given, targets)],
        }),
      )
      expectRules(subject, tests, settings)
    }
  })

  test('an alert of one session is independent of the other', () => {
    const [session, other] = stores[0].targets
    const quiet = ofTargets({ ...movingWorld, 'dcsim_host_online{host="7",az="2",pool="3"}': '1x480' }, [
      other,
    ])
    const { firesAt, series } = alertCases.DcsimHostDown
    expectRules(
      'hardware',
      [
        {
          input_series: [...ofTargets({ ...movingWorld, ...series }, [session]), ...quiet],
          promql_expr_test: [
            {
              expr: 'count by (session) (ALERTS{alertname="DcsimHostDown", alertstate="firing"})',
              eval_time: firesAt,
              exp_samples: [{ labels: '{session="s"}', value: 1 }],
            },
          ],
        },
      ],
      designSettings,
    )
  })
})
