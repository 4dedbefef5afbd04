import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { carrierLine, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { step } from '../../../work/plans.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { cableParts, stormFactor, temporary } from '../../hazards/hazards.ts'
import { repairByCrewOf } from '../../repair.ts'
import { isCarrierLine } from '../../../topology/optics.ts'

/** A carrier's equipment fails, or is taken down for work without notice. */
export const carrierOutage: FaultKind = {
  origin: hazard((world) => ({
    ...cableParts(world, (row) => (isCarrierLine(world.topology, row) ? 1 : 0)),
    faultsPerDay: 0.25,
    strain: (row) => stormFactor(world, { kind: 'Cable', row }),
    draw: (stream) => temporary(1, stream.between(30, 300) * minute),
  })),
  effects: { Cable: countFaults('cableCut', 'cableUnlit') },
  diagnosis: {
    article: article('carrier', 'When the **carrier** is down'),
    lookAt: 'Read the notices of the carrier',
    suspicions: [suspicion(carrierLine, { 'link-down': 0.4 })],
    checks: [
      readingCheck({
        delay: 3 * minute,
        label: (name) => `Far end of ${name}`,
        read: ({ condition }, row) => (condition.cableUnlit[row] > 0 ? 'sends no light' : null),
        abnormal: ["The fiber is whole, and the carrier's equipment is down.", 8],
        normal: ['lit', 'The carrier reports no trouble.', 0.1],
      }),
    ],
  },
  planRepair: repairByCrewOf(
    'the carrier',
    'restore',
    step('Inspect', 'Prove to the carrier that the fault is theirs', 9),
    step('Configure', 'The carrier moves the line to other equipment', 15, {
      kind: 'Vendor',
      wait: 'the carrier has yet to answer',
      minutes: [15, 120],
    }),
    step('Test', 'Check the light and the routes', 5),
  ),
  remedy: 'call carrier',
  explainsShortages: true,
  action: {
    ...failure('Cable'),
    applies: ({ topology }, { kind, row }) => kind === 'Cable' && isCarrierLine(topology, row),
  },
}
