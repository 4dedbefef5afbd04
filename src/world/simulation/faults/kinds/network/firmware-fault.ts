import { article, percent, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { overloadPeer } from '../../hazards/aftereffects.ts'
import { intermittent, networkDevices, untilRepaired } from '../../hazards/hazards.ts'
import { rhythm } from '../../hazards/rhythm.ts'
import { reconfigure } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

/** Share of firmware faults with a restart loop of the lost planes. */
const restartingShare = 0.3

/** The magnitude is the offline share of the fabric. */
export const firmwareFault: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Switch'),
    faultsPerDay: 0.12,
    draw(stream) {
      const share = stream.uniform(0.5, 0.95)
      return stream.chance(restartingShare) ? intermittent(share, rhythm(13, 40)) : untilRepaired(share)
    },
  })),
  effects: { Switch: combineShares('switchFabricLost') },
  // The peers run the same release.
  aftereffects: [overloadPeer(0.2, [10, 120], { kind: 'FirmwareFault', magnitude: 0.6 })],
  diagnosis: {
    article: article('firmware', 'Rolling back **firmware**'),
    lookAt: 'Read the firmware log of the switch',
    suspicions: [
      suspicion(subjectItself, {
        'switch-silent': 0.2,
        'switch-degraded': 0.55,
        'switch-dropping': 0.25,
        'switch-storm': 0.2,
      }),
    ],
    checks: [
      readingCheck({
        delay: 5 * minute,
        label: (name) => `Fabric planes of ${name}`,
        read({ condition }, row) {
          const lost = condition.switchFabricLost[row]
          return lost > 0 ? `${percent(lost)} offline` : null
        },
        abnormal: ['They went offline with an assertion in the firmware log.', 7],
        normal: ['all online', 'The firmware log shows nothing unusual.', 0.15],
      }),
    ],
  },
  remedy: 'roll back firmware',
  planRepair: reconfigure(null, 'Roll back the firmware of', (name) => [
    step('Configure', `Load the last good firmware on ${name}`, 14),
    step('Test', 'Check forwarding at full rate', 8),
  ]),
  explainsShortages: true,
  action: degradation(0.05, 1, 0.6, 'Switch'),
}
