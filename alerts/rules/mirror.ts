import {
  absent,
  by,
  calculate,
  compare,
  constant,
  filter,
  increase,
  metric,
  overTime,
} from '../../promql/expressions.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import { scaleRange } from '../settings.ts'
import type { AlertSettings } from '../settings.ts'
import { valueAsDuration } from '../annotation-text.ts'
import { jobOf } from './names.ts'
import { continuity, delivery, mirrorProcess, mirrorScrapes } from './mirror-process.ts'

const subject = 'mirror'
/** All of these are about monitoring itself, in wall time, whether the world is paused or not. */
const isAboutWorld = false

function target(make: DefineAlert, settings: AlertSettings): Alert[] {
  const up = metric('up', { job: jobOf(settings) })
  return [
    make('DcsimMirrorDown', {
      severity: 'critical',
      expr: compare(up, '==', 0),
      forSeconds: 15,
      isAboutWorld,
      summary: 'The mirror of {world} does not answer',
      description:
        'Prometheus cannot scrape {instance}: the state of {world} is unknown, and no other alert about it can fire.' +
        ' Check that the mirror runs, and that /health answers on its machine.',
      dashboard: 'mirror',
      opens: ['instance'],
    }),
    make('DcsimMirrorAbsent', {
      severity: 'critical',
      expr: absent(up),
      forSeconds: 60,
      isAboutWorld,
      summary: 'No mirror is scraped',
      description:
        'Prometheus has no target{{ with $labels.job }} of the job {{ . }}{{ end }}: nothing is monitored.' +
        ' Check its Targets page and its scrape configuration.',
      dashboard: 'mirror',
    }),
    make('DcsimMirrorScrapeEmpty', {
      severity: 'warning',
      expr: filter(compare(up, '==', 1), 'unless', metric('dcsim_sim_time_seconds')),
      forSeconds: 120,
      isAboutWorld,
      summary: 'The mirror of {world} has no world to show',
      description:
        'Scrapes of {instance} contain no world. A large world takes minutes to warm up: /health shows the progress.' +
        ' If it does not advance, check the log.',
      dashboard: 'mirror',
      opens: ['instance'],
    }),
    make('DcsimWatchdog', {
      severity: 'info',
      expr: compare(constant(1), '==', 1),
      isAboutWorld,
      summary: 'Alerting of dcsim-mirror works',
      description:
        'Always fires, so that a dead man’s switch notices when alerts stop coming. Targets that answer:' +
        ' {{ range query "count(up == 1)" }}{{ . | value | printf "%.0f" }}{{ end }}.',
      dashboard: 'mirror',
    }),
  ]
}

function freshness(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { snapshotStaleSeconds, publishSlowSeconds } = settings.thresholds
  const opens = ['instance'] as const
  // The mirror's own speed is independent of the speed of the world.
  const spent = by('sum', increase('dcsim_mirror_publish_duration_seconds_sum', '5m'))
  const publishes = by('sum', increase('dcsim_mirror_publish_duration_seconds_count', '5m'))
  return [
    make('DcsimMirrorSnapshotStale', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_snapshot_age_seconds'), '>', snapshotStaleSeconds),
      forSeconds: 60,
      isAboutWorld,
      summary: `The mirror of {world} serves a snapshot that is ${valueAsDuration} old`,
      description:
        '{instance} gets nothing newer from its source, or publishing fails: /health gives the reason.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimMirrorSourceDown', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_source_up'), '==', 0),
      forSeconds: 30,
      isAboutWorld,
      summary: 'The mirror of {world} cannot reach its source',
      description:
        '{instance} serves its last snapshot and retries by itself. Check that the game or the other mirror runs.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimMirrorCollectorFails', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_collector_success'), '==', 0),
      forSeconds: 30,
      isAboutWorld,
      summary: 'Metrics of the collector {collector} are missing in {world}',
      description:
        'The collector {collector} of {instance} fails: its metrics are missing, and alerts on them cannot fire.' +
        ' The log has the error.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimMirrorSlow', {
      severity: 'warning',
      expr: compare(calculate(spent, '/', publishes), '>', publishSlowSeconds),
      forSeconds: 300,
      isAboutWorld,
      keepFiringSeconds: 60,
      summary: `The mirror of {world} takes ${valueAsDuration} to publish`,
      description:
        'This is the mean of 5 minutes at {instance}. Check whether the machine is busy; a smaller world or fewer collectors help.',
      dashboard: 'mirror',
      opens,
    }),
  ]
}

function world(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { simulationLagSeconds } = settings.thresholds
  const opens = ['instance'] as const
  const standing = compare(overTime('changes', 'dcsim_sim_time_seconds', scaleRange(settings, 120)), '==', 0)
  return [
    make('DcsimWorldPaused', {
      severity: 'info',
      expr: compare(metric('dcsim_sim_paused'), '==', 1),
      forSeconds: 600,
      isAboutWorld,
      summary: 'The world of {world} is paused',
      description: 'Alerts about {world} ({instance}) keep their state until it is resumed.',
      dashboard: 'session',
      opens,
    }),
    make('DcsimWorldStalled', {
      severity: 'warning',
      expr: filter(standing, 'and', compare(metric('dcsim_sim_paused'), '==', 0)),
      forSeconds: 60,
      isAboutWorld,
      summary: 'The world of {world} does not advance although it is not paused',
      description:
        'Simulated time of {instance} stands still, and alerts about {world} keep their state.' +
        ' The log of the mirror has the cause.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimWorldLags', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_sim_lag_seconds'), '>', simulationLagSeconds),
      forSeconds: 60,
      isAboutWorld,
      keepFiringSeconds: 60,
      summary: `The world of {world} lags ${valueAsDuration} behind its speed`,
      description:
        'The machine of {instance} is too slow for the size of its world. Lower --speed or --scale.',
      dashboard: 'mirror',
      opens,
    }),
  ]
}

function state(make: DefineAlert): Alert[] {
  const opens = ['instance'] as const
  const failures = increase('dcsim_mirror_state_saves_total', '15m', { result: 'failure' })
  return [
    make('DcsimWorldReplaced', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_world_replaced'), '==', 1),
      isAboutWorld,
      key: ['reason'],
      summary: 'A new world has replaced the saved one in {world}',
      description:
        'The world in the file of {instance} could not be continued (reason: {reason}): counters start at zero, and ids have' +
        ' another meaning. A copy of the file was kept, to be restored if this was not intended.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimWorldNotSaved', {
      severity: 'warning',
      expr: compare(failures, '>', 0),
      isAboutWorld,
      summary: 'The world of {world} cannot be saved',
      description:
        'The session file of {instance} cannot be written: after a restart, {world} continues from an older state.' +
        ' Check that its volume is writable and has room.',
      dashboard: 'mirror',
      opens,
    }),
  ]
}

export function mirrorRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: [],
    alerts: [
      ...target(make, settings),
      ...freshness(make, settings),
      ...world(make, settings),
      ...state(make),
      ...continuity(make),
      ...mirrorProcess(make, settings),
      ...mirrorScrapes(make, settings),
      ...delivery(make),
    ],
  }
}
