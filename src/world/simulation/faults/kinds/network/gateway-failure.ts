import { article } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { overloadPeer } from '../../hazards/aftereffects.ts'
import { drawBreakage, networkDevices, perPartYear } from '../../hazards/hazards.ts'
import { planReplacement } from '../../repair.ts'
import { consoleCheck } from './console-check.ts'

export const gatewayFailure: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Gateway'),
    faultsPerDay: perPartYear(world, 0.2, world.topology.gateways.count),
    draw: drawBreakage,
  })),
  effects: { Gateway: countFaults('gatewayBroken') },
  aftereffects: [
    overloadPeer(0.4, [3, 40], { kind: 'AddonThrottling', magnitude: 0.5 }),
    overloadPeer(0.2, [5, 60], { kind: 'GatewayFailure' }),
  ],
  diagnosis: {
    article: article('gateway-failure', 'When a **gateway** dies'),
    lookAt: 'Try the console of the gateway',
    suspicions: [suspicion(subjectItself, { 'gateway-silent': 0.6, 'gateway-withdrawn': 0.25 })],
    checks: [consoleCheck('gateway', ({ gatewayUp }) => gatewayUp)],
  },
  remedy: 'replace gateway',
  planRepair: planReplacement('gateway'),
  repairRenews: 'device',
  hasWideReach: true,
  explainsShortages: true,
  action: failure('Gateway'),
}
