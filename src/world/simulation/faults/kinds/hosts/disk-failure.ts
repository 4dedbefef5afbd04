import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { failAgain } from '../../hazards/aftereffects.ts'
import { drawBreakage, hostParts } from '../../hazards/hazards.ts'
import { replacePart } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

const failedText = (failed: number): string | null =>
  failed === 0 ? null : failed === 1 ? '1 SSD failed' : `${failed} SSDs failed`

export const diskFailure: FaultKind = {
  origin: hazard((world) => ({
    ...hostParts(world),
    faultsPerDay: 0.6,
    strain(row) {
      const { condition, load, topology } = world
      const wear = condition.hostWear[row]
      const utilization = load.iopsUsed[row] / topology.hostSkus[topology.hosts.sku[row]].iops
      return (0.3 + 3 * wear * wear) * (0.7 + utilization)
    },
    draw: drawBreakage,
  })),
  effects: { Host: countFaults('hostDiskBroken') },
  // The rebuild stresses the remaining SSDs, which are of the same age. A second failure loses the array.
  aftereffects: [failAgain(0.13, [8, 60])],
  diagnosis: {
    article: article('disk-failure', 'Replacing an **SSD** in a running host'),
    lookAt: 'Read the health of its SSDs',
    suspicions: [suspicion(subjectItself, { 'host-disk': 0.7, 'host-silent': 0.1 })],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Disk health of ${name}`,
        read: ({ condition }, row) => failedText(condition.hostDiskBroken[row]),
        abnormal: [
          ({ condition }, row) =>
            condition.hostDiskBroken[row] > 1
              ? 'The array is lost: it does not survive a second failure.'
              : 'The array is running degraded.',
          ({ condition }, row) => (condition.hostDiskBroken[row] > 1 ? 9 : 7),
        ],
        normal: ['all SSDs healthy', 'No disk reports errors of its own.', 0.1],
      }),
    ],
  },
  remedy: 'replace disk',
  planRepair: replacePart('hardware', 'ssd', step('Swap', 'Replace the failed SSD', 12), () => [
    step('Test', 'Rebuild and verify the array', 26),
  ]),
  repairRenews: 'disks',
  action: failure('Host'),
}
