import type { ThreatClass } from '../../../../../contract/vocabularies.ts'
import { threatClasses } from '../../../../../contract/vocabularies.ts'
import { createAttackSource } from '../../hazards/attackers.ts'
import { abnormal, article, normal } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { heaviestCustomersOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { reachingGateways } from '../../../incidents/monitors/customers.ts'
import type { PlannedStep, WorkPlan } from '../../../work/plans.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { nameOf } from '../../../topology/entities.ts'
import type { FaultTarget } from '../../../topology/fault-target.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { pressure } from '../../fault-kind.ts'
import type { RepairContext } from '../../repair.ts'
import { readTicket, step } from '../../../work/plans.ts'

/** Classes of attack on a customer observed at the gateways of its zones. */
function observedClasses(world: ObservedWorld, target: FaultTarget): ThreatClass[] {
  if (target.kind !== 'Customer') return []
  const { attacks, attackCount } = world.threats.hostile
  const isAttacked = (threat: number): boolean =>
    attacks.slice(0, attackCount).some((attack) => attack.customerId === target.id && attack.class === threat)
  return threatClasses.filter(
    (_, threat) => isAttacked(threat) && reachingGateways(world, target.id, threat) > 0,
  )
}

/** Noun of an attack of each class, and the preposition before its victim. A break-in is one that got in. */
const attackNouns: Readonly<Record<ThreatClass, readonly [noun: string, preposition: string]>> = {
  Volumetric: ['traffic flood', 'against'],
  Protocol: ['connection flood', 'against'],
  Application: ['request flood', 'against'],
  Intrusion: ['break-in attempts', 'at'],
  Scan: ['probing', 'of'],
}

function observedNoun({ tenants }: ObservedWorld, target: FaultTarget, threat: ThreatClass): string {
  const isBreached = target.kind === 'Customer' && tenants.byId.get(target.id)?.breached === true
  return threat === 'Intrusion' && isBreached ? 'break-in' : attackNouns[threat][0]
}

function attackName({ name, fault }: RepairContext): string {
  if (fault.attack === null) return `the attack on ${name}`
  const [noun, preposition] = attackNouns[fault.attack.class]
  return `the ${noun} ${preposition} ${name}`
}

const checkGoodTraffic = (minutes: number): PlannedStep =>
  step('Test', 'Check that legitimate requests get through', minutes)

const filterAutomatically = (context: RepairContext): WorkPlan => ({
  kind: 'Mitigate',
  label: `Filter ${attackName(context)}`,
  skill: null,
  onSite: false,
  steps: [
    step('Inspect', 'Sample the traffic and extract a signature', 4),
    step('Filter', 'Announce filters to gateways and carriers', 8),
    checkGoodTraffic(4),
  ],
})

const filterManually = (context: RepairContext): WorkPlan => ({
  kind: 'Mitigate',
  label: `Stop ${attackName(context)}`,
  skill: 'security',
  skillOptional: true,
  onSite: false,
  steps: [
    readTicket(2),
    step('Inspect', 'Separate attack traffic from users', 14),
    step('Filter', 'Write rules that match only the attack', 12),
    ...(context.fault.attack?.class === 'Intrusion'
      ? [step('Restore', 'Rotate credentials and close the entry point', 30)]
      : []),
    checkGoodTraffic(6),
  ],
})

/** Attacks indistinguishable from users, which the automation cannot filter. */
const manualClasses: ReadonlySet<ThreatClass | undefined> = new Set<ThreatClass>(['Application', 'Intrusion'])

/** The magnitude is the hostile traffic in the unit of its class. */
export const attack: FaultKind = {
  origin: { type: 'external', createSource: createAttackSource },
  effects: {},
  diagnosis: {
    article: article('attack', 'Telling an **attack** from users'),
    lookAt: 'Sample traffic at the gateways',
    suspicions: [
      suspicion(subjectItself, {
        'customer-flood': 0.5,
        'customer-probed': 0.7,
        'customer-breached': 0.7,
        'customer-failing': 0.16,
        'customer-slow': 0.16,
      }),
      suspicion(heaviestCustomersOfZone, {
        'link-full': 0.075,
        'switch-dropping': 0.075,
        'gateway-dropping': 0.075,
        'appliance-dropping': 0.075,
      }),
    ],
    checks: [
      {
        delay: 2 * minute,
        observe(world, target) {
          const label = `Hostile traffic at **${nameOf(world, target)}**`
          const classes = observedClasses(world, target)
          return classes.length === 0
            ? normal(label, 'none', 'The traffic looks like real users.', 0.1)
            : abnormal(
                label,
                classes.map((threat) => observedNoun(world, target, threat)).join(' and '),
                'Sources and patterns match an attack.',
                6,
              )
        },
      },
    ],
  },
  remedy: 'filter traffic',
  planRepair: (context) =>
    (manualClasses.has(context.fault.attack?.class) ? filterManually : filterAutomatically)(context),
  explainsShortages: true,
  action: pressure(0.01, 100, 1.5),
}
