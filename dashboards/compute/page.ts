import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row } from '../house/layout.ts'
import { powerDrawn, powerFeeds, warmAir } from '../power-and-air.ts'
import { figures } from './figures.ts'
import { age, condition, contention, hosts, spread, wear } from './hosts.ts'
import { disks, free, lacks, pools, segments, used } from './pools.ts'

/** Pools, hosts, disks, GPUs, power and air: what is left, what is crowded, what is worn. */
export const compute = (): Dashboard =>
  dashboard({
    uid: 'dcsim-compute',
    description: 'Pools and hosts: what is left, what is crowded, what is worn, and what keeps them running.',
    variables: ['zone', 'pool'],
    refresh: '30s',
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
