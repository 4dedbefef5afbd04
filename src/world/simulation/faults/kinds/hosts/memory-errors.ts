import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { memoryErrorsPerHour } from '../../../incidents/monitors/devices.ts'
import { minute } from '../../../time.ts'
import { step } from '../../../work/plans.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { hostAgeing, hostParts, untilRepaired } from '../../hazards/hazards.ts'
import { replacePart } from '../../repair.ts'

/** The magnitude is the share of CPU time lost to the correction of errors. */
export const memoryErrors: FaultKind = {
  origin: hazard((world) => ({
    ...hostParts(world),
    faultsPerDay: 0.4,
    strain: (row) => hostAgeing(world, row),
    draw: (stream) => untilRepaired(stream.uniform(0.05, 0.45)),
  })),
  effects: { Host: combineShares('hostMemoryLoss') },
  diagnosis: {
    article: article('memory', '**Memory** that corrects itself'),
    lookAt: 'Read the error counters of its memory',
    suspicions: [suspicion(subjectItself, { 'host-memory': 0.8, 'host-silent': 0.06 })],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Corrected errors in the memory of ${name}`,
        read: (world, row) =>
          world.condition.hostMemoryLoss[row] > 0
            ? `${numberText(memoryErrorsPerHour(world, row))} an hour`
            : null,
        abnormal: ['They all come from one module, and each correction stops the CPU.', 8],
        normal: [(_, row) => `${row % 3} an hour`, 'Cosmic rays cause as many.', 0.1],
      }),
    ],
  },
  planRepair: replacePart(
    'hardware',
    'memory',
    step('Swap', 'Replace the module while its mirror serves', 12),
    () => [step('Test', 'Check that no more errors are corrected', 10)],
  ),
  remedy: 'replace memory',
  action: degradation(0.01, 0.9, 0.3, 'Host'),
}
