import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../../src/contract/thresholds.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { alarm, palette, okColor, risingSteps, unit } from '../style/look.ts'
import { toDashboard } from '../layout/links.ts'
import { bars, states } from '../visualizations/panels.ts'
import { colorsInOrder, lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { pausedTexts, texts, upOrDown } from '../style/states.ts'
import { table } from '../visualizations/tables.ts'
import type { ValueColumn } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { by, calculateEach, compare, filter, share, topk } from '../../promql/expressions.ts'
import { gauge, increaseOver, quantile, rate, restarts, gaugeSum } from '../queries/series.ts'
import { snapshotAge } from '../panels/shared.ts'
import { ageSteps } from '../style/threshold-steps.ts'

const figures = [
  stat({
    title: 'Scraped',
    description: 'Whether Prometheus reaches the mirror.',
    unit: unit.count,
    mappings: upOrDown,
    targets: [instantQuery(by('min', gauge('up')), '{{instance}}')],
  }),
  stat({
    title: 'Source',
    links: [toDashboard('dcsim-session')],
    description: 'Whether the source of the world answered the last time it was asked.',
    unit: unit.count,
    mappings: upOrDown,
    targets: [instantQuery(by('min', gauge('dcsim_mirror_source_up')), '{{instance}}')],
  }),
  stat({
    title: 'Publishing',
    description: 'It pauses when there was no request for a minute, and resumes with the next one.',
    unit: unit.count,
    mappings: pausedTexts,
    targets: [instantQuery(by('max', gauge('dcsim_mirror_publishing_paused')), '{{instance}}')],
  }),
  snapshotAge(),
  stat({
    title: 'Simulation lag',
    description: 'How far simulated time is behind where its speed would have it, in wall time.',
    unit: unit.seconds,
    decimals: 1,
    steps: risingSteps(1, thresholds.simulationLagSeconds),
    targets: [instantQuery(gauge('dcsim_mirror_sim_lag_seconds'), '{{instance}}')],
  }),
  stat({
    title: 'Requests',
    description: 'Requests answered a second of wall time.',
    unit: unit.requests,
    targets: [instantQuery(by('sum', rate('dcsim_mirror_http_requests_total')), '{{instance}}')],
  }),
]

const age = lines({
  title: 'Snapshot age',
  description: 'Wall time since the state that is served was captured.',
  unit: unit.seconds,
  min: 0,
  limits: true,
  steps: ageSteps,
  targets: [rangeQuery(gauge('dcsim_mirror_snapshot_age_seconds'), '{{instance}}')],
})

const speed = lines({
  title: 'Speed of the world',
  description: 'Simulated seconds a wall second: asked for, and reached.',
  unit: unit.count,
  min: 0,
  legend: 'list',
  colors: { 'Asked for': palette.gray, Reached: palette.blue },
  targets: [
    rangeQuery(gauge('dcsim_sim_speed_ratio'), 'Asked for'),
    rangeQuery(
      filter(
        calculateEach(by('sum', rate('dcsim_sim_steps_total')), '*', gauge('dcsim_sim_step_seconds')),
        'unless',
        restarts('$__rate_interval'),
      ),
      'Reached',
    ),
  ],
})

const publish = lines({
  title: 'Time a publish takes',
  description: 'Wall time: asking for a snapshot until it is in place, and the two longest parts of that.',
  unit: unit.seconds,
  min: 0,
  legend: 'list',
  colors: colorsInOrder('Publish, p99', 'Making records', 'Encoding'),
  targets: [
    rangeQuery(quantile(0.99, 'dcsim_mirror_publish_duration_seconds'), 'Publish, p99'),
    rangeQuery(gauge('dcsim_mirror_project_duration_seconds'), 'Making records'),
    rangeQuery(gauge('dcsim_mirror_encode_duration_seconds'), 'Encoding'),
  ],
})

const requests = lines({
  title: 'Requests by route',
  description: 'Answered a second of wall time.',
  unit: unit.requests,
  min: 0,
  targets: [rangeQuery(topk(8, by('sum', rate('dcsim_mirror_http_requests_total'), ['route'])), '{{route}}')],
})

const answers = lines({
  title: 'Answers by status',
  description: 'A second of wall time. 2xx and 304 are normal.',
  unit: unit.requests,
  min: 0,
  targets: [rangeQuery(by('sum', rate('dcsim_mirror_http_requests_total'), ['code']), '{{code}}')],
})

const latency = lines({
  title: 'Response time (p99)',
  description: 'From a request’s head to the end of its response, for 99 of 100 requests, by route.',
  unit: unit.seconds,
  min: 0,
  targets: [rangeQuery(quantile(0.99, 'dcsim_mirror_http_request_duration_seconds', ['route']), '{{route}}')],
})

const sent = lines({
  title: 'Sent by route',
  description: 'Bytes of bodies, as sent.',
  unit: unit.byteRate,
  min: 0,
  stacked: true,
  targets: [
    rangeQuery(topk(8, by('sum', rate('dcsim_mirror_http_response_bytes_total'), ['route'])), '{{route}}'),
  ],
})

const frame = lines({
  title: 'Size of the snapshot',
  description: 'Everything that a reader can ask for, encoded.',
  unit: unit.bytes,
  min: 0,
  legend: 'none',
  targets: [rangeQuery(gauge('dcsim_mirror_frame_size_bytes'), '{{instance}}')],
})

const encoded = lines({
  title: 'Records re-encoded',
  description: 'Of all records, those that had changed at the last publish.',
  unit: unit.share,
  min: 0,
  max: 1,
  legend: 'none',
  targets: [
    rangeQuery(
      share(gaugeSum('dcsim_mirror_records_encoded'), gaugeSum('dcsim_mirror_records')),
      '{{instance}}',
    ),
  ],
})

const steps = lines({
  title: 'Time a step takes',
  description:
    'Wall time that a step of the world took lately. It has to stay below the time between two steps.',
  unit: unit.seconds,
  min: 0,
  legend: 'none',
  targets: [rangeQuery(gauge('dcsim_mirror_step_duration_seconds'), '{{instance}}')],
})

const publishes = lines({
  title: 'Publishes and saves',
  description:
    'Snapshots published and attempts to save the world to its session file, a second of wall time.',
  unit: unit.number,
  min: 0,
  legend: 'list',
  colors: { Publishes: palette.blue, Saves: palette.green, 'Saves that failed': palette.vermilion },
  targets: [
    rangeQuery(by('sum', rate('dcsim_mirror_publishes_total')), 'Publishes'),
    rangeQuery(by('sum', rate('dcsim_mirror_state_saves_total', { result: 'success' })), 'Saves'),
    rangeQuery(by('sum', rate('dcsim_mirror_state_saves_total', { result: 'failure' })), 'Saves that failed'),
  ],
})

const collectors = bars({
  title: 'Slowest collectors',
  longNames: true,
  description: 'Wall time that groups of metrics took at the last publish.',
  unit: unit.seconds,
  min: 0,
  targets: [
    instantQuery(
      topk(10, by('max', gauge('dcsim_mirror_collector_duration_seconds'), ['collector'])),
      '{{collector}}',
    ),
  ],
})

const collectorStates = states({
  title: 'Collectors',
  description:
    'Whether each group of metrics could be made. One that fails leaves out its own families only.',
  unit: unit.count,
  mappings: texts({ 1: ['OK', okColor], 0: ['Failed', alarm] }),
  targets: [rangeQuery(by('min', gauge('dcsim_mirror_collector_success'), ['collector']), '{{collector}}')],
})

/** A table of what a metric counts for each part or reason. */
const countedBy = (
  title: string,
  description: string,
  empty: string,
  labels: readonly ('part' | 'reason')[],
  [expr, count, hidden]: readonly [expr: ValueColumn['expr'], count: string, hidden?: boolean],
) =>
  table({
    title,
    description,
    empty,
    labels: labels.map((label) => ({
      label,
      title: label === 'part' ? 'Part' : labels.length === 1 ? 'Reason' : 'Why',
      ...(hidden === true && label === 'part' && { width: 80 }),
    })),
    values: [{ expr, title: count, ...(hidden === true ? { hidden } : { unit: unit.count }) }],
    sortBy: count,
  })

const failures = countedBy(
  'Publishes failed',
  'At the source, in the time shown, by what was wrong there.',
  'None failed in this time.',
  ['reason'],
  [compare(by('sum', increaseOver('dcsim_mirror_source_errors_total'), ['reason']), '>', 0), 'Times'],
)

const unreported = countedBy(
  'Not reported by the game',
  'Parts of the world that the source lacks. Panels about them are empty.',
  'The source reports everything.',
  ['part', 'reason'],
  [by('max', gauge('dcsim_mirror_source_unknown_info'), ['part', 'reason']), 'Unknown', true],
)

const leftOut = countedBy(
  'Records left out',
  'Records of the last publish that have no id, or that of another record.',
  'None.',
  ['part', 'reason'],
  [by('max', gauge('dcsim_mirror_source_records_left_out'), ['part', 'reason']), 'Records'],
)

const build = table({
  title: 'What runs',
  description: 'Version of the mirror, and the world that it mirrors.',
  labels: [
    { label: 'version', title: 'Version' },
    { label: 'node', title: 'Node' },
    { label: 'scenario', title: 'Scenario' },
    { label: 'scale', title: 'Scale', width: 90 },
    { label: 'seed', title: 'Seed', width: 60 },
  ],
  values: [
    {
      expr: by('max', gauge('dcsim_mirror_build_info'), ['version', 'node']),
      title: 'Mirror',
      hidden: true,
    },
    { expr: by('max', gauge('dcsim_sim_info'), ['scenario', 'scale', 'seed']), title: 'World', hidden: true },
    { expr: by('max', gauge('dcsim_mirror_cadence_seconds')), title: 'Cadence', unit: unit.seconds },
  ],
  sortBy: 'Cadence',
})

/** The mirror's own health. */
export const mirrorPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-mirror',
    description: 'The bundle watching itself: is what the other dashboards show fresh, whole and quick?',
    sections: [
      {
        rows: [
          ...tiles(figures),
          row(8, [8, age], [8, speed], [8, publish]),
          row(8, [8, requests], [8, answers], [8, latency]),
        ],
      },
      {
        title: 'Inside',
        rows: [
          row(7, [8, sent], [8, frame], [8, encoded]),
          row(7, [12, steps], [12, publishes]),
          row(11, [12, collectorStates], [12, collectors]),
          row(5, [15, build], [9, failures]),
          row(6, [15, unreported], [9, leftOut]),
        ],
      },
    ],
  })
