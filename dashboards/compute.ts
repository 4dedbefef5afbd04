import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../alerts/thresholds.ts'
import { heatmap } from './house/heatmap.ts'
import { dashboard, row } from './house/layout.ts'
import { fromRow, fromSeries } from './house/links.ts'
import { noneExpected, risingSteps, units } from './house/look.ts'
import { bars, lines, stat, states } from './house/panels.ts'
import { acceleratorTexts, contentionTexts, yesIsWell } from './house/states.ts'
import { table } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import {
  bottom,
  by,
  calculateEach,
  compare,
  gauge,
  highest,
  hostNamed,
  lacking,
  lastOverTime,
  matchesVariable,
  named,
  share,
  top,
  total,
} from './promql.ts'
import { powerDrawn, powerFeeds, warmAir } from './power-and-air.ts'
import { poolNamed, zoneNamed } from './queries.ts'
import { hostsOnline } from './shared-panels.ts'
import { conditionSteps, cpuSteps, diskSteps, gpuSteps, memorySteps } from './threshold-steps.ts'

const zone = { az: matchesVariable('zone') }
const pool = { pool: matchesVariable('pool') }
const place = { ...zone, ...pool }

const figures = [
  hostsOnline(total('dcsim_pool_hosts_online', [], pool), total('dcsim_pool_hosts', [], pool)),
  stat({
    title: 'CPU used',
    description: 'CPU that units use, of what the hardware has.',
    unit: units.share,
    decimals: 0,
    steps: cpuSteps,
    targets: [
      rangeQuery(
        share(total('dcsim_pool_cpu_used_vcpus', [], pool), total('dcsim_pool_cpu_physical_vcpus', [], pool)),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Memory allocated',
    description: 'Memory that is not free, of what the hardware has. Memory is never promised twice.',
    unit: units.share,
    decimals: 0,
    steps: memorySteps,
    targets: [
      rangeQuery(
        lacking(
          share(
            total('dcsim_pool_memory_free_bytes', [], pool),
            total('dcsim_pool_memory_physical_bytes', [], pool),
          ),
        ),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Disk allocated',
    description: 'Disk that is not free, of what the hardware has.',
    unit: units.share,
    decimals: 0,
    steps: diskSteps,
    targets: [
      rangeQuery(
        lacking(
          share(
            total('dcsim_pool_disk_free_bytes', [], pool),
            total('dcsim_pool_disk_physical_bytes', [], pool),
          ),
        ),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'GPU slices allocated',
    description: 'Of all slices that there are.',
    unit: units.share,
    decimals: 0,
    steps: gpuSteps,
    empty: 'No GPUs in these pools.',
    targets: [
      rangeQuery(
        share(total('dcsim_pool_gpu_slices_used', [], pool), total('dcsim_pool_gpu_slices', [], pool)),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Units without a place',
    description: 'Units on hosts that cannot serve them, and units that no host could take.',
    unit: units.count,
    steps: noneExpected,
    targets: [
      rangeQuery(total('dcsim_units_stranded'), 'Stranded'),
      rangeQuery(total('dcsim_units_unplaced'), 'Unplaced'),
    ],
  }),
]

const dedicated = (what: 'cpu' | 'memory' | 'disk') => {
  const families = {
    cpu: ['dcsim_segment_dedicated_cpu_free_vcpus', 'dcsim_segment_dedicated_cpu_vcpus'],
    memory: ['dcsim_segment_dedicated_memory_free_bytes', 'dcsim_segment_dedicated_memory_bytes'],
    disk: ['dcsim_segment_dedicated_disk_free_bytes', 'dcsim_segment_dedicated_disk_bytes'],
  } as const
  const [free, all] = families[what]
  return by('max', share(gauge(free), gauge(all)), ['segment'])
}

const segments = table({
  title: 'Segments',
  description: 'Private networks: who is in them, and what is left of the hosts that are reserved for them.',
  empty: 'There is no segment.',
  labels: [
    { label: 'name', title: 'Segment' },
    { label: 'segment', title: 'Id', hidden: true },
  ],
  values: [
    {
      expr: by('max', named(gauge('dcsim_segment_members'), 'dcsim_segment_info', ['segment'], ['name']), [
        'segment',
        'name',
      ]),
      title: 'Members',
      width: 90,
    },
    {
      expr: by('max', gauge('dcsim_segment_dedicated_hosts'), ['segment']),
      title: 'Reserved hosts',
      width: 120,
    },
    { expr: dedicated('cpu'), title: 'CPU left', unit: units.share, decimals: 0, bar: true },
    { expr: dedicated('memory'), title: 'Memory left', unit: units.share, decimals: 0, bar: true },
    { expr: dedicated('disk'), title: 'Disk left', unit: units.share, decimals: 0, bar: true },
  ],
  sortBy: 'Members',
})

const pools = table({
  title: 'Pools',
  description: 'What each pool has, has promised and uses. Overcommit is CPU allocated over CPU there is.',
  labels: [
    { label: 'name', title: 'Pool' },
    { label: 'arch', title: 'Arch', width: 90 },
    { label: 'accelerator', title: 'Accelerator', width: 120, mappings: acceleratorTexts },
  ],
  values: [
    {
      expr: by(
        'max',
        named(
          gauge('dcsim_pool_cpu_used_ratio', pool),
          'dcsim_pool_info',
          ['pool'],
          ['name', 'arch', 'accelerator'],
        ),
        ['pool', 'name', 'arch', 'accelerator'],
      ),
      title: 'CPU used',
      unit: units.share,
      bar: true,
      steps: cpuSteps,
    },
    {
      expr: by('max', gauge('dcsim_pool_memory_allocated_ratio', pool), ['pool']),
      title: 'Memory allocated',
      unit: units.share,
      bar: true,
      steps: memorySteps,
    },
    {
      expr: by('max', gauge('dcsim_pool_disk_allocated_ratio', pool), ['pool']),
      title: 'Disk allocated',
      unit: units.share,
      bar: true,
      steps: diskSteps,
    },
    {
      expr: share(
        total('dcsim_pool_gpu_slices_used', ['pool'], pool),
        total('dcsim_pool_gpu_slices', ['pool'], pool),
      ),
      title: 'GPU allocated',
      unit: units.share,
      bar: true,
      steps: gpuSteps,
    },
    {
      expr: by('max', gauge('dcsim_pool_overcommit_ratio', pool), ['pool']),
      title: 'Overcommit',
      decimals: 2,
    },
    {
      expr: by('max', gauge('dcsim_pool_overcommit_max_ratio', pool), ['pool']),
      title: 'Overcommit allowed',
      decimals: 2,
    },
    { expr: by('max', gauge('dcsim_pool_hosts', pool), ['pool']), title: 'Hosts' },
    {
      expr: by('max', gauge('dcsim_pool_hosts_contended', pool), ['pool']),
      title: 'Contended',
      steps: noneExpected,
    },
    {
      expr: by('max', gauge('dcsim_pool_cpu_free_vcpus', pool), ['pool']),
      title: 'CPU free',
      decimals: 0,
    },
    {
      expr: by('max', gauge('dcsim_pool_memory_free_bytes', pool), ['pool']),
      title: 'Memory free',
      unit: units.memory,
    },
  ],
  sortBy: 'CPU used',
})

const spread = heatmap({
  title: 'How hosts are loaded',
  description: 'Hosts by CPU used of what they have: a dark spot high up are hosts that starve their units.',
  unit: units.share,
  targets: [
    rangeQuery(
      calculateEach(
        gauge('dcsim_host_cpu_used_vcpus', place),
        '/',
        by('max', compare(lastOverTime(gauge('dcsim_host_cpu_physical_vcpus', place)), '>', 0), ['host']),
        ['host'],
      ),
      '{{host}}',
    ),
  ],
})

const hostLink = [fromSeries('dcsim-host', 'host', 'host')]

const contention = states({
  title: 'Hosts in contention',
  description: 'The hosts whose units got in each other’s way, and how much.',
  unit: units.count,
  mappings: contentionTexts,
  empty: 'No host is contended.',
  links: hostLink,
  targets: [
    rangeQuery(
      hostNamed(
        highest(
          12,
          compare(
            by('max', gauge('dcsim_host_contention_level', place), ['host']),
            '>=',
            thresholds.contendedLevel,
          ),
          ['host'],
        ),
      ),
      '{{name}}',
    ),
  ],
})

const used = lines({
  title: 'CPU used by pool',
  description: 'Of what the hardware has. Above the first line units get in each other’s way.',
  unit: units.share,
  min: 0,
  limits: true,
  steps: cpuSteps,
  targets: [rangeQuery(poolNamed(gauge('dcsim_pool_cpu_used_ratio', pool)), '{{name}}')],
})

const free = lines({
  title: 'Free CPU by zone',
  description: 'CPU still to be promised, with the overcommit allowed.',
  unit: units.vcpus,
  min: 0,
  stacked: true,
  targets: [rangeQuery(zoneNamed(total('dcsim_az_cpu_free_vcpus', ['az'], zone)), '{{display_name}}')],
})

const disks = lines({
  title: 'Disk operations by pool',
  description: 'What disks do, of what they can do.',
  unit: units.share,
  min: 0,
  limits: true,
  steps: risingSteps(0.8, 1),
  targets: [
    rangeQuery(
      poolNamed(
        share(
          total('dcsim_pool_disk_operations_per_second', ['pool'], pool),
          total('dcsim_pool_disk_capacity_operations_per_second', ['pool'], pool),
        ),
      ),
      '{{name}}',
    ),
  ],
})

const lacks = bars({
  title: 'Why units have no place',
  description: 'Units that no host could take, by what is lacking.',
  unit: units.count,
  min: 0,
  steps: noneExpected,
  empty: 'Every unit has its place.',
  targets: [instantQuery(total('dcsim_units_unplaced_by_lack', ['lacking']), '{{lacking}}')],
})

const perHost = ['host', 'az', 'pool'] as const

const hosts = table({
  title: 'Hosts by CPU used',
  description: 'The 50 that are loaded most.',
  labels: [
    { label: 'name', title: 'Host', links: [fromRow('dcsim-host', 'host', 'host')] },
    { label: 'host', title: 'Id', hidden: true },
  ],
  values: [
    {
      expr: by(
        'max',
        hostNamed(
          top(
            50,
            by(
              'max',
              share(gauge('dcsim_host_cpu_used_vcpus', place), gauge('dcsim_host_cpu_physical_vcpus', place)),
              perHost,
            ),
          ),
        ),
        ['host', 'name'],
      ),
      title: 'CPU used',
      unit: units.share,
      bar: true,
      steps: cpuSteps,
    },
    {
      expr: by('max', gauge('dcsim_host_contention_level', place), ['host']),
      title: 'Contention',
      mappings: contentionTexts,
    },
    {
      expr: by('max', gauge('dcsim_host_memory_requested_ratio', place), ['host']),
      title: 'Memory allocated',
      unit: units.share,
      bar: true,
      steps: memorySteps,
    },
    { expr: by('max', gauge('dcsim_host_units', place), ['host']), title: 'Units' },
    {
      expr: by('max', gauge('dcsim_host_units_stranded', place), ['host']),
      title: 'Stranded',
      steps: noneExpected,
    },
    { expr: by('max', gauge('dcsim_host_online', place), ['host']), title: 'Online', mappings: yesIsWell },
  ],
  sortBy: 'CPU used',
})

const condition = bars({
  title: 'Hosts worn most',
  description: 'Condition of hosts: 1 new, 0 worn out. Needs the collector host_hardware.',
  unit: units.share,
  min: 0,
  max: 1,
  steps: conditionSteps,
  links: hostLink,
  empty: 'Nothing to show: start the mirror with --collectors +host_hardware.',
  targets: [
    instantQuery(
      hostNamed(bottom(10, by('max', gauge('dcsim_host_condition_ratio', zone), ['host']))),
      '{{name}}',
    ),
  ],
})

const wear = bars({
  title: 'Disks worn most',
  description: 'Rated life of disks that is used up. Needs the collector host_hardware.',
  unit: units.share,
  min: 0,
  max: 1,
  steps: risingSteps(0.75 * thresholds.diskWearHigh, thresholds.diskWearHigh),
  links: hostLink,
  empty: 'Nothing to show: start the mirror with --collectors +host_hardware.',
  targets: [
    instantQuery(
      hostNamed(top(10, by('max', gauge('dcsim_host_disk_wear_ratio', zone), ['host']))),
      '{{name}}',
    ),
  ],
})

const age = stat({
  title: 'Mean age of hosts',
  description: 'Simulated time since they were installed. Needs the collector host_hardware.',
  unit: units.duration,
  empty: 'Needs --collectors +host_hardware.',
  calm: true,
  targets: [instantQuery(by('avg', gauge('dcsim_host_age_seconds', zone)), '{{instance}}')],
})

/** Pools, hosts, disks, GPUs, power and air: what is left, what is crowded, what is worn. */
export const compute = (): Dashboard =>
  dashboard({
    uid: 'dcsim-compute',
    description: 'Pools and hosts: what is left, what is crowded, what is worn, and what keeps them running.',
    variables: ['zone', 'pool'],
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(7, [24, pools]),
          row(9, [8, used], [8, spread], [8, contention]),
        ],
      },
      { title: 'Room', shelves: [row(8, [8, free], [8, disks], [8, lacks]), row(7, [24, segments])] },
      { title: 'Hosts', shelves: [row(11, [24, hosts]), row(9, [10, condition], [10, wear], [4, age])] },
      { title: 'Power and air', shelves: [row(8, [8, warmAir], [8, powerDrawn], [8, powerFeeds])] },
    ],
  })
