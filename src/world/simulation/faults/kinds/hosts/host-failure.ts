import { abnormal, article, normal } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { stoppedHostsOfCustomer, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { Observation } from '../../../incidents/model.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { nameOf, rowOf } from '../../../topology/entities.ts'
import { combine, countFaults, countPartial } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { failInSameRack } from '../../hazards/aftereffects.ts'
import type { Hazard } from '../../hazards/hazards.ts'
import {
  drawBreakage,
  hostAgeing,
  hostHeat,
  hostParts,
  intermittent,
  untilRepaired,
} from '../../hazards/hazards.ts'
import { rhythm } from '../../hazards/rhythm.ts'
import type { RepairPlanner } from '../../repair.ts'
import { replacePart } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

/** Share of failed hosts repaired by a power cycle. */
const powerCycleShare = 0.45

/** Share of failed hosts in a restart loop. */
const restartingShare = 0.1

const powerCycle: RepairPlanner = ({ name }) => ({
  kind: 'Repair',
  label: `Restart ${name}`,
  skill: null,
  onSite: false,
  steps: [
    step('Configure', `Power cycle ${name} over its management port`, 3),
    step('Test', 'Check its memory, disks and links', 6),
    step('Restore', `Return ${name} to its pool`, 2),
  ],
})

const replaceMainboard = replacePart(
  'hardware',
  'mainboard',
  step('Swap', 'Replace the mainboard, moving disks and memory over', 38),
  (name) => [
    step('Test', 'Burn in, then check memory, disks and links', 16),
    step('Restore', `Return ${name} to its pool`, 3),
  ],
)

/** Share and magnitude of hung hosts, which answer pings and no other requests. */
const hungShare = 0.15
const hung = 0.5

const drawFailure: Hazard['draw'] = (stream) => {
  if (stream.chance(restartingShare)) return intermittent(1, rhythm(9, 40))
  return stream.chance(hungShare) ? untilRepaired(hung) : drawBreakage()
}

function observeSystem({ facility, condition }: ObservedWorld, row: number, label: string): Observation {
  if (facility.hostRunning[row] > 0) return normal(label, 'system up', 'Its system runs.', 0.12)
  if (facility.hostHeatTripped[row] > 0)
    return normal(label, 'shut down by heat', 'It protects itself until it has cooled.', 0.12)
  return condition.hostBroken[row] === 0 && condition.hostMaintenance[row] > 0
    ? normal(label, 'out of service', 'It was taken out for work.', 0.12)
    : abnormal(label, 'powered, system halted', 'It has power, but nothing is running on it.', 6)
}

/** The magnitude is 1 for a dead host, less for a hung one. */
export const hostFailure: FaultKind = {
  origin: hazard((world) => ({
    ...hostParts(world),
    faultsPerDay: 0.4,
    strain: (row) => hostAgeing(world, row) * hostHeat(world, row),
    draw: drawFailure,
  })),
  effects: { Host: combine(countFaults('hostBroken'), countPartial('hostHung')) },
  aftereffects: [failInSameRack(0.07, [20, 150])],
  diagnosis: {
    article: article('host-failure', 'Replacing a **dead host**'),
    lookAt: 'Open the management port of the host',
    suspicions: [
      suspicion(subjectItself, {
        'host-silent': 0.5,
        'host-hot': 0.1,
        'host-disk': 0.2,
        'host-supply': 0.08,
      }),
      suspicion(stoppedHostsOfCustomer, { 'customer-stranded': 0.4, 'customer-redundancy': 0.4 }),
    ],
    checks: [
      {
        delay: 3 * minute,
        observe: (world, target) =>
          observeSystem(world, rowOf(target), `Management port of **${nameOf(world, target)}**`),
      },
    ],
  },
  remedy: 'repair host',
  planRepair(context, random) {
    if (random.chance(powerCycleShare)) return powerCycle(context, random)
    const plan = replaceMainboard(context)
    const [ticket, ...steps] = plan.steps
    const drain = step('Drain', 'Evacuate the remaining units and cordon the host', 4)
    return { ...plan, steps: [ticket, drain, ...steps] }
  },
  action: failure('Host'),
}
