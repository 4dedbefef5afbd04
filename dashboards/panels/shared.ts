import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, share } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import { gauge, increaseOver } from '../queries/series.ts'
import { bandColors, bandTextColors, noneExpected, quiet, unit } from '../style/look.ts'
import { narrowed } from '../style/bands.ts'
import { bands } from '../../src/contract/vocabularies.ts'
import { lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import type { Figure } from '../visualizations/stat.ts'
import type { Lines } from '../visualizations/lines.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { ageSteps, hostsOnlineSteps, marginSteps, satisfactionSteps } from '../style/threshold-steps.ts'
import { margin, revenueHourly } from '../queries/shared.ts'

/** Panels that several dashboards share. Each may change title, description and links. */

type Otherwise<P> = Partial<Pick<P, Extract<keyof P, 'title' | 'links' | 'description'>>>

export const revenueNow = (otherwise: Otherwise<Figure> = {}): Panel =>
  stat({
    title: 'Revenue an hour',
    description: 'Revenue of the last simulated hour, all customers together.',
    unit: unit.dollars,
    targets: [instantQuery(revenueHourly, '{{instance}}')],
    ...otherwise,
  })

export const marginNow = (otherwise: Otherwise<Figure> = {}): Panel =>
  stat({
    title: 'Margin',
    description: 'Revenue less cost, of the revenue of the last 30 simulated days.',
    unit: unit.share,
    decimals: 1,
    steps: marginSteps,
    targets: [instantQuery(margin, '{{instance}}')],
    ...otherwise,
  })

/** Payments are single: as a rate, one would stand for many. */
export const creditsPaid = (
  where: Parameters<typeof increaseOver<'dcsim_customer_sla_credits_dollars_total'>>[1],
  links: Figure['links'] = [],
): Panel =>
  stat({
    title: 'Credits',
    links,
    description: 'SLA credits paid in the time shown.',
    empty: 'Another world began.',
    unit: unit.dollars,
    decimals: 0,
    targets: [
      instantQuery(
        by('sum', increaseOver('dcsim_customer_sla_credits_dollars_total', where)),
        '{{instance}}',
      ),
    ],
  })

type WhichCustomers = Parameters<typeof gauge<'dcsim_customer_satisfaction_ratio'>>[1]

export const satisfactionNow = (which: WhichCustomers, otherwise: Otherwise<Figure> = {}): Panel =>
  stat({
    title: 'Satisfaction',
    description: 'Mean over customers, from furious to delighted.',
    unit: unit.share,
    decimals: 0,
    steps: satisfactionSteps,
    targets: [instantQuery(by('avg', gauge('dcsim_customer_satisfaction_ratio', which)), '{{instance}}')],
    ...otherwise,
  })

/** The number of customers that have exhausted the allowance of a promise: a used share of 1 or more. */
export const promisesBroken = (
  title: string,
  description: string,
  burnt: Expr<never>,
  otherwise: Otherwise<Figure> = {},
): Panel =>
  stat({
    title,
    description,
    unit: unit.count,
    steps: noneExpected,
    targets: [instantQuery(by('sum', { text: `(${burnt.text}) >= bool 1`, simple: false }), '{{instance}}')],
    ...otherwise,
  })

export const hostsOnline = <L extends string>(
  online: Expr<L>,
  all: Expr<NoInfer<L>>,
  otherwise: Otherwise<Figure> = {},
): Panel =>
  stat({
    title: 'Hosts online',
    description: 'Hosts that serve, of all hosts.',
    unit: unit.share,
    decimals: 1,
    steps: hostsOnlineSteps,
    targets: [instantQuery(share(online, all), '{{instance}}')],
    ...otherwise,
  })

/** The gravest band first, as in the tables of incidents. */
export const activeIncidents = (
  which: Parameters<typeof gauge<'dcsim_incidents_active'>>[1],
  otherwise: Otherwise<Figure> = {},
): Panel =>
  stat({
    title: 'Active incidents',
    description: 'Incidents that are not resolved, by band. Watch: keep an eye on it. Critical: act now.',
    unit: unit.count,
    steps: [{ value: null, color: quiet }],
    loud: bandTextColors,
    targets: bands
      .toReversed()
      .map((band) =>
        instantQuery(by('sum', narrowed(gauge('dcsim_incidents_active', which), `band="${band}"`)), band),
      ),
    ...otherwise,
  })

export const incidentsOverTime = (byBand: Expr<'band'>, otherwise: Partial<Lines> = {}): Panel =>
  lines({
    title: 'Incidents by band',
    description: 'Active incidents by band.',
    unit: unit.count,
    min: 0,
    stacked: true,
    stepped: true,
    legend: 'list',
    colors: bandColors,
    targets: [rangeQuery(byBand, '{{band}}')],
    ...otherwise,
  })

export const snapshotAge = (otherwise: Otherwise<Figure> = {}): Panel =>
  stat({
    title: 'Snapshot age',
    description:
      'Wall time since the state that the mirror serves was captured. One or two seconds are normal.',
    unit: unit.seconds,
    decimals: 1,
    steps: ageSteps,
    targets: [instantQuery(gauge('dcsim_mirror_snapshot_age_seconds'), '{{instance}}')],
    ...otherwise,
  })
