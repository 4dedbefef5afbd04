import { article, percent } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { step } from '../../../work/plans.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { pressure } from '../../fault-kind.ts'
import { ownMistake } from '../../hazards/customer-sources.ts'
import { mitigate } from '../../repair.ts'
import { defectCheck } from './defect-check.ts'

/** The magnitude is the share of requests that the new version fails. */
export const failedRelease: FaultKind = {
  origin: { type: 'external', createSource: ownMistake('FailedRelease', 0.2, [0.03, 0.3], [25, 150]) },
  effects: {},
  customerDefect: 'release',
  diagnosis: {
    article: article('release', 'A customer **releases** a bug'),
    lookAt: 'Compare error rates before and after the latest release',
    suspicions: [suspicion(subjectItself, { 'customer-failing': 0.22 })],
    checks: [
      defectCheck({
        defect: 'release',
        label: 'Latest release',
        abnormal: [
          (share) => `${percent(share)} of its responses are errors`,
          'They began with the rollout.',
        ],
        normal: ['no more errors than before', 'Its error rate is that of the version before.'],
      }),
    ],
  },
  planRepair: mitigate('platform', 'Roll back the release of', [
    step('Inspect', 'Agree on the rollback with the customer', 7),
    step('Configure', 'Deploy the previous version in steps', 11),
    step('Test', 'Check the error rate', 4),
  ]),
  remedy: 'roll back release',
  action: pressure(0.01, 1, 0.3),
}
