import { numberText } from '../../../../../contract/messages/catalog.ts'
import { abnormal, article, normal } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { heaviestCustomersOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { clamp } from '../../../numeric.ts'
import type { ObservedWorld } from '../../../state.ts'
import type { Micros } from '../../../time.ts'
import { minute } from '../../../time.ts'
import { nameOf } from '../../../topology/entities.ts'
import type { FaultKind, FaultSource } from '../../fault-kind.ts'
import { pressure } from '../../fault-kind.ts'
import { createCustomerSource } from '../../hazards/customer-sources.ts'
import type { Fault } from '../../model.ts'
import { mitigate } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

/** At the reference size of a world. */
const surgesPerDay = 1
const rampUp: Micros = 12 * minute
const rampDown: Micros = 20 * minute
/** Ratio to the usual requests above which monitoring reports a surge. */
const surgeRatioMin = 1.3

const createSurgeSource = (world: ObservedWorld): FaultSource =>
  createCustomerSource(world, {
    stream: 'faults.surge',
    faultsPerDay: surgesPerDay,
    draw(customers, severity) {
      const { id } = severity.pick(customers)
      const magnitude = severity.chance(0.12) ? severity.uniform(2, 3) : severity.uniform(1.25, 1.8)
      const lasts = severity.between(40, 260) * minute
      return { kind: 'DemandSurge', target: { kind: 'Customer', id }, magnitude, lasts }
    },
  })

/** The factor ramps up to the magnitude, and down again. */
function demandFactor({ began, endsBy, magnitude }: Fault, now: Micros): number {
  const ramp = Math.min((now - began) / rampUp, endsBy === null ? 1 : (endsBy - now) / rampDown)
  return 1 + (magnitude - 1) * clamp(ramp, 0, 1)
}

export const demandSurge: FaultKind = {
  origin: { type: 'external', createSource: createSurgeSource },
  effects: {},
  demandFactor,
  diagnosis: {
    article: article('demand-surge', 'Riding out a **demand surge**'),
    lookAt: 'Compare request rates with other days',
    suspicions: [
      suspicion(subjectItself, { 'customer-flood': 0.3, 'customer-failing': 0.24, 'customer-slow': 0.24 }),
      suspicion(heaviestCustomersOfZone, {
        'link-full': 0.1,
        'switch-dropping': 0.1,
        'gateway-dropping': 0.1,
        'appliance-dropping': 0.1,
      }),
    ],
    checks: [
      {
        delay: 3 * minute,
        observe(world, target, telemetry) {
          const label = `Requests to **${nameOf(world, target)}**`
          const ratio = target.kind === 'Customer' ? telemetry.demandRatio(target.id) : 1
          if (ratio <= surgeRatioMin)
            return normal(label, 'as usual at this hour', 'No more users than on other days.', 0.15)
          const value = `${numberText(ratio)} times what is usual at this hour`
          return abnormal(label, value, 'Real users, far more than usual.', 5)
        },
      },
    ],
  },
  remedy: 'absorb demand',
  planRepair: mitigate('platform', 'Absorb the demand surge of', [
    step('Inspect', 'Identify the heaviest requests', 6),
    step('Configure', 'Answer them from caches where possible, and queue the rest', 14),
    step('Test', 'Check response times', 5),
  ]),
  explainsShortages: true,
  action: pressure(1, 20, 2),
}
