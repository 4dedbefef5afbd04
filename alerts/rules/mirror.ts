import { absent, by, calculate, compare, constant, filter, increase, metric, overTime } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import { scaleRange } from '../settings.ts'
import type { Settings } from '../settings.ts'
import { duration } from '../annotation-text.ts'

const subject = 'mirror'
/** All of these are about the watching, and hold in wall time whether the world moves or not. */
const ofWorld = false

function target(make: DefineAlert, { job }: Settings): Alert[] {
  const up = metric('up', { job })
  return [
    make('DcsimMirrorDown', {
      severity: 'critical',
      expr: compare(up, '==', 0),
      holds: 15,
      ofWorld,
      summary: 'The mirror does not answer.',
      description:
        'Prometheus cannot scrape {instance}: of that world nothing is known, and no other alert speaks.',
      dashboard: 'mirror',
      opens: ['instance'],
    }),
    make('DcsimMirrorAbsent', {
      severity: 'critical',
      expr: absent(up),
      holds: 60,
      ofWorld,
      summary: 'No mirror is scraped at all.',
      description: 'Prometheus has no target of the job {job}: nothing is watched.',
      dashboard: 'mirror',
    }),
    make('DcsimMirrorScrapeEmpty', {
      severity: 'warning',
      expr: filter(compare(up, '==', 1), 'unless', metric('dcsim_sim_time_seconds')),
      holds: 120,
      ofWorld,
      summary: 'The mirror answers, and has nothing to tell.',
      description:
        'A scrape of {instance} holds no world. For some seconds after a start that is as it should be.',
      dashboard: 'mirror',
      opens: ['instance'],
    }),
    make('DcsimWatchdog', {
      severity: 'info',
      expr: constant(1),
      ofWorld,
      summary: 'Alerting works.',
      description:
        'Always fires, so that silence can be told from trouble. Targets that answer:' +
        ' {{ range query "count(up == 1)" }}{{ . | value | printf "%.0f" }}{{ end }}.',
      dashboard: 'mirror',
    }),
  ]
}

function freshness(make: DefineAlert, settings: Settings): Alert[] {
  const { snapshotStaleSeconds, publishSlowSeconds } = settings.thresholds
  const opens = ['instance'] as const
  // How fast the mirror itself is has nothing to do with the speed of the world.
  const spent = by('sum', increase('dcsim_mirror_publish_duration_seconds_sum', '5m'))
  const publishes = by('sum', increase('dcsim_mirror_publish_duration_seconds_count', '5m'))
  return [
    make('DcsimMirrorSnapshotStale', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_snapshot_age_seconds'), '>', snapshotStaleSeconds),
      holds: 60,
      ofWorld,
      summary: 'The mirror serves an old snapshot.',
      description: `What {instance} serves is ${duration} old: it tells what was, not what is.`,
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimMirrorSourceDown', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_source_up'), '==', 0),
      holds: 30,
      ofWorld,
      summary: 'The mirror cannot reach its world.',
      description: 'The source of {instance} does not answer; the last snapshot is served and grows old.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimMirrorCollectorFails', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_collector_success'), '==', 0),
      holds: 30,
      ofWorld,
      summary: 'A group of metrics cannot be made.',
      description:
        'The collector {collector} of {instance} fails: its metrics, and alerts on them, are missing.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimMirrorSlow', {
      severity: 'warning',
      expr: compare(calculate(spent, '/', publishes), '>', publishSlowSeconds),
      holds: 300,
      ofWorld,
      summary: 'The mirror takes long to publish.',
      description: `A publish of {instance} takes ${duration}.`,
      dashboard: 'mirror',
      opens,
    }),
  ]
}

function world(make: DefineAlert, settings: Settings): Alert[] {
  const { simulationLagSeconds } = settings.thresholds
  const opens = ['instance'] as const
  const standing = compare(overTime('changes', 'dcsim_sim_time_seconds', scaleRange(settings, 120)), '==', 0)
  return [
    make('DcsimWorldPaused', {
      severity: 'info',
      expr: compare(metric('dcsim_sim_paused'), '==', 1),
      holds: 600,
      ofWorld,
      summary: 'The world is paused.',
      description: 'The world of {instance} is paused. Alerts about it stay as they were.',
      dashboard: 'session',
      opens,
    }),
    make('DcsimWorldStalled', {
      severity: 'warning',
      expr: filter(standing, 'and', compare(metric('dcsim_sim_paused'), '==', 0)),
      holds: 60,
      ofWorld,
      summary: 'The world stands still, and nobody paused it.',
      description: 'Simulated time of {instance} does not move. Alerts about its world stay as they were.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimWorldLags', {
      severity: 'warning',
      expr: compare(metric('dcsim_mirror_sim_lag_seconds'), '>', simulationLagSeconds),
      holds: 60,
      ofWorld,
      summary: 'The world is behind its own speed.',
      description: `The world of {instance} is ${duration} behind where its speed would have it.`,
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
      ofWorld,
      key: ['reason'],
      summary: 'A new world has replaced the saved one.',
      description:
        'The state file of {instance} could not be continued ({reason}): its counters begin at zero, and its ids' +
        ' have another meaning. The file was kept under another name.',
      dashboard: 'mirror',
      opens,
    }),
    make('DcsimWorldNotSaved', {
      severity: 'warning',
      expr: compare(failures, '>', 0),
      ofWorld,
      summary: 'The world cannot be saved.',
      description:
        'The state file of {instance} cannot be written. After a restart the world continues from an older state,' +
        ' and its counters may go back.',
      dashboard: 'mirror',
      opens,
    }),
  ]
}

export function mirrorRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: [],
    alerts: [
      ...target(make, settings),
      ...freshness(make, settings),
      ...world(make, settings),
      ...state(make),
    ],
  }
}
