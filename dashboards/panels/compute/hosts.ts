import { thresholds } from '../../../src/contract/thresholds.ts'
import { heatmap } from '../../visualizations/heatmap.ts'
import { fromRow, fromSeries } from '../../layout/links.ts'
import { noneExpected, unit } from '../../style/look.ts'
import { states } from '../../visualizations/panels.ts'
import { contentionTexts, healthyFlagTexts } from '../../style/states.ts'
import { table } from '../../visualizations/tables.ts'
import { rangeQuery } from '../../queries/targets.ts'
import { atEnd, by, calculateEach, compare, countByTenth, share } from '../../../promql/expressions.ts'
import { gauge, hostNamed, matchesVariable } from '../../queries/series.ts'
import { contentionLevel } from '../../queries/shared.ts'
import { cpuSteps, memorySteps } from '../../style/threshold-steps.ts'
import { place } from './selection.ts'

/** Load of hosts. */

const hostLink = [fromSeries('dcsim-host', 'host', 'host')]

export const hostSpread = heatmap({
  title: 'How hosts are loaded',
  description: 'Hosts by CPU used of what they have, counted by tenths: those high up starve their units.',
  unit: unit.share,
  targets: [
    rangeQuery(
      countByTenth(
        calculateEach(
          gauge('dcsim_host_cpu_used_vcpus', place),
          '/',
          by('max', compare(atEnd(gauge('dcsim_host_cpu_physical_vcpus', place)), '>', 0), ['host']),
          ['host'],
        ),
        by('max', gauge('dcsim_sim_time_seconds')),
      ),
      '{{le}}',
    ),
  ],
})

const contended = { host: matchesVariable('contended') }

export const contention = states({
  title: 'Hosts in contention',
  description: 'The worst of all, and the hosts whose units got in each other’s way, and how much.',
  unit: unit.count,
  mappings: contentionTexts,
  links: hostLink,
  targets: [
    rangeQuery(by('max', contentionLevel(place)), 'Worst'),
    rangeQuery(
      hostNamed(contentionLevel({ ...place, ...contended }, thresholds.contendedLevel), contended),
      '{{name}}',
    ),
  ],
})

const hostOfRow = { label: 'name', title: 'Host', links: [fromRow('dcsim-host', 'host', 'host')] } as const
const idOfRow = { label: 'host', title: 'Id', hidden: true } as const

const busiest = { ...place, host: matchesVariable('busiest') }

export const hostsPanel = table({
  title: 'Hosts by CPU used',
  description: 'The 50 that are loaded most.',
  labels: [hostOfRow, idOfRow],
  values: [
    {
      expr: by(
        'max',
        hostNamed(
          share(gauge('dcsim_host_cpu_used_vcpus', busiest), gauge('dcsim_host_cpu_physical_vcpus', busiest)),
          busiest,
        ),
        ['host', 'name'],
      ),
      title: 'CPU used',
      unit: unit.share,
      bar: true,
      steps: cpuSteps,
    },
    {
      expr: contentionLevel(busiest),
      title: 'Contention',
      mappings: contentionTexts,
    },
    {
      expr: by('max', gauge('dcsim_host_memory_requested_ratio', busiest), ['host']),
      title: 'Memory',
      unit: unit.share,
      bar: true,
      steps: memorySteps,
    },
    { expr: by('max', gauge('dcsim_host_units', busiest), ['host']), title: 'Units' },
    {
      expr: by('max', gauge('dcsim_host_units_stranded', busiest), ['host']),
      title: 'Stranded',
      steps: noneExpected,
    },
    {
      expr: by('max', gauge('dcsim_host_online', busiest), ['host']),
      title: 'Online',
      mappings: healthyFlagTexts,
    },
  ],
  sortBy: 'CPU used',
})
