import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { portsOfLink, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { hour, minute } from '../../../time.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { hasTransceiver } from '../../../topology/optics.ts'
import type { Hazard } from '../../hazards/hazards.ts'
import { intermittent, pluggedPorts, temporary, untilRepaired } from '../../hazards/hazards.ts'
import { rhythm } from '../../hazards/rhythm.ts'
import { access, readTicket, step, travelTo } from '../../../work/plans.ts'

/** Share of loose plugs with intermittent contact. */
const intermittentShare = 0.3

const steadyFlap: Hazard['draw'] = (stream) =>
  stream.chance(0.4) ? temporary(1, stream.between(2, 9) * hour) : untilRepaired(1)

const interruptionsText = (count: number): string =>
  count === 1 ? '1 interruption' : `${numberText(count)} interruptions`

export const portFlap: FaultKind = {
  origin: hazard((world) => ({
    ...pluggedPorts(world),
    faultsPerDay: 0.5,
    draw: (stream) =>
      stream.chance(intermittentShare) ? intermittent(1, rhythm(12, 40)) : steadyFlap(stream),
  })),
  effects: { Port: countFaults('portFlapping') },
  diagnosis: {
    article: article('port-flap', '**Flapping ports**'),
    lookAt: 'Count interruptions at both ends of the link',
    suspicions: [suspicion(portsOfLink, { 'link-flapping': 0.35, 'link-errors': 0.1 })],
    checks: [
      readingCheck({
        delay: 4 * minute,
        label: (name) => `Contact at ${name}`,
        read: ({ condition }, row, telemetry) =>
          condition.portFlapping[row] > 0 ? interruptionsText(Math.max(1, telemetry.recentFlaps(row))) : null,
        abnormal: ['The link drops whenever the cable moves in the airflow.', 5],
        normal: ['steady', 'The signal at this end is stable.', 0.2],
      }),
    ],
  },
  remedy: 'reseat plug',
  planRepair: ({ name, topology, fault: { target } }) => ({
    kind: 'Recable',
    label: `Reseat the plug in ${name}`,
    skill: 'network',
    onSite: true,
    steps: [
      readTicket(3),
      travelTo(name),
      target.kind === 'Port' && hasTransceiver(topology, target.row)
        ? step('Clean', 'Clean both ends of the fiber and reseat them', 10, access)
        : step('Clean', 'Unplug both ends, clean the cages and reseat the plugs', 10, access),
      step('Test', 'Watch the link for flaps', 6),
    ],
  }),
  explainsShortages: true,
  action: failure('Port'),
}
