import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { powerDrawn, powerFeeds, warmAir } from '../panels/power-and-air.ts'
import { computeFigures } from '../panels/compute/figures.ts'
import { contention, hostsPanel, hostSpread } from '../panels/compute/hosts.ts'
import {
  disks,
  freeShares,
  shortages,
  poolsPanel,
  segmentsPanel,
  usedShares,
} from '../panels/compute/pools.ts'

/** Utilization and contention of pools, hosts, GPUs, power and cooling. */
export const computePage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-compute',
    description: 'Pools and hosts: what is left, what is crowded, and what keeps them running.',
    variables: ['zone', 'pool', 'busiest', 'contended'],
    refresh: '30s',
    sections: [
      {
        rows: [
          row(10, [24, poolsPanel]),
          ...tiles(computeFigures),
          row(8, [8, usedShares], [8, hostSpread], [8, contention]),
        ],
      },
      {
        title: 'Room',
        rows: [row(8, [8, freeShares], [8, disks], [8, shortages]), row(7, [24, segmentsPanel])],
      },
      { title: 'Hosts', rows: [row(11, [24, hostsPanel])] },
      { title: 'Power and air', rows: [row(8, [8, warmAir], [8, powerDrawn], [8, powerFeeds])] },
    ],
  })
