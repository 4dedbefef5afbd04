import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { atEnd, by, filter, share } from '../../promql/expressions.ts'
import { thresholds } from '../../src/contract/thresholds.ts'
import { dashboard, row } from '../layout/layout.ts'
import { fromJsonRow, link, preservedQueryParams, toDashboard } from '../layout/links.ts'
import { rackPanel } from '../panels/drawings/pictures.ts'
import { eventFeed } from '../panels/events.ts'
import { activeIncidentsOf } from '../panels/entity-incidents.ts'
import { gauge, hostNamed, matchesVariable } from '../queries/series.ts'
import type { GaugeWith } from '../queries/series.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { palette, noneExpected, risingSteps, unit } from '../style/look.ts'
import { upOrDown } from '../style/states.ts'
import { cpuSteps, hostsOnlineSteps, percentSteps } from '../style/threshold-steps.ts'
import { lines } from '../visualizations/lines.ts'
import { states } from '../visualizations/panels.ts'
import { stat } from '../visualizations/stat.ts'
import { wordTable } from '../visualizations/tables.ts'

const one = { rack: matchesVariable('rack') }
const itsHosts = { host: matchesVariable('rack_hosts') }
const query = 'rack=${rack}'
const gone = 'No such rack: choose one above.'
const noHosts = 'No hosts'

const value = (name: GaugeWith<'rack'>) => by('max', gauge<typeof name>(name, one))

/** A metric of the hosts that stand in the rack at each moment. */
const ofItsHosts = (name: 'dcsim_host_online' | 'dcsim_host_units_stranded' | 'dcsim_host_cpu_used_vcpus') =>
  filter(gauge<typeof name>(name, itsHosts), 'and', gauge('dcsim_host_info', one), ['host'])

const powerShare = share(value('dcsim_rack_power_draw_watts'), value('dcsim_rack_power_capacity_watts'))
const inletSteps = risingSteps(thresholds.inletWarmCelsius, thresholds.inletHotCelsius)

