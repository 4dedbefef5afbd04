import { numberText } from '../../../../../contract/messages/catalog.ts'
import { abnormal, article, normal } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { heaviestCustomersOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { clamp } from '../../../numeric.ts'
import type { ObservedWorld } from '../../../state.ts'
import type { Micros } from '../../../time.ts'
import { day, minute, stepLength } from '../../../time.ts'
import { nameOf } from '../../../topology/entities.ts'
import type { FaultKind, FaultSource } from '../../fault-kind.ts'
import { pressure } from '../../fault-kind.ts'
import { sizeFactor } from '../../hazards/hazards.ts'
import type { Fault } from '../../model.ts'
import { mitigate } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

/** At the reference size of a world. */
const surgesPerDay = 1.6
const rampUp: Micros = 12 * minute
const rampDown: Micros = 20 * minute
/** Ratio to the usual requests above which monitoring reports a surge. */
const surgeRatioMin = 1.3

function createSurgeSource(world: ObservedWorld): FaultSource {
  const occurrence = world.random.stream('faults.surge')
  const severity = world.random.stream('faults.surge.how')
  const perStep = (surgesPerDay / (day / stepLength)) * sizeFactor(world.topology.hosts.rows.length)
  return (rate) => {
    if (occurrence.fraction() >= perStep * rate) return null
    const customers = world.tenants.active.filter(({ hosts }) => hosts.length > 0)
    if (customers.length === 0) return null
    const { id } = severity.pick(customers)
    const magnitude = severity.chance(0.2) ? severity.uniform(2, 3.5) : severity.uniform(1.3, 2)
    const lasts = severity.between(40, 260) * minute
    return { kind: 'DemandSurge', target: { kind: 'Customer', id }, magnitude, lasts }
  }
}

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
    message: 'cause.demand-surge',
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
    step('Inspect', 'Identify the most requested content', 6),
    step('Configure', 'Serve it from caches and queue the rest', 14),
    step('Test', 'Check response times', 5),
  ]),
  explainsShortages: true,
  action: pressure(1, 20, 2),
}
