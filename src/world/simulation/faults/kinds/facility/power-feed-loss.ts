import { article, percent, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { feedsOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { combine, countFaults, valueOfFirst } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { failSurvivingSupply, stopCooling, tripOverloadedPeer } from '../../hazards/aftereffects.ts'
import { feedParts, stormFactor, temporary } from '../../hazards/hazards.ts'
import { repairFacility } from '../../repair.ts'
import { access, step } from '../../../work/plans.ts'

/** A live feed sags a little under its load. */
const voltageText = ({ facility, topology }: ObservedWorld, row: number): string =>
  `${Math.round(234 - (8 * facility.feedLoadKw[row]) / topology.feeds.capacityKw[row])} V`

const restoreUtility = repairFacility(
  'Restore',
  step('Inspect', 'Check switchgear, batteries and generator', 14, access),
  step('Swap', 'Replace the breaker together with the utility', 28, {
    kind: 'Vendor',
    wait: "the utility's crew is on the way",
    minutes: [40, 200],
  }),
  step('Test', 'Load the feed in steps', 9),
  step('Restore', 'Balance the load across both feeds', 3),
)
const resetBreaker = repairFacility(
  'Restore',
  step('Inspect', 'Check that nothing is burnt, and shed load', 5, access),
  step('Restore', 'Close the breaker and load the feed in steps', 6),
)

/** The magnitude is 1, or the load at which the breaker opened, as a share of the feed's capacity. */
export const powerFeedLoss: FaultKind = {
  origin: hazard((world) => ({
    ...feedParts(world, 0.5),
    strain(row) {
      const { topology, facility } = world
      const load = facility.feedLoadKw[row] / topology.feeds.capacityKw[row]
      return (0.6 + load) * stormFactor(world, { kind: 'PowerFeed', row })
    },
    draw: (stream) => temporary(1, stream.between(20, 240) * minute),
  })),
  effects: {
    PowerFeed: combine(
      countFaults('feedBroken'),
      valueOfFirst('feedTrippedAt', ({ magnitude }) => (magnitude > 1 ? magnitude : 0)),
    ),
  },
  // The surviving feed carries twice the load, compressors restart at once, and a weak supply is the only live one.
  aftereffects: [
    failSurvivingSupply(0.45, [0, 6]),
    failSurvivingSupply(0.25, [1, 30]),
    stopCooling(0.25, [0, 10]),
    tripOverloadedPeer(0.6, [3, 40]),
  ],
  diagnosis: {
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
        abnormal: [
          ({ condition }, row) => {
            const load = condition.feedTrippedAt[row]
            if (condition.feedBroken[row] === 0) return 'Its breaker is closed, but its UPS delivers nothing.'
            if (load > 0) return `Its breaker tripped at ${percent(load)} load, as it carried both feeds.`
            return 'Neither the utility nor the batteries supply it.'
          },
          10,
        ],
        normal: [voltageText, 'Its breaker is closed.', 0.04],
      }),
    ],
  },
  remedy: 'restore feed',
  planRepair: (context, random) =>
    (context.fault.magnitude > 1 ? resetBreaker : restoreUtility)(context, random),
  hasWideReach: true,
  explainsShortages: true,
  action: degradation(1, 1.5, 1, 'PowerFeed'),
}
