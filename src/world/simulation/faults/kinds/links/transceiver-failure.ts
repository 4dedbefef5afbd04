import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import {
  firstTransceiverOfHost,
  suspicion,
  transceiversOfLink,
} from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { hasTransceiver } from '../../../topology/optics.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { drawFrameLoss, intermittent, transceivers, untilRepaired } from '../../hazards/hazards.ts'
import { rhythm } from '../../hazards/rhythm.ts'
import { replacePart } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

/** Share of lossy transceivers that lose frames only when warm. */
const intermittentShare = 0.25

/** Light that a failing transceiver receives of its own, by its loss of frames; one that loses all is dark. */
const darkDbm = -27
const weakestDbm = -14
const lightText = (loss: number): string =>
  `${numberText(loss >= 1 ? darkDbm : Math.round(10 * (weakestDbm + 6 * (1 - Math.min(1, 5 * loss)))) / 10)} dBm`

/** The magnitude is the share of lost frames. */
export const transceiverFailure: FaultKind = {
  origin: hazard((world) => ({
    ...transceivers(world),
    faultsPerDay: 0.35,
    draw(stream) {
      if (stream.chance(0.25)) return untilRepaired(1)
      const share = drawFrameLoss(stream)
      return stream.chance(intermittentShare) ? intermittent(share, rhythm(14, 35)) : untilRepaired(share)
    },
  })),
  effects: { Port: combineShares('portLoss') },
  diagnosis: {
    article: article('transceiver', 'Reading **light levels**'),
    lookAt: 'Read the light levels at both ends',
    suspicions: [
      suspicion(transceiversOfLink, { 'link-down': 0.2, 'link-flapping': 0.15, 'link-errors': 0.35 }),
      suspicion(firstTransceiverOfHost, { 'host-silent': 0.08 }),
    ],
    checks: [
      readingCheck({
        delay: 4 * minute,
        label: (name) => `Light received by ${name} in loopback`,
        read: ({ condition }, row) =>
          condition.portLoss[row] > 0 ? lightText(condition.portLoss[row]) : null,
        abnormal: ['A receiver needs -7 dBm or more: the transceiver is failing.', 6],
        normal: [(_, row) => `${numberText(-2 - (row % 17) / 10)} dBm`, 'As much as a receiver needs.', 0.15],
      }),
    ],
  },
  remedy: 'replace transceiver',
  planRepair: replacePart('network', 'transceiver', step('Swap', 'Replace the transceiver', 7), () => [
    step('Test', 'Check light levels and errors', 5),
  ]),
  explainsShortages: true,
  action: {
    ...degradation(0.001, 1, 0.2, 'Port'),
    applies: ({ topology }, { kind, row }) => kind === 'Port' && hasTransceiver(topology, row),
  },
}
