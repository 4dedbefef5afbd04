import { article, percent, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import {
  firstElectricalCableOfHost,
  electricalCable,
  suspicion,
} from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { isOptical } from '../../../topology/optics.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { cableParts, drawFrameLoss, untilRepaired } from '../../hazards/hazards.ts'
import { replaceCable } from '../../repair.ts'

/** A defect of a direct-attach or copper cable, connectors included. The magnitude is the share of lost frames. */
export const cableFault: FaultKind = {
  origin: hazard((world) => ({
    ...cableParts(world, (row) => (isOptical(world.topology, row) ? 0 : 1)),
    faultsPerDay: 0.3,
    draw: (stream) => untilRepaired(stream.chance(0.25) ? 1 : drawFrameLoss(stream)),
  })),
  effects: { Cable: combineShares('cableLoss') },
  diagnosis: {
    article: article('cable-fault', 'Bad **copper and direct attach cables**'),
    lookAt: 'Compare the error counters at both ends of the cable',
    suspicions: [
      suspicion(electricalCable, { 'link-down': 0.2, 'link-flapping': 0.15, 'link-errors': 0.35 }),
      suspicion(firstElectricalCableOfHost, { 'host-silent': 0.08 }),
    ],
    checks: [
      readingCheck({
        delay: 4 * minute,
        label: (name) => `Checksum errors at both ends of ${name}`,
        read({ condition }, row) {
          const loss = condition.cableLoss[row]
          if (loss === 0) return null
          return loss === 1 ? 'no signal' : `${percent(loss)} of frames`
        },
        abnormal: [
          ({ condition }, row) =>
            condition.cableLoss[row] === 1
              ? 'The link stays dark when the cable is plugged into other ports.'
              : 'They move with the cable when it is plugged into other ports.',
          6,
        ],
        normal: ['none', 'The cable passes every frame.', 0.15],
      }),
    ],
  },
  remedy: 'replace cable',
  planRepair: replaceCable(false),
  explainsShortages: true,
  action: {
    ...degradation(0.001, 1, 0.2, 'Cable'),
    applies: ({ topology }, { kind, row }) => kind === 'Cable' && !isOptical(topology, row),
  },
}
