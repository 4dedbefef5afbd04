import type { AlertCase } from './alert-case.ts'

const opens = '/d/dcsim-mirror?var-session=s&var-instance=a'
const halfMinute = { silentAt: '1m15s', firesAt: '1m30s', resolvedAt: '6m15s' } as const
const minute = { silentAt: '1m45s', firesAt: '2m', resolvedAt: '6m15s' } as const

export const mirrorCases = {
  DcsimMirrorDown: {
    series: { up: '1x3 0x20 1x9' },
    silentAt: '1m',
    firesAt: '1m15s',
    resolvedAt: '6m15s',
    labels: { severity: 'critical' },
    summary: 'The mirror of session s does not answer',
    description:
      'Prometheus cannot scrape a: the state of session s is unknown, and no other alert about it can fire. Check that the mirror runs, and that /health answers on its machine.',
    opens,
  },
  DcsimMirrorAbsent: {
    series: { up: '1x3 stale _x20 1x9' },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: { severity: 'critical', instance: '', session: '' },
    summary: 'No mirror is scraped',
    description:
      'Prometheus has no target of the job dcsim: nothing is monitored. Check its Targets page and its scrape configuration.',
    opens: '/d/dcsim-mirror',
  },
  DcsimMirrorScrapeEmpty: {
    series: { up: '1x60', dcsim_sim_time_seconds: '_x24 1000+900x20' },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m',
    labels: { severity: 'warning' },
    summary: 'The mirror of session s has no world to show',
    description:
      'Scrapes of a contain no world. A large world takes minutes to warm up: /health shows the progress. If it does not advance, check the log.',
    opens,
  },
  DcsimMirrorSnapshotStale: {
    ...minute,
    series: { dcsim_mirror_snapshot_age_seconds: '1x3 31+15x20 1x9' },
    labels: { severity: 'warning' },
    summary: 'The mirror of session s serves a snapshot that is 1m 31s old',
    description: 'a gets nothing newer from its source, or publishing fails: /health gives the reason.',
    opens,
  },
  DcsimMirrorSourceDown: {
    ...halfMinute,
    series: { dcsim_mirror_source_up: '1x3 0x20 1x9' },
    labels: { severity: 'warning' },
    summary: 'The mirror of session s cannot reach its source',
    description:
      'a serves its last snapshot and retries by itself. Check that the game or the other mirror runs.',
    opens,
  },
  DcsimMirrorCollectorFails: {
    ...halfMinute,
    series: { 'dcsim_mirror_collector_success{collector="hosts"}': '1x3 0x20 1x9' },
    labels: { collector: 'hosts', severity: 'warning' },
    summary: 'Metrics of the collector hosts are missing in session s',
    description:
      'The collector hosts of a fails: its metrics are missing, and alerts on them cannot fire. The log has the error.',
    opens,
  },
  DcsimMirrorSlow: {
    series: {
      dcsim_mirror_publish_duration_seconds_sum: '0+1.5x7 13+30x60 1813x60',
      dcsim_mirror_publish_duration_seconds_count: '0+15x140',
    },
    silentAt: '8m45s',
    firesAt: '9m',
    resolvedAt: '20m45s',
    labels: { severity: 'warning' },
    summary: 'The mirror of session s takes 2s to publish',
    description:
      'This is the mean of 5 minutes at a. Check whether the machine is busy; a smaller world or fewer collectors help.',
    opens,
  },
  DcsimWorldPaused: {
    series: { dcsim_sim_paused: '0x3 1x60 0x9', dcsim_sim_time_seconds: '0+900x3 3600x60' },
    silentAt: '10m45s',
    firesAt: '11m',
    resolvedAt: '16m15s',
    labels: { severity: 'info' },
    summary: 'The world of session s is paused',
    description: 'Alerts about session s (a) keep their state until it is resumed.',
    opens: '/d/dcsim-session?var-session=s&var-instance=a',
  },
  DcsimWorldStalled: {
    series: { dcsim_sim_time_seconds: '0+900x7 6300x30 7200+900x20' },
    silentAt: '4m30s',
    firesAt: '4m45s',
    resolvedAt: '10m',
    labels: { severity: 'warning' },
    summary: 'The world of session s does not advance although it is not paused',
    description:
      'Simulated time of a stands still, and alerts about session s keep their state. The log of the mirror has the cause.',
    opens,
  },
  DcsimWorldLags: {
    ...minute,
    resolvedAt: '7m30s',
    series: { dcsim_mirror_sim_lag_seconds: '0x3 12x20 0x9' },
    labels: { severity: 'warning' },
    summary: 'The world of session s lags 12s behind its speed',
    description: 'The machine of a is too slow for the size of its world. Lower --speed or --scale.',
    opens,
  },
  DcsimWorldReplaced: {
    series: { 'dcsim_mirror_world_replaced{reason="seed"}': '0x3 1x20 0x9' },
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '6m15s',
    labels: { reason: 'seed', severity: 'warning' },
    summary: 'A new world has replaced the saved one in session s',
    description:
      'The world in the file of a could not be continued (reason: seed): counters start at zero, and ids have another meaning. A copy of the file was kept, to be restored if this was not intended.',
    opens,
  },
  DcsimWorldNotSaved: {
    series: { 'dcsim_mirror_state_saves_total{result="failure"}': '0x3 1+1x19 20x90' },
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '21m',
    labels: { result: 'failure', severity: 'warning' },
    summary: 'The world of session s cannot be saved',
    description:
      'The session file of a cannot be written: after a restart, session s continues from an older state. Check that its volume is writable and has room.',
    opens,
  },
  DcsimMirrorRestarted: {
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '16m15s',
    series: {
      process_start_time_seconds: '100x3 170x90',
    },
    labels: { severity: 'info' },
    summary: 'The mirror of session s was restarted',
    description:
      'It restarted within the last 15 minutes. If that was not intended, the log of a has the reason. Without a session file its world starts from the beginning.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
  DcsimMirrorErrors: {
    silentAt: '1m45s',
    firesAt: '2m15s',
    resolvedAt: '13m',
    series: {
      'dcsim_mirror_http_requests_total{route="/metrics",code="200"}': '0+10x90',
      'dcsim_mirror_http_requests_total{route="/tables",code="500"}': '0x3 1+1x19 20x90',
    },
    labels: { severity: 'warning' },
    summary: 'The mirror of session s answers 6.2% of requests with errors',
    description:
      'a answers them with status 5xx: dashboards lack tables. Its log has the errors; the Mirror dashboard shows the routes.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
  DcsimMirrorMemoryHigh: {
    silentAt: '5m45s',
    firesAt: '6m',
    resolvedAt: '11m15s',
    series: {
      process_resident_memory_bytes: '3e8x3 1.2e9x40 3e8x30',
    },
    labels: { severity: 'warning' },
    summary: 'The mirror of session s uses 1.1 GiB of memory',
    description:
      'Where the container of a has a memory limit, it is killed there. Switch off collectors that no dashboard reads, or raise the limit.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
  DcsimMirrorEventLoopLag: {
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '7m30s',
    series: {
      nodejs_eventloop_lag_p99_seconds: '0.01x3 0.75x20 0.01x30',
    },
    labels: { severity: 'warning' },
    summary: 'Requests to the mirror of session s wait 750ms',
    description:
      'This is the p99 delay of the service thread of a. Check whether the machine is busy, or a client reads more than it should.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
  DcsimScrapeSlow: {
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '7m30s',
    series: {
      scrape_duration_seconds: '0.2x3 3.6x20 0.2x30',
    },
    labels: { severity: 'warning' },
    summary: 'A scrape of session s takes 3.6s',
    description:
      'Beyond the scrape timeout, all series of a are missing. Switch off collectors that no dashboard reads: --collectors -name.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
  DcsimScrapesTooFew: {
    silentAt: '5m',
    firesAt: '7m',
    resolvedAt: '16m',
    series: {
      up: '1x3 1 _ _ _ 1 _ _ _ 1 _ _ _ 1 _ _ _ 1 _ _ _ 1 _ _ _ 1 _ _ _ 1 _ _ _ 1x40',
    },
    labels: { severity: 'warning' },
    summary: 'Prometheus scrapes session s too rarely for these rules',
    description:
      'Prometheus made 2 scrapes of a in 1m. These rules need one every 15 s: windows are empty, and alerts neither fire nor end. Scrape more often, or generate the rules with the setting scrape.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
  DcsimRuleFailures: {
    silentAt: '45s',
    firesAt: '1m15s',
    resolvedAt: '13m',
    series: {
      'prometheus_rule_evaluation_failures_total{rule_group="/rules/sla.rules.yaml;dcsim-sla"}':
        '0x3 1+1x19 20x90',
    },
    labels: { rule_group: '/rules/sla.rules.yaml;dcsim-sla', severity: 'warning' },
    summary: 'Prometheus cannot evaluate a rule of the group dcsim-sla',
    description:
      'Alerts of the group dcsim-sla may not fire. The page Rules of Prometheus at a shows the error.',
    opens: '/d/dcsim-mirror',
  },
  DcsimNotificationsFail: {
    silentAt: '45s',
    firesAt: '1m15s',
    resolvedAt: '14m',
    series: {
      'alertmanager_notifications_failed_total{integration="slack"}': '0x3 1+1x19 20x90',
    },
    labels: { integration: 'slack', severity: 'warning' },
    summary: 'Alertmanager cannot deliver slack notifications',
    description:
      'In the last 5 minutes, slack notifications of Alertmanager at a failed: people did not get them. Its log has the answer of the receiver.',
    opens: '/d/dcsim-mirror',
  },
  DcsimAlertsDropped: {
    silentAt: '45s',
    firesAt: '1m15s',
    resolvedAt: '14m',
    series: {
      prometheus_notifications_dropped_total: '0x3 1+1x19 20x90',
    },
    labels: { severity: 'warning' },
    summary: 'Prometheus cannot reach Alertmanager',
    description:
      'Prometheus at a dropped alerts in the last 5 minutes: no notification was sent for them. Check that Alertmanager runs, and its address.',
    opens: '/d/dcsim-mirror',
  },
  DcsimWorldChanged: {
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '62m',
    series: {
      'dcsim_sim_info{seed="1",scale="medium"}': '1x3 stale',
      'dcsim_sim_info{seed="2",scale="medium"}': '_x4 1x300',
    },
    labels: { severity: 'warning' },
    summary: 'The world of session s is a different one',
    description:
      'Within an hour session s (a) has had another seed, scale or scenario: graphs, rates and ids mix two worlds. To start with the new one alone, delete the data of the old one.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
  DcsimWorldRestarted: {
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '17m',
    series: {
      dcsim_sim_time_seconds: '90000+900x3 900+900x120',
    },
    labels: { severity: 'info' },
    summary: 'The world of session s went back in time',
    description:
      'Simulated time of a went back within 15 minutes: the world restarted from the beginning or from an older state. Incident ids may refer to other incidents than before.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