const figures = [
  stat({
    title: 'Hosts online',
    description: 'Hosts of the rack that serve, of all in it. A rack of network devices alone has none.',
    unit: unit.share,
    decimals: 0,
    steps: hostsOnlineSteps,
    empty: noHosts,
    targets: [
      instantQuery(share(value('dcsim_rack_hosts_online'), value('dcsim_rack_hosts')), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Power feeds',
    links: [toDashboard('dcsim-power')],
    description: 'Feeds that are live, of two. With one, the next failure takes the whole rack down.',
    unit: unit.count,
    steps: [
      { value: null, color: palette.vermilion },
      { value: 1, color: palette.orange },
      { value: 2, color: palette.green },
    ],
    empty: gone,
    targets: [instantQuery(value('dcsim_rack_power_feeds_live'), '{{instance}}')],
  }),
  stat({
    title: 'Power',
    links: [toDashboard('dcsim-power')],
    description: 'Power drawn, of what the rack may draw.',
    unit: unit.share,
    decimals: 0,
    steps: risingSteps(thresholds.rackPowerHigh, 1),
    empty: gone,
    targets: [instantQuery(powerShare, '{{instance}}')],
  }),
  stat({
    title: 'Inlet',
    links: [toDashboard('dcsim-power')],
    description: 'Temperature of the air going in. 18 to 27 °C is recommended.',
    unit: unit.celsius,
    decimals: 1,
    steps: inletSteps,
    empty: gone,
    targets: [instantQuery(value('dcsim_rack_inlet_celsius'), '{{instance}}')],
  }),
  stat({
    title: 'Stranded',
    links: [toDashboard('dcsim-customers')],
    description: 'Units on hosts of the rack that cannot serve them now.',
    unit: unit.count,
    steps: noneExpected,
    empty: noHosts,
    targets: [instantQuery(by('sum', ofItsHosts('dcsim_host_units_stranded')), '{{instance}}')],
  }),
]

const hosts = wordTable({
  title: 'Hosts',
  description: 'Load and state of the hosts in the rack, those with the most CPU used first.',
  empty: 'No host stands in this rack.',
  table: 'hosts',
  query: `${query}&sort=-cpu_used_pct`,
  tinted: true,
  columns: [
    { field: 'host', title: 'Host', width: 122, links: [fromJsonRow('dcsim-host', 'host', 'host_id')] },
    { field: 'state', title: 'State', width: 144 },
    {
      field: 'cpu_used_pct',
      title: 'CPU used',
      unit: unit.percent,
      decimals: 0,
      width: 72,
      bar: true,
      barMax: 100,
      steps: percentSteps(thresholds.cpuUsedHigh, thresholds.cpuUsedFull),
    },
    { field: 'customer_names', title: 'Customers' },
    { field: 'host_id', title: 'Id', hidden: true },
  ],
})

/** A picture cannot be clicked. */
const devices = wordTable({
  title: 'What stands in it',
  description:
    'Hosts and devices from the top down: where, how loaded (CPU of a host, fabric of a device), and how they do.',
  empty: 'Nothing stands in this rack.',
  table: 'rack',
  query: `${query}&top=yes&limit=100`,
  tinted: true,
  columns: [
    { field: 'place', title: 'Units', width: 60 },
    {
      field: 'device',
      title: 'Device',
      links: [
        link(
          'Open ${__data.fields.device}',
          `/d/dcsim-\${__data.fields.leads_to}/\${__data.fields.leads_to}?${preservedQueryParams}&\${instance:queryparam}` +
            '&var-device=${__data.fields.device}&var-host=${__data.fields.device_id}&${rack:queryparam}',
        ),
      ],
    },
    { field: 'load_pct', title: 'Load', unit: unit.percent, decimals: 0, width: 52 },
    { field: 'state', title: 'State', width: 186 },
    { field: 'device_id', title: 'Id', hidden: true },
    { field: 'leads_to', title: 'Leads to', hidden: true },
  ],
})

const online = states({
  title: 'Hosts over time',
  description: 'When each host of the rack was online.',
  unit: unit.count,
  mappings: upOrDown,
  empty: 'No host stands in this rack.',
  targets: [
    rangeQuery(hostNamed(by('max', ofItsHosts('dcsim_host_online'), ['host']), itsHosts), '{{name}}'),
  ],
})

const power = lines({
  title: 'Power',
  description: 'Power drawn, and what the rack may draw.',
  unit: unit.watts,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: { Drawn: palette.blue, 'May draw': palette.gray },
  targets: [
    rangeQuery(value('dcsim_rack_power_draw_watts'), 'Drawn'),
    rangeQuery(value('dcsim_rack_power_capacity_watts'), 'May draw'),
  ],
})

const inlet = lines({
  title: 'Inlet temperature',
  description: 'Air going in. Above the red line devices are out of their specification.',
  unit: unit.celsius,
  limits: true,
  legend: 'none',
  steps: inletSteps,
  empty: gone,
  targets: [rangeQuery(value('dcsim_rack_inlet_celsius'), 'Inlet')],
})

const cpu = lines({
  title: 'CPU used by host',
  description: 'CPU used, of what the hardware of each host has.',
  unit: unit.share,
  min: 0,
  max: 1,
  legend: 'none',
  steps: cpuSteps,
  empty: 'No host stands in this rack.',
  targets: [
    rangeQuery(
      hostNamed(
        share(
          by('max', ofItsHosts('dcsim_host_cpu_used_vcpus'), ['host']),
          by('max', atEnd(gauge('dcsim_host_cpu_physical_vcpus', itsHosts)), ['host']),
        ),
        itsHosts,
      ),
      '{{name}}',
    ),
  ],
})

export const rackPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-rack',
    description: 'What stands in this rack and where, is it powered and cool, and what is wrong in it?',
    variables: ['rack', 'rack_hosts'],
    infinity: true,
    sections: [
      {
        rows: [
          row(15, [8, rackPanel], [16, hosts]),
          row(3, ...figures.map((figure, at) => [at === 2 ? 4 : 5, figure] as const)),
          row(6, [24, activeIncidentsOf(query, 'No incident in this rack.')]),
        ],
      },
      {
        title: 'Devices and events',
        rows: [
          row(25, [13, devices], [11, online]),
          row(7, [
            24,
            eventFeed({
              query: `${query}&limit=30`,
              empty: 'Nothing happened in this rack in the time shown.',
            }),
          ]),
        ],
      },
      { title: 'Power, air and load', rows: [row(8, [8, power], [8, inlet], [8, cpu])] },
    ],
  })
