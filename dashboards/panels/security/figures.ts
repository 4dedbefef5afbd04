import { thresholds } from '../../../src/contract/thresholds.ts'
import { toDashboard } from '../../layout/links.ts'
import { noneExpected, risingSteps, unit } from '../../style/look.ts'
import { stat } from '../../visualizations/stat.ts'
import { instantQuery } from '../../queries/targets.ts'
import { by } from '../../../promql/expressions.ts'
import { bytesToBits, increaseOver, gaugeSum } from '../../queries/series.ts'
import { shareGettingThrough } from './threat-amounts.ts'
import { displayThresholds } from '../../../src/contract/thresholds.ts'

/** The state of defenses in numbers. */
export const securityFigures = [
  stat({
    title: 'Under attack',
    links: [toDashboard('dcsim-customers')],
    description: 'Customers that are the target of hostile traffic.',
    unit: unit.count,
    steps: noneExpected,
    targets: [instantQuery(gaugeSum('dcsim_customer_under_attack'), '{{instance}}')],
  }),
  stat({
    title: 'Breached',
    description: 'Customers with an active intrusion.',
    unit: unit.count,
    steps: risingSteps(1),
    targets: [instantQuery(gaugeSum('dcsim_customer_breached'), '{{instance}}')],
  }),
  stat({
    title: 'Gets through',
    description:
      'Of the hostile traffic of a class that arrives, what passes the last line of defense: what gets past a gateway may still be stopped, or dropped on a full link. The worst class counts.',
    unit: unit.share,
    decimals: 0,
    steps: risingSteps(thresholds.threatResidualHigh, displayThresholds.threatResidualMost),
    empty: 'No attack arrives.',
    targets: [instantQuery(by('max', shareGettingThrough), '{{instance}}')],
  }),
  stat({
    title: 'Attacks',
    links: [toDashboard('dcsim-incidents')],
    description: 'Attacks that began in the time shown.',
    unit: unit.count,
    decimals: 0,
    targets: [
      instantQuery(by('sum', increaseOver('dcsim_events_total', { kind: 'AttackStarted' })), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Breaches',
    links: [toDashboard('dcsim-incidents')],
    description: 'Intrusions that got in, in the time shown.',
    unit: unit.count,
    decimals: 0,
    steps: noneExpected,
    targets: [
      instantQuery(by('sum', increaseOver('dcsim_events_total', { kind: 'Breach' })), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Scrubbed',
    description: 'Hostile traffic that appliances take out.',
    unit: unit.traffic,
    targets: [
      instantQuery(bytesToBits(gaugeSum('dcsim_appliance_scrubbed_bytes_per_second')), '{{instance}}'),
    ],
  }),
]
