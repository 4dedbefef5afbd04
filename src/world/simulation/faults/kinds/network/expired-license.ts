import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { appliancesOfCustomer, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { step } from '../../../work/plans.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { networkDevices, untilRepaired } from '../../hazards/hazards.ts'
import { reconfigure } from '../../repair.ts'

/** The magnitude is the share of throughput that an appliance loses without its license. */
export const expiredLicense: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Appliance'),
    faultsPerDay: 0.03,
    draw: (stream) => untilRepaired(stream.uniform(0.55, 0.9)),
  })),
  effects: { Appliance: combineShares('applianceUnlicensed') },
  diagnosis: {
    article: article('license', 'When a **license** runs out'),
    lookAt: 'Read the licenses of the appliance',
    suspicions: [
      suspicion(subjectItself, { 'appliance-dropping': 0.25 }),
      suspicion(appliancesOfCustomer, { 'customer-failing': 0.05, 'customer-slow': 0.05 }),
    ],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `License of ${name}`,
        read: ({ condition }, row) => (condition.applianceUnlicensed[row] > 0 ? 'ran out' : null),
        abnormal: ['The appliance forwards at the rate of its basic license.', 8],
        normal: ['valid', 'Its rate is the full one.', 0.1],
      }),
    ],
  },
  planRepair: reconfigure('network', 'Renew the license of', () => [
    step('Inspect', 'Find the contract and its contact', 10),
    step('Configure', 'Load the new license key', 5, {
      kind: 'Vendor',
      wait: 'the vendor has yet to send the key',
      minutes: [10, 70],
    }),
    step('Test', 'Check the forwarding rate', 4),
  ]),
  remedy: 'renew license',
  explainsShortages: true,
  action: degradation(0.05, 0.99, 0.8, 'Appliance'),
}
