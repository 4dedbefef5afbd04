import type { SwitchRole } from '../../../../../contract/vocabularies.ts'
import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion, switchesOfLink } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { networkDevices, temporary } from '../../hazards/hazards.ts'
import { reconfigure } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

/** Relative likelihood of a loop at a switch, by its role. */
const loopLikelihood: Readonly<Record<SwitchRole, number>> = { edge: 3, aggregation: 2, core: 1 }

export const broadcastStorm: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Switch'),
    // Loops come from wrong cabling, mostly at rack switches.
    weight: (row) => loopLikelihood[world.topology.switches.role[row]],
    faultsPerDay: 0.06,
    draw: (stream) => temporary(stream.uniform(0.5, 1), stream.between(20, 90) * minute),
  })),
  effects: { Switch: countFaults('switchStorm') },
  diagnosis: {
    article: article('broadcast-storm', 'Ending a **broadcast storm**'),
    lookAt: 'Look for a loop: a port that receives its own frames',
    suspicions: [
      suspicion(subjectItself, { 'switch-dropping': 0.2, 'switch-storm': 0.6 }),
      suspicion(switchesOfLink, { 'link-full': 0.08 }),
    ],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Broadcast frames at ${name}`,
        read: ({ condition }, row) =>
          condition.switchStorm[row] > 0 ? `${76 + ((row * 5) % 19)} % of all frames` : null,
        abnormal: ['The same frames keep circulating.', 8],
        normal: [(_, row) => `${numberText(0.2 + (row % 8) / 10)} %`, 'The broadcast rate is normal.', 0.08],
      }),
    ],
  },
  remedy: 'break loop',
  planRepair: reconfigure('network', 'End the broadcast storm on', () => [
    step('Inspect', 'Find the looping port', 12),
    step('Configure', 'Shut the port down and enable loop protection', 4),
    step('Test', 'Check that broadcasts are back to normal', 5),
  ]),
  explainsShortages: true,
  action: degradation(0.05, 1, 0.8, 'Switch'),
}
