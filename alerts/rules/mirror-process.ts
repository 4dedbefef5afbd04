import { by, calculate, compare, filter, increase, metric, overTime } from '../../promql/expressions.ts'
import { bytes, valueAsCount, valueAsDuration, valueAsPercent } from '../annotation-text.ts'
import type { Alert, DefineAlert } from '../rule.ts'
import { promDuration, scrapesPerWindow } from '../settings.ts'
import type { AlertSettings } from '../settings.ts'
import { jobOf } from './names.ts'

const isAboutWorld = false
const opens = ['instance'] as const
const dashboard = 'mirror'

/** The mirror's process and its responses. */
export function mirrorProcess(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { errorShareHigh, memoryBytesHigh } = settings.thresholds
  const job = jobOf(settings)
  const answers = by('sum', increase('dcsim_mirror_http_requests_total', '5m'))
  const errors = by('sum', increase('dcsim_mirror_http_requests_total', '5m', { code: serverErrors }))
  return [
    make('DcsimMirrorRestarted', {
      severity: 'info',
      expr: compare(overTime('changes', 'process_start_time_seconds', '15m', { job }), '>', 0),
      isAboutWorld,
      summary: 'The mirror of {world} was restarted',
      description:
        'It restarted within the last 15 minutes. If that was not intended, the log of {instance} has the reason.' +
        ' Without a session file its world starts from the beginning.',
      dashboard,
      opens,
    }),
    make('DcsimMirrorErrors', {
      severity: 'warning',
      expr: compare(calculate(errors, '/', compare(answers, '>', 0)), '>', errorShareHigh),
      forSeconds: 60,
      keepFiringSeconds: 60,
      isAboutWorld,
      summary: `The mirror of {world} answers ${valueAsPercent} of requests with errors`,
      description:
        '{instance} answers them with status 5xx: dashboards lack tables.' +
        ' Its log has the errors; the Mirror dashboard shows the routes.',
      dashboard,
      opens,
    }),
    make('DcsimMirrorMemoryHigh', {
      severity: 'warning',
      expr: compare(metric('process_resident_memory_bytes', { job }), '>', memoryBytesHigh),
      forSeconds: 300,
      isAboutWorld,
      summary: `The mirror of {world} uses ${bytes} of memory`,
      description:
        'Where the container of {instance} has a memory limit, it is killed there.' +
        ' Switch off collectors that no dashboard reads, or raise the limit.',
      dashboard,
      opens,
    }),
  ]
}

/** Performance of requests to and scrapes of the mirror. */
export function mirrorScrapes(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { eventLoopLagSeconds, scrapeSlowSeconds } = settings.thresholds
  const job = jobOf(settings)
  const window = promDuration(scrapesPerWindow * settings.scrape)
  const scrapes = overTime('count_over_time', 'up', window, { job })
  return [
    make('DcsimMirrorEventLoopLag', {
      severity: 'warning',
      expr: compare(metric('nodejs_eventloop_lag_p99_seconds', { job }), '>', eventLoopLagSeconds),
      forSeconds: 60,
      keepFiringSeconds: 60,
      isAboutWorld,
      summary: `Requests to the mirror of {world} wait ${valueAsDuration}`,
      description:
        'This is the p99 delay of the service thread of {instance}. Check whether the machine is busy, or a client reads more' +
        ' than it should.',
      dashboard,
      opens,
    }),
    make('DcsimScrapeSlow', {
      severity: 'warning',
      expr: compare(metric('scrape_duration_seconds', { job }), '>', scrapeSlowSeconds),
      forSeconds: 60,
      keepFiringSeconds: 60,
      isAboutWorld,
      summary: `A scrape of {world} takes ${valueAsDuration}`,
      description:
        'Beyond the scrape timeout, all series of {instance} are missing.' +
        ' Switch off collectors that no dashboard reads: --collectors -name.',
      dashboard,
      opens,
    }),
    make('DcsimScrapesTooFew', {
      severity: 'warning',
      // Excludes a target that is too new to have more scrapes.
      expr: filter(
        compare(scrapes, '<', scrapesPerWindow - 1),
        'and',
        overTime('count_over_time', 'up', '15m', { job }),
      ),
      forSeconds: 300,
      isAboutWorld,
      summary: 'Prometheus scrapes {world} too rarely for these rules',
      description:
        `Prometheus made ${valueAsCount('scrape')} of {instance} in ${window}. These rules need one every` +
        ` ${settings.scrape} s: windows are empty, and alerts neither fire nor end. Scrape more often, or generate the` +
        ' rules with the setting scrape.',
      dashboard,
      opens,
    }),
  ]
}

/** Prometheus prefixes the name of a group with its file. */
const ruleGroup = '{{ $labels.rule_group | reReplaceAll "^.*;" "" }}'

const serverErrors = { operator: '=~', value: '5..' } as const

/** Whether Prometheus evaluates the rules, and whether notifications are delivered. */
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
    keepFiringSeconds: 60,
    isAboutWorld,
    key: ['rule_group'],
    summary: `Prometheus cannot evaluate a rule of the group ${ruleGroup}`,
    description: `Alerts of the group ${ruleGroup} may not fire. The page Rules of Prometheus at {instance} shows the error.`,
    dashboard,
  }),
  make('DcsimNotificationsFail', {
    severity: 'warning',
    expr: compare(
      by('sum', increase('alertmanager_notifications_failed_total', '5m'), ['integration']),
      '>',
      0,
    ),
    keepFiringSeconds: 120,
    isAboutWorld,
    key: ['integration'],
    summary: 'Alertmanager cannot deliver {integration} notifications',
    description:
      'In the last 5 minutes, {integration} notifications of Alertmanager at {instance} failed: people did not get them.' +
      ' Its log has the answer of the receiver.',
    dashboard,
  }),
  make('DcsimAlertsDropped', {
    severity: 'warning',
    expr: compare(by('sum', increase('prometheus_notifications_dropped_total', '5m')), '>', 0),
    keepFiringSeconds: 120,
    isAboutWorld,
    summary: 'Prometheus cannot reach Alertmanager',
    description:
      'Prometheus at {instance} dropped alerts in the last 5 minutes: no notification was sent for them.' +
      ' Check that Alertmanager runs, and its address.',
    dashboard,
  }),
]

/** Whether the world and its run are unchanged. */
export function continuity(make: DefineAlert): Alert[] {
  const changed = compare(by('count', overTime('count_over_time', 'dcsim_sim_info', '1h')), '>', 1)
  return [
    make('DcsimWorldChanged', {
      severity: 'warning',
      expr: changed,
      isAboutWorld,
      summary: 'The world of {world} is a different one',
      description:
        'Within an hour {world} ({instance}) has had another seed, scale or scenario: graphs, rates and ids mix two' +
        ' worlds. To start with the new one alone, delete the data of the old one.',
      dashboard,
      opens,
    }),
    make('DcsimWorldRestarted', {
      severity: 'info',
      expr: filter(compare(overTime('resets', 'dcsim_sim_time_seconds', '15m'), '>', 0), 'unless', changed),
      isAboutWorld,
      summary: 'The world of {world} went back in time',
      description:
        'Simulated time of {instance} went back within 15 minutes: the world restarted from the beginning or from an' +
        ' older state. Incident ids may refer to other incidents than before.',
      dashboard,
      opens,
    }),
  ]
}
