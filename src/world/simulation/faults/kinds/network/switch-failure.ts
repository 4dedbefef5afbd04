import { article } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { overloadPeer } from '../../hazards/aftereffects.ts'
import { drawBreakage, networkDevices } from '../../hazards/hazards.ts'
import { planReplacement } from '../../repair.ts'
import { consoleCheck } from './console-check.ts'

export const switchFailure: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Switch'),
    faultsPerDay: 0.12,
    draw: drawBreakage,
  })),
  effects: { Switch: countFaults('switchBroken') },
  aftereffects: [
    overloadPeer(0.25, [5, 70], { kind: 'SwitchFailure' }),
    overloadPeer(0.12, [5, 60], { kind: 'FirmwareFault', magnitude: 0.6 }),
  ],
  diagnosis: {
    article: article('switch-failure', 'Replacing a **switch**'),
    lookAt: 'Try the console of the switch',
    suspicions: [
      suspicion(subjectItself, { 'switch-silent': 0.5, 'switch-supply': 0.08, 'switch-degraded': 0.25 }),
    ],
    checks: [consoleCheck('switch', ({ switchUp }) => switchUp)],
  },
  remedy: 'replace switch',
  planRepair: planReplacement('switch'),
  repairRenews: 'device',
  hasWideReach: true,
  explainsShortages: true,
  action: failure('Switch'),
}
