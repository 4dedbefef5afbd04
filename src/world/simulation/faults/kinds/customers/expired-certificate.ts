import { article } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { step } from '../../../work/plans.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { pressure } from '../../fault-kind.ts'
import { ownMistake } from '../../hazards/customer-sources.ts'
import { reconfigure } from '../../repair.ts'
import { defectCheck } from './defect-check.ts'

/** The magnitude is the share of requests from clients that refuse the connection. */
export const expiredCertificate: FaultKind = {
  origin: { type: 'external', createSource: ownMistake('ExpiredCertificate', 0.05, [0.6, 0.95], [90, 600]) },
  effects: {},
  customerDefect: 'certificate',
  diagnosis: {
    article: article('certificate', 'When a **certificate** expires'),
    lookAt: 'Open a TLS connection and read the dates of the certificate',
    suspicions: [suspicion(subjectItself, { 'customer-failing': 0.14 })],
    checks: [
      defectCheck({
        defect: 'certificate',
        label: 'Certificate',
        abnormal: [() => 'expired', 'Clients refuse the connection.'],
        normal: ['valid', 'Clients accept it.'],
      }),
    ],
  },
  planRepair: reconfigure('security', 'Renew the certificate of', () => [
    step('Inspect', 'Find out why the renewal failed', 8),
    step('Configure', 'Issue the certificate and load it on all front ends', 12),
    step('Test', 'Check the dates from outside', 3),
  ]),
  remedy: 'renew certificate',
  action: pressure(0.01, 1, 0.8),
}
