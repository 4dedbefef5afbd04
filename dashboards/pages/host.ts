import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { toDashboard } from '../layout/links.ts'
import { palette, unit } from '../style/look.ts'
import { colorsInOrder, lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { states } from '../visualizations/panels.ts'
import { contentionTexts, upOrDown, healthyFlagTexts } from '../style/states.ts'
import { wordTable } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { cableAndPorts, incidentsAndEvents } from '../panels/one-device.ts'
import { by, complement, share } from '../../promql/expressions.ts'
import { bytesToBits, gauge, matchesVariable } from '../queries/series.ts'
import type { GaugeWith } from '../queries/series.ts'
import { contentionLevel } from '../queries/shared.ts'
import { cpuSteps, memorySteps } from '../style/threshold-steps.ts'

const one = { host: matchesVariable('host') }
const query = 'host=${host}'
const gone = 'No such host: choose one above.'

const value = (name: GaugeWith<'host'>) => by('max', gauge<typeof name>(name, one))

const cpuUsed = share(value('dcsim_host_cpu_used_vcpus'), value('dcsim_host_cpu_physical_vcpus'))
const memoryAllocated = complement(
  share(value('dcsim_host_memory_free_bytes'), value('dcsim_host_memory_physical_bytes')),
)

const figures = [
  stat({
    title: 'Online',
    description: 'Whether it runs and can be reached.',
    unit: unit.count,
    mappings: healthyFlagTexts,
    empty: gone,
    targets: [instantQuery(value('dcsim_host_online'), '{{instance}}')],
  }),
  stat({
    title: 'CPU used',
    description: 'Of what the hardware has.',
    unit: unit.share,
    decimals: 0,
    steps: cpuSteps,
    empty: gone,
    targets: [instantQuery(cpuUsed, '{{instance}}')],
  }),
  stat({
    title: 'Memory allocated',
    description: 'Of what the hardware has.',
    unit: unit.share,
    decimals: 0,
    steps: memorySteps,
    empty: gone,
    targets: [instantQuery(memoryAllocated, '{{instance}}')],
  }),
  stat({
    title: 'Power feeds',
    links: [toDashboard('dcsim-power')],
    description: 'Feeds that are live, of two.',
    unit: unit.count,
    steps: [
      { value: null, color: palette.vermilion },
      { value: 1, color: palette.orange },
      { value: 2, color: palette.green },
    ],
    empty: gone,
    targets: [instantQuery(value('dcsim_host_power_feeds_live'), '{{instance}}')],
  }),
]

const about = wordTable({
  title: 'What it is',
  description: 'State, incident, place, model, what runs on it, load, ports and power, in words.',
  empty: gone,
  table: 'host',
  query,
  tinted: true,
  untitled: true,
  lines: 'any',
  columns: [
    { field: 'fact', title: 'Fact', width: 120 },
    { field: 'value', title: 'Detail' },
  ],
})

const load = lines({
  title: 'CPU',
  description: 'Virtual CPUs that the hardware has, that are allocated to units, and that units use.',
  unit: unit.vcpus,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: { Hardware: palette.gray, Allocated: palette.sky, Used: palette.blue },
  targets: [
    rangeQuery(value('dcsim_host_cpu_physical_vcpus'), 'Hardware'),
    rangeQuery(value('dcsim_host_cpu_allocated_vcpus'), 'Allocated'),
    rangeQuery(value('dcsim_host_cpu_used_vcpus'), 'Used'),
  ],
})

const traffic = lines({
  title: 'Traffic',
  description: 'Over all ports.',
  unit: unit.traffic,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: { Sent: palette.blue, Received: palette.sky },
  targets: [
    rangeQuery(bytesToBits(value('dcsim_host_transmit_bytes_per_second')), 'Sent'),
    rangeQuery(bytesToBits(value('dcsim_host_receive_bytes_per_second')), 'Received'),
  ],
})

const disk = lines({
  title: 'Disk operations',
  description: 'What the disks do, and what they can do.',
  unit: unit.operations,
  min: 0,
  legend: 'list',
  empty: gone,
  colors: { 'Can do': palette.gray, Does: palette.blue },
  targets: [
    rangeQuery(value('dcsim_host_disk_capacity_operations_per_second'), 'Can do'),
    rangeQuery(value('dcsim_host_disk_operations_per_second'), 'Does'),
  ],
})

const allocated = lines({
  title: 'Allocated',
  description: 'Of what the hardware has.',
  unit: unit.share,
  min: 0,
  max: 1,
  legend: 'list',
  empty: gone,
  colors: colorsInOrder('Memory', 'Disk', 'GPU slices'),
  targets: [
    rangeQuery(memoryAllocated, 'Memory'),
    rangeQuery(value('dcsim_host_disk_used_ratio'), 'Disk'),
    rangeQuery(share(value('dcsim_host_gpu_slices_used'), value('dcsim_host_gpu_slices')), 'GPU slices'),
  ],
})

const unitsOverTime = lines({
  title: 'Units',
  description: 'Units placed on it, and those of them that it cannot serve.',
  unit: unit.count,
  min: 0,
  stepped: true,
  legend: 'list',
  empty: gone,
  colors: { Placed: palette.blue, Stranded: palette.vermilion },
  targets: [
    rangeQuery(value('dcsim_host_units'), 'Placed'),
    rangeQuery(value('dcsim_host_units_stranded'), 'Stranded'),
  ],
})

const contention = states({
  title: 'Contention',
  description: 'How much its units got in each other’s way.',
  unit: unit.count,
  mappings: contentionTexts,
  empty: gone,
  targets: [rangeQuery(contentionLevel(one), 'Contention')],
})

const running = states({
  title: 'Online and powered',
  description: 'When it could be reached, and when at least one power feed was live.',
  unit: unit.count,
  mappings: upOrDown,
  empty: gone,
  targets: [
    rangeQuery(value('dcsim_host_online'), 'Online'),
    rangeQuery(value('dcsim_host_powered'), 'Power'),
  ],
})

const hardware = wordTable({
  title: 'Hardware and cost',
  description: 'Age, wear, what it costs a month and what it would sell for.',
  empty: gone,
  table: 'hosts',
  query,
  columns: [
    { field: 'condition_pct', title: 'Condition', unit: unit.percent },
    { field: 'age_seconds', title: 'Age', unit: unit.duration },
    {
      field: 'mean_time_between_failures_seconds',
      title: 'Time between failures',
      unit: unit.duration,
    },
    { field: 'disk_wear_pct', title: 'Disk wear', unit: unit.percent, decimals: 1 },
    { field: 'cost_dollars_per_month', title: 'Cost a month', unit: unit.dollars },
    { field: 'resale_dollars', title: 'Resale value', unit: unit.dollars },
  ],
})

export const hostPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-host',
    description: 'Is this host well, how loaded is it, whose units run on it and what is it connected to?',
    variables: ['host'],
    infinity: true,
    port: true,
    sections: [
      {
        rows: [
          row(13, [14, about], [10, load]),
          ...tiles(figures),
          row(8, [8, traffic], [8, disk], [8, allocated]),
        ],
      },
      { title: 'Units', rows: [row(7, [8, unitsOverTime], [8, contention], [8, running])] },
      incidentsAndEvents('host', query),
      {
        title: 'In detail',
        rows: [row(5, [24, hardware]), ...cableAndPorts('host', gone)],
      },
    ],
  })
