import { article } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { overloadPeer } from '../../hazards/aftereffects.ts'
import { drawBreakage, networkDevices } from '../../hazards/hazards.ts'
import { planReplacement } from '../../repair.ts'
import { consoleCheck } from './console-check.ts'

export const applianceFailure: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Appliance'),
    faultsPerDay: 0.05,
    draw: drawBreakage,
  })),
  effects: { Appliance: countFaults('applianceBroken') },
  aftereffects: [overloadPeer(0.25, [5, 60], { kind: 'ApplianceFailure' })],
  diagnosis: {
    article: article('appliance-failure', 'When an **appliance** dies'),
    lookAt: 'Try the console of the appliance',
    suspicions: [suspicion(subjectItself, { 'appliance-silent': 0.6 })],
    checks: [consoleCheck('appliance', ({ applianceUp }) => applianceUp)],
  },
  remedy: 'replace appliance',
  planRepair: planReplacement('appliance'),
  repairRenews: 'device',
  hasWideReach: true,
  explainsShortages: true,
  action: failure('Appliance'),
}
