import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row } from './house/layout.ts'
import { colours, noneExpected, units } from './house/look.ts'
import { inOrder, lines, stat, states } from './house/panels.ts'
import { contentionTexts, yesIsWell } from './house/states.ts'
import { jsonTable, table } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { infinityNote } from './incidents.ts'
import { bytesToBits, by, matchesVariable, gauge, lacking, share } from './promql.ts'
import { cpuSteps, memorySteps } from './threshold-steps.ts'

const one = { host: matchesVariable('host') }
const url = '/api/v1/hosts/${host}'
const gone = 'Nothing: choose a host above.'

type HostGauge =
  | 'dcsim_host_contention_level'
  | 'dcsim_host_cpu_allocated_vcpus'
  | 'dcsim_host_cpu_physical_vcpus'
  | 'dcsim_host_cpu_used_vcpus'
  | 'dcsim_host_disk_capacity_operations_per_second'
  | 'dcsim_host_disk_operations_per_second'
  | 'dcsim_host_disk_used_ratio'
  | 'dcsim_host_gpu_slices'
  | 'dcsim_host_gpu_slices_used'
  | 'dcsim_host_memory_free_bytes'
  | 'dcsim_host_memory_physical_bytes'
  | 'dcsim_host_online'
  | 'dcsim_host_power_feeds_live'
  | 'dcsim_host_receive_bytes_per_second'
  | 'dcsim_host_transmit_bytes_per_second'
  | 'dcsim_host_units'
  | 'dcsim_host_units_stranded'
const value = (name: HostGauge) => by('max', gauge<HostGauge>(name, one))

const cpuUsed = share(value('dcsim_host_cpu_used_vcpus'), value('dcsim_host_cpu_physical_vcpus'))
const memoryPromised = lacking(
  share(value('dcsim_host_memory_free_bytes'), value('dcsim_host_memory_physical_bytes')),
)

const figures = [
  stat({
    title: 'Online',
    description: 'Whether it runs and can be reached.',
    unit: units.count,
    mappings: yesIsWell,
    empty: gone,
    calm: true,
    targets: [instantQuery(value('dcsim_host_online'), '{{instance}}')],
  }),
  stat({
    title: 'Contention',
    description: 'How much its units get in each other’s way.',
    unit: units.count,
    mappings: contentionTexts,
    empty: gone,
    calm: true,
    targets: [instantQuery(value('dcsim_host_contention_level'), '{{instance}}')],
  }),
  stat({
    title: 'CPU used',
    description: 'Of what the hardware has.',
    unit: units.share,
    decimals: 0,
    steps: cpuSteps,
    empty: gone,
    targets: [rangeQuery(cpuUsed, '{{instance}}')],
  }),
  stat({
    title: 'Memory promised',
    description: 'Of what the hardware has.',
    unit: units.share,
    decimals: 0,
    steps: memorySteps,
    empty: gone,
    targets: [rangeQuery(memoryPromised, '{{instance}}')],
  }),
  stat({
    title: 'Power feeds',
    description: 'Feeds that are live, of two.',
    unit: units.count,
    steps: [
      { value: null, color: colours.vermilion },
      { value: 1, color: colours.orange },
      { value: 2, color: colours.green },
    ],
    empty: gone,
    targets: [rangeQuery(value('dcsim_host_power_feeds_live'), '{{instance}}')],
  }),
  stat({
    title: 'Units stranded',
    description: 'Units on it that it cannot serve now.',
    unit: units.count,
    steps: noneExpected,
    empty: gone,
    targets: [rangeQuery(value('dcsim_host_units_stranded'), '{{instance}}')],
  }),
]

const about = table({
  title: 'What it is',
  description: 'Name, place and model.',
  empty: gone,
  labels: [
    { label: 'name', title: 'Host' },
    { label: 'sku', title: 'Model' },
    { label: 'arch', title: 'Arch' },
    { label: 'accelerator', title: 'Accelerator' },
    { label: 'az', title: 'Zone' },
    { label: 'rack', title: 'Rack' },
    { label: 'pool', title: 'Pool' },
  ],
  values: [
    {
      expr: by('max', gauge('dcsim_host_info', one), [
        'name',
        'sku',
        'arch',
        'accelerator',
        'az',
        'rack',
        'pool',
      ]),
      title: 'Host',
      hidden: true,
    },
  ],
  sortBy: 'Host',
})

const load = lines({
  title: 'CPU',
  description: 'Virtual CPUs that the hardware has, that are promised to units, and that units use.',
  unit: units.vcpus,
  min: 0,
  legend: 'list',
  empty: gone,
  colours: { Hardware: colours.grey, Promised: colours.sky, Used: colours.blue },
  targets: [
    rangeQuery(value('dcsim_host_cpu_physical_vcpus'), 'Hardware'),
    rangeQuery(value('dcsim_host_cpu_allocated_vcpus'), 'Promised'),
    rangeQuery(value('dcsim_host_cpu_used_vcpus'), 'Used'),
  ],
})

