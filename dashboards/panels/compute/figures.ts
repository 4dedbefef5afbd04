import { toDashboard } from '../../layout/links.ts'
import { noneExpected, unit } from '../../style/look.ts'
import { stat } from '../../visualizations/stat.ts'
import { instantQuery } from '../../queries/targets.ts'
import { complement, share } from '../../../promql/expressions.ts'
import { gaugeSum } from '../../queries/series.ts'
import { hostsOnline } from '../shared.ts'
import { cpuSteps, diskSteps, gpuSteps, memorySteps } from '../../style/threshold-steps.ts'
import { pool } from './selection.ts'

/** Utilization of the pools in numbers. */
export const computeFigures = [
  hostsOnline(gaugeSum('dcsim_pool_hosts_online', [], pool), gaugeSum('dcsim_pool_hosts', [], pool)),
  stat({
    title: 'CPU used',
    links: [toDashboard('dcsim-growth')],
    description: 'CPU that units use, of what the hardware has.',
    unit: unit.share,
    decimals: 0,
    steps: cpuSteps,
    targets: [
      instantQuery(
        share(
          gaugeSum('dcsim_pool_cpu_used_vcpus', [], pool),
          gaugeSum('dcsim_pool_cpu_physical_vcpus', [], pool),
        ),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Memory allocated',
    links: [toDashboard('dcsim-growth')],
    description: 'Memory that is not free, of what the hardware has. Memory is not overcommitted.',
    unit: unit.share,
    decimals: 0,
    steps: memorySteps,
    targets: [
      instantQuery(
        complement(
          share(
            gaugeSum('dcsim_pool_memory_free_bytes', [], pool),
            gaugeSum('dcsim_pool_memory_physical_bytes', [], pool),
          ),
        ),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Disk allocated',
    links: [toDashboard('dcsim-growth')],
    description: 'Disk that is not free, of what the hardware has.',
    unit: unit.share,
    decimals: 0,
    steps: diskSteps,
    targets: [
      instantQuery(
        complement(
          share(
            gaugeSum('dcsim_pool_disk_free_bytes', [], pool),
            gaugeSum('dcsim_pool_disk_physical_bytes', [], pool),
          ),
        ),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'GPU slices allocated',
    links: [toDashboard('dcsim-growth')],
    description: 'Of all GPU slices.',
    unit: unit.share,
    decimals: 0,
    steps: gpuSteps,
    empty: 'No GPUs in these pools.',
    targets: [
      instantQuery(
        share(gaugeSum('dcsim_pool_gpu_slices_used', [], pool), gaugeSum('dcsim_pool_gpu_slices', [], pool)),
        '{{instance}}',
      ),
    ],
  }),
  stat({
    title: 'Stranded, unplaced',
    links: [toDashboard('dcsim-customers')],
    description: 'Units on hosts that cannot serve them, and units that no host could take.',
    unit: unit.count,
    steps: noneExpected,
    targets: [
      instantQuery(gaugeSum('dcsim_units_stranded'), 'Stranded'),
      instantQuery(gaugeSum('dcsim_units_unplaced'), 'Unplaced'),
    ],
  }),
]
