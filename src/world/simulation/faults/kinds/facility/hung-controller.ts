import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { runningUnitsOfZone, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { access, step } from '../../../work/plans.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { repairFacility } from '../../repair.ts'

/** A cooling unit stands still, and its display, which monitoring reads, says that it runs. Only scenarios cause it. */
export const hungController: FaultKind = {
  origin: hazard(),
  effects: { CoolingUnit: countFaults('coolingBroken', 'coolingFrozen') },
  diagnosis: {
    article: article('controller', 'When a **display** says that all is well'),
    lookAt: 'Hold a thermometer behind the cooling units',
    suspicions: [suspicion(runningUnitsOfZone, { 'zone-hot': 0.2 })],
    checks: [
      readingCheck({
        delay: 6 * minute,
        isOnSite: true,
        label: (name) => `Air behind ${name}`,
        read: ({ condition, facility, topology }, row) =>
          condition.coolingFrozen[row] > 0
            ? `${Math.round(facility.zoneCelsius[topology.coolingUnits.zone[row]])} °C`
            : null,
        abnormal: ['Its display shows 18 °C. The controller hangs, and its readings are frozen.', 9],
        normal: ['as its display says', 'Its readings can be trusted.', 0.3],
      }),
    ],
  },
  planRepair: repairFacility(
    'Reset the controller of',
    step('Inspect', 'Compare its display with a thermometer', 6, access),
    step('Configure', 'Cut its supply and set it to full cooling by hand', 12),
    step('Test', 'Wait until the cold aisle is back at its set point', 12),
  ),
  remedy: 'reset controller',
  hasWideReach: true,
  explainsShortages: true,
  action: failure('CoolingUnit'),
}