const traffic = lines({
  title: 'Traffic',
  description: 'Over all ports.',
  unit: units.traffic,
  min: 0,
  legend: 'list',
  empty: gone,
  colours: { Sent: colours.blue, Received: colours.sky },
  targets: [
    rangeQuery(bytesToBits(value('dcsim_host_transmit_bytes_per_second')), 'Sent'),
    rangeQuery(bytesToBits(value('dcsim_host_receive_bytes_per_second')), 'Received'),
  ],
})

const disk = lines({
  title: 'Disk operations',
  description: 'What the disks do, and what they can do.',
  unit: units.operations,
  min: 0,
  legend: 'list',
  empty: gone,
  colours: { 'Can do': colours.grey, Does: colours.blue },
  targets: [
    rangeQuery(value('dcsim_host_disk_capacity_operations_per_second'), 'Can do'),
    rangeQuery(value('dcsim_host_disk_operations_per_second'), 'Does'),
  ],
})

const promised = lines({
  title: 'Memory, disk and GPU promised',
  description: 'Of what the hardware has.',
  unit: units.share,
  min: 0,
  max: 1,
  legend: 'list',
  empty: gone,
  colours: inOrder('Memory', 'Disk', 'GPU slices'),
  targets: [
    rangeQuery(memoryPromised, 'Memory'),
    rangeQuery(value('dcsim_host_disk_used_ratio'), 'Disk'),
    rangeQuery(share(value('dcsim_host_gpu_slices_used'), value('dcsim_host_gpu_slices')), 'GPU slices'),
  ],
})

const unitsOverTime = lines({
  title: 'Units',
  description: 'Units placed on it, and those of them that it cannot serve.',
  unit: units.count,
  min: 0,
  stepped: true,
  legend: 'list',
  empty: gone,
  colours: { Placed: colours.blue, Stranded: colours.vermilion },
  targets: [
    rangeQuery(value('dcsim_host_units'), 'Placed'),
    rangeQuery(value('dcsim_host_units_stranded'), 'Stranded'),
  ],
})

const contention = states({
  title: 'Contention',
  description: 'How much its units got in each other’s way.',
  unit: units.count,
  mappings: contentionTexts,
  empty: gone,
  targets: [rangeQuery(value('dcsim_host_contention_level'), 'Contention')],
})

const ports = jsonTable({
  title: 'Ports',
  description: 'What each port is connected to, and how it goes.',
  empty: gone,
  query: {
    url,
    root: `([ports.{
      "port": label, "link": link, "state": state,
      "peer": peer ? peer.label : "nothing",
      "capacity": link_capacity_gbps, "sent": gbps_tx, "received": gbps_rx,
      "errors": error_count, "flaps": link_flaps
    }])`,
  },
  columns: [
    { field: 'port', title: 'Port', type: 'string', width: 90 },
    { field: 'peer', title: 'Connected to', type: 'string' },
    { field: 'link', title: 'Link', type: 'string', width: 90 },
    { field: 'state', title: 'State', type: 'string', width: 110 },
    { field: 'capacity', title: 'Gbit/s', type: 'number', unit: units.count, width: 90 },
    { field: 'sent', title: 'Sent, Gbit/s', type: 'number', unit: units.count, width: 120 },
    { field: 'received', title: 'Received, Gbit/s', type: 'number', unit: units.count, width: 140 },
    {
      field: 'errors',
      title: 'Frames lost',
      type: 'number',
      unit: units.count,
      steps: noneExpected,
      width: 110,
    },
    { field: 'flaps', title: 'Flaps', type: 'number', unit: units.count, steps: noneExpected, width: 80 },
  ],
})

const hardware = jsonTable({
  title: 'Hardware and money',
  description: 'Age, wear, what it costs a month and what it would sell for.',
  empty: gone,
  query: {
    url,
    root: `([{
      "condition": condition_pct / 100, "age": age_hours * 3600, "mtbf": mtbf_hours * 3600,
      "wear": wear_factor, "cost": monthly_cost_total_dollars, "resale": resale_dollars,
      "classes": $join(service_classes, ", "), "customers": $count(served_customer_ids)
    }])`,
  },
  columns: [
    { field: 'condition', title: 'Condition', type: 'number', unit: units.share },
    { field: 'age', title: 'Age', type: 'number', unit: units.duration },
    { field: 'mtbf', title: 'Mean time between failures', type: 'number', unit: units.duration },
    { field: 'wear', title: 'Disk wear', type: 'number', unit: units.share, decimals: 1 },
    { field: 'cost', title: 'Cost a month', type: 'number', unit: units.dollars },
    { field: 'resale', title: 'Resale value', type: 'number', unit: units.dollars },
    { field: 'classes', title: 'Service classes', type: 'string' },
    { field: 'customers', title: 'Customers', type: 'number', unit: units.count },
  ],
})

/** One host. */
export const host = (): Dashboard =>
  dashboard({
    uid: 'dcsim-host',
    description: 'One host: how it is, how it is loaded, what it is connected to.',
    variables: ['host'],
    infinity: true,
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(4, [24, about]),
          row(8, [8, load], [8, traffic], [8, disk]),
          row(7, [8, promised], [8, unitsOverTime], [8, contention]),
        ],
      },
      {
        title: 'In detail',
        shelves: [row(4, [24, hardware]), row(8, [24, ports]), row(3, [24, infinityNote])],
      },
    ],
  })
