import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { clockOffsetSeconds } from '../../../incidents/monitors/devices.ts'
import { hour, minute } from '../../../time.ts'
import { step } from '../../../work/plans.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { hostParts, temporary } from '../../hazards/hazards.ts'
import { reconfigure } from '../../repair.ts'

/** The magnitude is the share of requests refused for tokens and certificates that seem not yet or no longer valid. */
export const clockDrift: FaultKind = {
  origin: hazard((world) => ({
    ...hostParts(world),
    faultsPerDay: 0.2,
    draw: (stream) => temporary(stream.uniform(0.02, 0.25), stream.between(3, 12) * hour),
  })),
  effects: { Host: combineShares('hostClockOff') },
  diagnosis: {
    article: article('clock', 'When a **clock** drifts'),
    lookAt: 'Compare its clock with the time servers',
    suspicions: [suspicion(subjectItself, { 'host-clock': 0.8 })],
    checks: [
      readingCheck({
        delay: minute,
        label: (name) => `Clock of ${name}`,
        read: (world, row) =>
          world.condition.hostClockOff[row] > 0
            ? `${numberText(clockOffsetSeconds(world, row))} s ahead`
            : null,
        abnormal: ['It has lost its time servers, and others refuse its tokens.', 8],
        normal: [(_, row) => `${2 + (row % 7)} ms off`, 'It follows its time servers.', 0.1],
      }),
    ],
  },
  planRepair: reconfigure(null, 'Set the clock of', () => [
    step('Configure', 'Restart the time service with reachable servers', 4),
    step('Test', 'Check the offset and the age of tokens', 5),
  ]),
  remedy: 'set clock',
  action: degradation(0.01, 1, 0.2, 'Host'),
}
