import type { AlertCase } from '../alert-case.ts'

const opens = '/d/dcsim-mirror?var-session=s&var-instance=a'
const warning = { severity: 'warning' }
const halfMinute = { silentAt: '1m15s', firesAt: '1m30s', resolvedAt: '6m15s' } as const
const minute = { silentAt: '1m45s', firesAt: '2m', resolvedAt: '6m15s' } as const

export const mirrorCases = {
  DcsimMirrorDown: {
    series: { up: '1x3 0x20 1x9' },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    labels: { severity: 'critical' },
    description:
      'Prometheus cannot scrape a: of that world nothing is known, and no other alert speaks. It has been so for 15s of real time or longer.',
    opens,
  },
  DcsimMirrorAbsent: {
    series: { up: '1x3 stale _x20 1x9' },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: { severity: 'critical', instance: '', session: '' },
    description:
      'Prometheus has no target of the job dcsim: nothing is watched. It has been so for 1m of real time or longer.',
    opens: '/d/dcsim-mirror',
  },
  DcsimMirrorScrapeEmpty: {
    series: { up: '1x60', dcsim_sim_time_seconds: '_x24 1000+900x20' },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m',
    labels: warning,
    description:
      'A scrape of a holds no world. For some seconds after a start that is as it should be. It has been so for 2m of real time or longer.',
    opens,
  },
  DcsimMirrorSnapshotStale: {
    ...minute,
    series: { dcsim_mirror_snapshot_age_seconds: '1x3 31+15x20 1x9' },
    labels: warning,
    description:
      'What a serves is 1m 31s old: it tells what was, not what is. It has been so for 1m of real time or longer.',
    opens,
  },
  DcsimMirrorSourceDown: {
    ...halfMinute,
    series: { dcsim_mirror_source_up: '1x3 0x20 1x9' },
    labels: warning,
    description:
      'The source of a does not answer; the last snapshot is served and grows old. It has been so for 30s of real time or longer.',
    opens,
  },
  DcsimMirrorCollectorFails: {
    ...halfMinute,
    series: { 'dcsim_mirror_collector_success{collector="hosts"}': '1x3 0x20 1x9' },
    labels: { ...warning, collector: 'hosts' },
    description:
      'The collector hosts of a fails: its metrics, and alerts on them, are missing. It has been so for 30s of real time or longer.',
    opens,
  },
  DcsimMirrorSlow: {
    series: {
      dcsim_mirror_publish_duration_seconds_sum: '0+1.5x7 13+30x60 1813x60',
      dcsim_mirror_publish_duration_seconds_count: '0+15x140',
    },
    silentAt: '8m45s',
    firesAt: '9m',
    resolvedAt: '19m30s',
    labels: warning,
    description: 'A publish of a takes 2s. It has been so for 5m of real time or longer.',
    opens,
  },
  DcsimWorldPaused: {
    series: { dcsim_sim_paused: '0x3 1x60 0x9', dcsim_sim_time_seconds: '0+900x3 3600x60' },
    silentAt: '10m45s',
    firesAt: '11m',
    resolvedAt: '16m15s',
    labels: { severity: 'info' },
    description:
      'The world of a is paused. Alerts about it stay as they were. It has been so for 10m of real time or longer.',
    opens: '/d/dcsim-session?var-session=s&var-instance=a',
  },
  DcsimWorldStalled: {
    series: { dcsim_sim_time_seconds: '0+900x7 6300x30 7200+900x20' },
    silentAt: '4m30s',
    firesAt: '4m45s',
    resolvedAt: '10m',
    labels: warning,
    description:
      'Simulated time of a does not move. Alerts about its world stay as they were. It has been so for 1m of real time or longer.',
    opens,
  },
  DcsimWorldLags: {
    ...minute,
    series: { dcsim_mirror_sim_lag_seconds: '0x3 12x20 0x9' },
    labels: warning,
    description:
      'The world of a is 12s behind where its speed would have it. It has been so for 1m of real time or longer.',
    opens,
  },
  DcsimWorldReplaced: {
    series: { 'dcsim_mirror_world_replaced{reason="seed"}': '0x3 1x20 0x9' },
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '6m15s',
    labels: { ...warning, reason: 'seed' },
    description:
      'The state file of a could not be continued (seed): its counters begin at zero, and its ids have another meaning. The file was kept under another name.',
    opens,
  },
  DcsimWorldNotSaved: {
    series: { 'dcsim_mirror_state_saves_total{result="failure"}': '0x3 1+1x19 20x90' },
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '21m',
    labels: { ...warning, result: 'failure' },
    description:
      'The state file of a cannot be written. After a restart the world continues from an older state, and its counters may go back.',
    opens,
  },
} satisfies Record<string, AlertCase>
