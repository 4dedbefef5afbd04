import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { feedsOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure } from '../../fault-kind.ts'
import { failSurvivingSupply, overloadPeer, stopCooling } from '../../hazards/aftereffects.ts'
import { temporary } from '../../hazards/hazards.ts'
import { access, readTicket, step, travelTo } from '../../../work/plans.ts'

export const powerFeedLoss: FaultKind = {
  origin: {
    type: 'hazard',
    hazardsIn: ({ topology, condition, facility }) => [
      {
        target: 'PowerFeed',
        turn: 16,
        faultsPerDay: 0.35,
        partCount: topology.feeds.count,
        weight: () => 1,
        strain: (row) =>
          condition.feedBroken[row] > 0 ? 0 : 0.6 + facility.feedLoadKw[row] / topology.feeds.capacityKw[row],
        draw: (stream) => temporary(1, stream.between(20, 240) * minute),
      },
    ],
  },
  effects: { PowerFeed: countFaults('feedBroken') },
  // The surviving feed carries twice the load, compressors restart at once, and a weak supply is the only live one.
  aftereffects: [
    failSurvivingSupply(0.45, [0, 6]),
    failSurvivingSupply(0.25, [1, 30]),
    stopCooling(0.25, [0, 10]),
    overloadPeer(0.1, [3, 40], { kind: 'PowerFeedLoss' }),
  ],
  diagnosis: {
    message: 'cause.power-feed-loss',
    article: article('power-feed', 'Living on **one feed**'),
    lookAt: 'Measure the voltage on both feeds',
    suspicions: [
      suspicion(subjectItself, { 'feed-dead': 0.9 }),
      suspicion(feedsOfZone, {
        'cooling-stopped': 0.1,
        'host-silent': 0.14,
        'host-supply': 0.14,
        'switch-silent': 0.14,
        'switch-supply': 0.14,
        'gateway-silent': 0.14,
        'appliance-silent': 0.14,
      }),
    ],
    checks: [
      readingCheck({
        delay: minute,
        label: (name) => `Voltage on ${name}`,
        read: ({ facility }, row) => (facility.feedLive[row] === 0 ? '0 V' : null),
        abnormal: ['Neither the utility nor the batteries supply it.', 10],
        normal: [(_, row) => `${228 + (row % 5)} V`, 'The feed is live.', 0.04],
      }),
    ],
  },
  remedy: 'restore feed',
  planRepair: ({ name }) => ({
    kind: 'Repair',
    label: `Restore ${name}`,
    skill: 'power',
    onSite: true,
    steps: [
      readTicket(2),
      travelTo(name),
      step('Inspect', 'Check switchgear, batteries and generator', 14, access),
      step('Swap', 'Replace the breaker together with the utility', 28, {
        kind: 'Vendor',
        who: "the utility's crew",
        minutes: [40, 200],
      }),
      step('Test', 'Load the feed in steps', 9),
      step('Restore', 'Balance the load across both feeds', 3),
    ],
  }),
  hasWideReach: true,
  explainsShortages: true,
  action: failure('PowerFeed'),
}
