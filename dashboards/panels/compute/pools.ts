import { by, compare, share } from '../../../promql/expressions.ts'
import { pool, selectedZone } from './selection.ts'
import { gauge, withNames, gaugeSum } from '../../queries/series.ts'
import { poolNamed, zoneNamed } from '../../queries/shared.ts'
import { rangeQuery } from '../../queries/targets.ts'
import { displayThresholds } from '../../../src/contract/thresholds.ts'
import { noneExpected, risingSteps, unit } from '../../style/look.ts'
import { cpuSteps, diskSteps, gpuSteps, memorySteps } from '../../style/threshold-steps.ts'
import { lines } from '../../visualizations/lines.ts'
import { table } from '../../visualizations/tables.ts'

/** Free capacity of pools and segments. */

const dedicated = (resource: 'cpu' | 'memory' | 'disk') => {
  const families = {
    cpu: ['dcsim_segment_dedicated_cpu_free_vcpus', 'dcsim_segment_dedicated_cpu_vcpus'],
    memory: ['dcsim_segment_dedicated_memory_free_bytes', 'dcsim_segment_dedicated_memory_bytes'],
    disk: ['dcsim_segment_dedicated_disk_free_bytes', 'dcsim_segment_dedicated_disk_bytes'],
  } as const
  const [free, all] = families[resource]
  return by('max', share(gauge(free), gauge(all)), ['segment'])
}

export const segmentsPanel = table({
  title: 'Segments',
  description: 'Private networks: who is in them, and what is left of the hosts that are reserved for them.',
  empty: 'There is no segment.',
  labels: [
    { label: 'name', title: 'Segment', width: 224 },
    { label: 'segment', title: 'Id', hidden: true },
  ],
  values: [
    {
      expr: by(
        'max',
        withNames(gauge('dcsim_segment_members'), 'dcsim_segment_info', ['segment'], ['name']),
        ['segment', 'name'],
      ),
      title: 'Members',
      width: 105,
    },
    {
      expr: by('max', gauge('dcsim_segment_dedicated_hosts'), ['segment']),
      title: 'Reserved hosts',
      width: 120,
    },
    { expr: dedicated('cpu'), title: 'CPU left', unit: unit.share, decimals: 0 },
    { expr: dedicated('memory'), title: 'Memory left', unit: unit.share, decimals: 0 },
    { expr: dedicated('disk'), title: 'Disk left', unit: unit.share, decimals: 0 },
  ],
  sortBy: 'Members',
})

export const poolsPanel = table({
  title: 'Pools',
  description:
    'CPU that is used, and memory, disk and GPU slices that are allocated, of what there is. Overcommit is CPU allocated over physical CPU.',
  labels: [{ label: 'name', title: 'Pool', width: 126 }],
  values: [
    {
      expr: by(
        'max',
        withNames(gauge('dcsim_pool_cpu_used_ratio', pool), 'dcsim_pool_info', ['pool'], ['name']),
        ['pool', 'name'],
      ),
      title: 'CPU used',
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: cpuSteps,
    },
    {
      expr: by('max', gauge('dcsim_pool_memory_allocated_ratio', pool), ['pool']),
      title: 'Memory',
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: memorySteps,
    },
    {
      expr: by('max', gauge('dcsim_pool_disk_allocated_ratio', pool), ['pool']),
      title: 'Disk',
      unit: unit.share,
      decimals: 0,
      bar: true,
      steps: diskSteps,
    },
    {
      expr: share(
        gaugeSum('dcsim_pool_gpu_slices_used', ['pool'], pool),
        gaugeSum('dcsim_pool_gpu_slices', ['pool'], pool),
      ),
      title: 'GPU',
      width: 60,
      unit: unit.share,
      decimals: 0,
      steps: gpuSteps,
    },
    {
      expr: by('max', gauge('dcsim_pool_overcommit_ratio', pool), ['pool']),
      title: 'Overcommit',
      width: 86,
      decimals: 2,
    },
    { expr: by('max', gauge('dcsim_pool_hosts', pool), ['pool']), title: 'Hosts', width: 60 },
    { expr: by('max', gauge('dcsim_pool_units', pool), ['pool']), title: 'Units', width: 60 },
    {
      expr: by('max', gauge('dcsim_pool_units_stranded', pool), ['pool']),
      title: 'Stranded',
      width: 78,
      steps: noneExpected,
    },
    {
      expr: by('max', gauge('dcsim_pool_cpu_free_vcpus', pool), ['pool']),
      title: 'CPU free',
      width: 72,
      unit: unit.number,
      decimals: 0,
    },
    {
      expr: by('max', gauge('dcsim_pool_memory_free_bytes', pool), ['pool']),
      title: 'Memory free',
      width: 84,
      unit: unit.memory,
    },
  ],
  sortBy: 'CPU used',
})

export const usedShares = lines({
  title: 'CPU used by pool',
  description: 'Of what the hardware has. Above the first line units get in each other’s way.',
  unit: unit.share,
  min: 0,
  limits: true,
  steps: cpuSteps,
  targets: [rangeQuery(poolNamed(gauge('dcsim_pool_cpu_used_ratio', pool)), '{{name}}')],
})

export const freeShares = lines({
  title: 'Free CPU by zone',
  description: 'CPU that can still be allocated, with the overcommit allowed.',
  unit: unit.vcpus,
  min: 0,
  stacked: true,
  targets: [
    rangeQuery(zoneNamed(gaugeSum('dcsim_az_cpu_free_vcpus', ['az'], selectedZone)), '{{display_name}}'),
  ],
})

export const disks = lines({
  title: 'Disk operations by pool',
  description: 'What disks do, of what they can do.',
  unit: unit.share,
  min: 0,
  limits: true,
  steps: risingSteps(displayThresholds.diskOperationsHigh, 1),
  targets: [
    rangeQuery(
      poolNamed(
        share(
          gaugeSum('dcsim_pool_disk_operations_per_second', ['pool'], pool),
          gaugeSum('dcsim_pool_disk_capacity_operations_per_second', ['pool'], pool),
        ),
      ),
      '{{name}}',
    ),
  ],
})

export const shortages = table({
  title: 'Why units have no place',
  description: 'Units that no host could take, by what is lacking.',
  empty: 'Every unit has its place.',
  labels: [{ label: 'lacking', title: 'What is lacking' }],
  values: [
    {
      expr: compare(gaugeSum('dcsim_units_unplaced_by_lack', ['lacking']), '>', 0),
      title: 'Units',
      unit: unit.number,
      width: 80,
      steps: noneExpected,
    },
  ],
  sortBy: 'Units',
})
