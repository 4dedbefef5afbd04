import { couldRun } from '../../../facility/facility.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { drainedHostsOfCustomer, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { step } from '../../../work/plans.ts'
import type { ShortageKind } from '../../fault-kind.ts'
import { reconfigure } from '../../repair.ts'

/** Units of customers on a sound host that a campaign took out of service before they had moved. */
const strandedUnits = (world: ObservedWorld, host: number): number =>
  world.condition.hostCampaigns[host] > 0 && couldRun(world, host) ? world.load.unitCount[host] : 0

/** A host was drained without work on it, and no other has room for its units: the operators put it back. */
export const hostDrained: ShortageKind = {
  origin: {
    type: 'shortage',
    search(world, { report }) {
      for (const row of world.topology.hosts.rows) {
        const units = strandedUnits(world, row)
        if (units > 0) report({ kind: 'Host', row }, units)
      }
    },
  },
  effects: {},
  diagnosis: {
    article: article('drain', 'A host that was **drained** too early'),
    lookAt: 'List the units on hosts that are out of service',
    suspicions: [
      suspicion(drainedHostsOfCustomer, {
        'customer-stranded': 0.5,
        'customer-redundancy': 0.4,
        'customer-failing': 0.3,
        'customer-starved': 0.2,
      }),
    ],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Units on ${name}`,
        read(world, row) {
          const units = strandedUnits(world, row)
          return units === 0 ? null : `${units} left, host out of service`
        },
        abnormal: ['The drain was ordered although no other host can take them.', 8],
        normal: ['all served or moved', 'None waits for another host.', 0.1],
      }),
    ],
  },
  planRepair: reconfigure(null, 'End the drain of', (name) => [
    step('Restore', `Return ${name} to its pool`, 3),
    step('Test', 'Check that its units serve', 4),
  ]),
  remedy: 'end drain',
  action: null,
}
