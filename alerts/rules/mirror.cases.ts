import type { AlertCase } from '../alert-case.ts'

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
      'Prometheus cannot scrape a: nothing is known of session s, and no other alert about it can fire. See whether it runs, and whether /health answers on its machine.',
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
      'Prometheus has no target of the job dcsim: nothing is watched. See its page Targets and its scrape configuration.',
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
      'Scrapes of a hold no world. A large one takes minutes to warm up: /health says how far it is. If that does not move, see the log.',
    opens,
  },
  DcsimMirrorSnapshotStale: {
    ...minute,
    series: { dcsim_mirror_snapshot_age_seconds: '1x3 31+15x20 1x9' },
    labels: { severity: 'warning' },
    summary: 'The mirror of session s serves a snapshot 1m 31s old',
    description:
      'What a serves of session s is 1m 31s old. Its source does not deliver, or publishing fails: /health gives the reason.',
    opens,
  },
  DcsimMirrorSourceDown: {
    ...halfMinute,
    series: { dcsim_mirror_source_up: '1x3 0x20 1x9' },
    labels: { severity: 'warning' },
    summary: 'The mirror of session s cannot reach its source',
    description:
      'The source of session s (a) does not answer; the last snapshot is served and grows old. See whether the game or the other mirror runs; the mirror tries again by itself.',
    opens,
  },
  DcsimMirrorCollectorFails: {
    ...halfMinute,
    series: { 'dcsim_mirror_collector_success{collector="hosts"}': '1x3 0x20 1x9' },
    labels: { collector: 'hosts', severity: 'warning' },
    summary: 'Metrics of the collector hosts are missing in session s',
    description:
      'The collector hosts of session s (a) fails: its metrics and the alerts on them are missing. The log has the error.',
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
      'A publish of session s (a) takes 2s. See whether the machine is busy; a smaller world or fewer collectors help.',
    opens,
  },
  DcsimWorldPaused: {
    series: { dcsim_sim_paused: '0x3 1x60 0x9', dcsim_sim_time_seconds: '0+900x3 3600x60' },
    silentAt: '10m45s',
    firesAt: '11m',
    resolvedAt: '16m15s',
    labels: { severity: 'info' },
    summary: 'The world of session s is paused',
    description: 'The world of session s (a) is paused. Alerts about it stay as they were until it goes on.',
    opens: '/d/dcsim-session?var-session=s&var-instance=a',
  },
  DcsimWorldStalled: {
    series: { dcsim_sim_time_seconds: '0+900x7 6300x30 7200+900x20' },
    silentAt: '4m30s',
    firesAt: '4m45s',
    resolvedAt: '10m',
    labels: { severity: 'warning' },
    summary: 'The world of session s stands still although nobody paused it',
    description:
      'Simulated time of session s (a) does not move, and alerts about its world stay as they were. The log of the mirror says what stopped it.',
    opens,
  },
  DcsimWorldLags: {
    ...minute,
    resolvedAt: '7m30s',
    series: { dcsim_mirror_sim_lag_seconds: '0x3 12x20 0x9' },
    labels: { severity: 'warning' },
    summary: 'The world of session s is 12s behind its speed',
    description:
      'The world of session s (a) is 12s behind where its speed would have it: the machine is too slow for its size. Lower --speed or --scale.',
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
      'The state file of session s (a) could not be continued (reason: seed): counters begin at zero, and ids have another meaning. The file was kept under another name, to be restored if this was not intended.',
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
      'The state file of session s (a) cannot be written: after a restart the world continues from an older state. Check that its volume is writable and has room.',
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
      'The mirror of session s (a) was restarted within 15 minutes. If nobody did that, its log says why it ended. Without a state file its world begins anew.',
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
      'The mirror of session s (a) answers 6.2% of all requests with errors of its own (5xx): dashboards lack tables. Its log has the errors; the Mirror dashboard shows the routes.',
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
    summary: 'The mirror of session s uses 1.118GiB of memory',
    description:
      'The process of session s (a) holds 1.118GiB of memory. Where its container has a limit, it is killed there. Switch off collectors that nobody reads, or give it more.',
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
      'Requests to session s (a) wait 750ms for its service thread (p99). See whether the machine is busy, or a client reads more than it should.',
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
      'A scrape of session s (a) takes 3.6s. Beyond the scrape timeout all its series are missing. Switch off collectors that nobody reads: --collectors -name.',
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
      'Prometheus took 2 scrapes of session s (a) in 1m. These rules need one every 15 s: windows are empty, and alerts neither fire nor end. Scrape more often, or generate the rules with the setting scrape.',
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
    summary: 'Prometheus cannot evaluate a rule of /rules/sla.rules.yaml;dcsim-sla',
    description:
      'Rules of /rules/sla.rules.yaml;dcsim-sla fail on a: their alerts cannot fire. The page Rules of Prometheus shows the error.',
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
    summary: 'Alertmanager cannot deliver messages by slack',
    description:
      'Alertmanager at a could not deliver messages by slack in the last 5 minutes: somebody is not told. Its log has the answer of the other side.',
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
      'Prometheus at a dropped alerts in the last 5 minutes, as Alertmanager took none: nobody is told. See whether Alertmanager runs and at which address.',
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
    summary: 'The world of session s is another one',
    description:
      'Within an hour session s (a) has had another seed, scale or scenario: graphs, rates and ids mix two worlds. To begin with the new one alone, remove the data of the old.',
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
      'Simulated time of session s (a) went back within 15 minutes: its world began anew, or continued from an older state. Ids of incidents may mean others than before.',
    opens: '/d/dcsim-mirror?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
