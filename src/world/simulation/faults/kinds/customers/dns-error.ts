import { article, percent } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { step } from '../../../work/plans.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { pressure } from '../../fault-kind.ts'
import { ownMistake } from '../../hazards/customer-sources.ts'
import { reconfigure } from '../../repair.ts'
import { defectCheck } from './defect-check.ts'

/** The magnitude is the share of requests that go to a wrong address. */
export const dnsError: FaultKind = {
  origin: { type: 'external', createSource: ownMistake('DnsError', 0.08, [0.1, 0.7], [40, 300]) },
  effects: {},
  customerDefect: 'dns',
  diagnosis: {
    article: article('dns', 'It is always **DNS**'),
    lookAt: 'Resolve its names at several resolvers',
    suspicions: [suspicion(subjectItself, { 'customer-failing': 0.16 })],
    checks: [
      defectCheck({
        defect: 'dns',
        label: 'DNS records',
        abnormal: [(share) => `wrong in ${percent(share)} of the answers`, 'The answers differ by resolver.'],
        normal: ['alike at all resolvers', 'All resolvers have the right addresses.'],
      }),
    ],
  },
  planRepair: reconfigure('network', 'Correct the DNS records of', () => [
    step('Inspect', 'Compare the zone file with the last version', 6),
    step('Configure', 'Restore the records and lower their lifetime', 5),
    step('Test', 'Wait until resolvers have the right answer', 12),
  ]),
  remedy: 'correct records',
  action: pressure(0.01, 1, 0.4),
}
