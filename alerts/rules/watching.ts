import { by, calculate, compare, filter, increase, metric, overTime } from '../promql.ts'
import { counted, duration, percent } from '../annotation-text.ts'
import type { Alert, DefineAlert } from '../rule.ts'
import { durationText, scrapesPerWindow } from '../settings.ts'
import type { Settings } from '../settings.ts'
import { jobOf } from './job.ts'

const ofWorld = false
const opens = ['instance'] as const
const dashboard = 'mirror'

/** The mirror's process and its answers. */
export function mirrorProcess(make: DefineAlert, settings: Settings): Alert[] {
  const { errorShareHigh, memoryBytesHigh } = settings.thresholds
  const job = jobOf(settings)
  const answers = by('sum', increase('dcsim_mirror_http_requests_total', '5m'))
  const errors = by('sum', increase('dcsim_mirror_http_requests_total', '5m', { code: serverErrors }))
  return [
    make('DcsimMirrorRestarted', {
      severity: 'info',
      expr: compare(overTime('changes', 'process_start_time_seconds', '15m', { job }), '>', 0),
      ofWorld,
      summary: 'The mirror of {world} was restarted',
      description:
        'The mirror of {world} ({instance}) was restarted within 15 minutes. If nobody did that, its log says why it' +
        ' ended. Without a state file its world begins anew.',
      dashboard,
      opens,
    }),
    make('DcsimMirrorErrors', {
      severity: 'warning',
      expr: compare(calculate(errors, '/', compare(answers, '>', 0)), '>', errorShareHigh),
      holds: 60,
      lingers: 60,
      ofWorld,
      summary: `The mirror of {world} answers ${percent} of requests with errors`,
      description:
        `The mirror of {world} ({instance}) answers ${percent} of all requests with errors of its own (5xx):` +
        ' dashboards lack tables. Its log has the errors; the Mirror dashboard shows the routes.',
      dashboard,
      opens,
    }),
    make('DcsimMirrorMemoryHigh', {
      severity: 'warning',
      expr: compare(metric('process_resident_memory_bytes', { job }), '>', memoryBytesHigh),
      holds: 300,
      ofWorld,
      summary: 'The mirror of {world} uses {{ $value | humanize1024 }}B of memory',
      description:
        'The process of {world} ({instance}) holds {{ $value | humanize1024 }}B of memory. Where its container has a' +
        ' limit, it is killed there. Switch off collectors that nobody reads, or give it more.',
      dashboard,
      opens,
    }),
  ]
}

/** How requests and scrapes of the mirror fare. */
export function mirrorScrapes(make: DefineAlert, settings: Settings): Alert[] {
  const { eventLoopLagSeconds, scrapeSlowSeconds } = settings.thresholds
  const job = jobOf(settings)
  const window = durationText(scrapesPerWindow * settings.scrape)
  const scrapes = overTime('count_over_time', 'up', window, { job })
  return [
    make('DcsimMirrorEventLoopLag', {
      severity: 'warning',
      expr: compare(metric('nodejs_eventloop_lag_p99_seconds', { job }), '>', eventLoopLagSeconds),
      holds: 60,
      lingers: 60,
      ofWorld,
      summary: `Requests to the mirror of {world} wait ${duration}`,
      description:
        `Requests to {world} ({instance}) wait ${duration} for its service thread (p99). See whether the machine is` +
        ' busy, or a client reads more than it should.',
      dashboard,
      opens,
    }),
    make('DcsimScrapeSlow', {
      severity: 'warning',
      expr: compare(metric('scrape_duration_seconds', { job }), '>', scrapeSlowSeconds),
      holds: 60,
      lingers: 60,
      ofWorld,
      summary: `A scrape of {world} takes ${duration}`,
      description:
        `A scrape of {world} ({instance}) takes ${duration}. Beyond the scrape timeout all its series are missing.` +
        ' Switch off collectors that nobody reads: --collectors -name.',
      dashboard,
      opens,
    }),
    make('DcsimScrapesTooFew', {
      severity: 'warning',
      // A target that has just come cannot have more.
      expr: filter(
        compare(scrapes, '<', scrapesPerWindow - 1),
        'and',
        overTime('count_over_time', 'up', '15m', { job }),
      ),
      holds: 300,
      ofWorld,
      summary: 'Prometheus scrapes {world} too rarely for these rules',
      description:
        `Prometheus took ${counted('scrape')} of {world} ({instance}) in ${window}. These rules need one every` +
        ` ${settings.scrape} s: windows are empty, and alerts neither fire nor end. Scrape more often, or generate the` +
        ' rules with the setting scrape.',
      dashboard,
      opens,
    }),
  ]
}

const serverErrors = { operator: '=~', value: '5..' } as const

/** Whether Prometheus evaluates the rules, and whether messages arrive. */
export const delivery = (make: DefineAlert): Alert[] => [
  make('DcsimRuleFailures', {
    severity: 'warning',
    expr: compare(
      by(
        'sum',
        increase('prometheus_rule_evaluation_failures_total', '5m', {
          rule_group: { operator: '=~', value: '.*dcsim-.*' },
        }),
        ['rule_group'],
      ),
      '>',
      0,
    ),
    lingers: 60,
    ofWorld,
    key: ['rule_group'],
    summary: 'Prometheus cannot evaluate a rule of {rule_group}',
    description:
      'Rules of {rule_group} fail on {instance}: their alerts cannot fire. The page Rules of Prometheus shows the error.',
    dashboard,
  }),
  make('DcsimNotificationsFail', {
    severity: 'warning',
    expr: compare(
      by('sum', increase('alertmanager_notifications_failed_total', '5m'), ['integration']),
      '>',
      0,
    ),
    lingers: 120,
    ofWorld,
    key: ['integration'],
    summary: 'Alertmanager cannot deliver messages by {integration}',
    description:
      'Alertmanager at {instance} could not deliver messages by {integration} in the last 5 minutes: somebody is not' +
      ' told. Its log has the answer of the other side.',
    dashboard,
  }),
  make('DcsimAlertsDropped', {
    severity: 'warning',
    expr: compare(by('sum', increase('prometheus_notifications_dropped_total', '5m')), '>', 0),
    lingers: 120,
    ofWorld,
    summary: 'Prometheus cannot reach Alertmanager',
    description:
      'Prometheus at {instance} dropped alerts in the last 5 minutes, as Alertmanager took none: nobody is told.' +
      ' See whether Alertmanager runs and at which address.',
    dashboard,
  }),
]

/** Whether it is still the same world, and the same run of it. */
export function continuity(make: DefineAlert): Alert[] {
  const changed = compare(by('count', overTime('count_over_time', 'dcsim_sim_info', '1h')), '>', 1)
  return [
    make('DcsimWorldChanged', {
      severity: 'warning',
      expr: changed,
      ofWorld,
      summary: 'The world of {world} is another one',
      description:
        'Within an hour {world} ({instance}) has had another seed, scale or scenario: graphs, rates and ids mix two' +
        ' worlds. To begin with the new one alone, remove the data of the old.',
      dashboard,
      opens,
    }),
    make('DcsimWorldRestarted', {
      severity: 'info',
      expr: filter(compare(overTime('resets', 'dcsim_sim_time_seconds', '15m'), '>', 0), 'unless', changed),
      ofWorld,
      summary: 'The world of {world} went back in time',
      description:
        'Simulated time of {world} ({instance}) went back within 15 minutes: its world began anew, or continued from' +
        ' an older state. Ids of incidents may mean others than before.',
      dashboard,
      opens,
    }),
  ]
}
