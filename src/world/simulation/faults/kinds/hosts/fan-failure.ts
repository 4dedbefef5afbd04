import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { combine, countPartial, countTotal } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { drawBreakage, hostAgeing, hostHeat, hostParts, untilRepaired } from '../../hazards/hazards.ts'
import type { RepairPlanner } from '../../repair.ts'
import { replacePart } from '../../repair.ts'
import { access, readTicket, step, travelTo } from '../../../work/plans.ts'

/** Share and magnitude of faults with blocked airflow and turning fans; monitoring sees only the heat. */
const blockedShare = 0.35
const blocked = 0.5

const watchTemperatures = step('Test', 'Watch the temperatures fall', 6)

const replaceFans: RepairPlanner = replacePart(
  'hardware',
  'fan',
  step('Swap', 'Replace the fan tray while the host runs', 8),
  () => [watchTemperatures],
)

const clearAirway: RepairPlanner = ({ name }) => ({
  kind: 'Repair',
  label: `Clear the airway of ${name}`,
  skill: 'hardware',
  onSite: true,
  steps: [
    readTicket(3),
    travelTo(name),
    step('Clean', 'Remove the dust and fit the missing blanking panels', 15, access),
    watchTemperatures,
  ],
})

/** Fans turn faster in a hotter host. */
const fanSpeedText = ({ facility }: ObservedWorld, row: number): string =>
  `${numberText(Math.round(40 + Math.max(0, facility.hostCelsius[row] - 15) * 2.4) * 50 + (row % 9) * 20)} rpm`

/** The magnitude is 1 for a stopped fan, less for blocked airflow. */
export const fanFailure: FaultKind = {
  origin: hazard((world) => ({
    ...hostParts(world),
    faultsPerDay: 0.4,
    strain: (row) => hostAgeing(world, row) * hostHeat(world, row),
    draw: (stream) => (stream.chance(blockedShare) ? untilRepaired(blocked) : drawBreakage()),
  })),
  effects: { Host: combine(countTotal('hostFanBroken'), countPartial('hostAirBlocked')) },
  diagnosis: {
    article: article('fan', '**Fans**, dust and heat'),
    lookAt: 'Read fan speeds and temperatures',
    suspicions: [suspicion(subjectItself, { 'host-silent': 0.08, 'host-hot': 0.6, 'host-fan': 0.7 })],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Fan speed of ${name}`,
        read: ({ condition }, row) => (condition.hostFanBroken[row] > 0 ? '0 rpm' : null),
        abnormal: ['A fan is not turning although it is driven.', 8],
        normal: [fanSpeedText, 'All fans turn at the speed set.', 0.3],
      }),
      readingCheck({
        delay: 35 * minute,
        label: (name) => `Air through ${name}`,
        read: ({ condition }, row) =>
          condition.hostFanBroken[row] + condition.hostAirBlocked[row] > 0
            ? `${45 + ((row * 7) % 14)} % of the usual`
            : null,
        abnormal: [
          ({ condition }, row) =>
            condition.hostAirBlocked[row] > 0
              ? 'Dust or a missing blanking panel keeps cold air from the host.'
              : 'The other fans do not make up for the one that stands still.',
          12,
        ],
        normal: ['as usual', 'Cold air passes freely.', 0.25],
      }),
    ],
  },
  remedy: 'replace fan',
  planRepair: (context, random) => (context.fault.magnitude < 1 ? clearAirway : replaceFans)(context, random),
  action: failure('Host'),
}
