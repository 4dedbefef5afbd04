import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { clockTime, minute } from '../../../time.ts'
import { access, step } from '../../../work/plans.ts'
import { repairFacility } from '../../repair.ts'
import { valueOfFirst } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { drawBreakage, feedParts } from '../../hazards/hazards.ts'

/** Time that batteries carry a feed. */
const batteryMinutes: readonly [min: number, max: number] = [25, 70]

/** A UPS agrees with the voltage behind it. */
const upsText = ({ condition, facility }: ObservedWorld, row: number): string => {
  if (facility.feedLive[row] > 0) return 'on utility'
  return condition.feedTrippedAt[row] > 0 ? 'on utility, breaker behind it open' : 'off'
}

/** A feed stays on its batteries after a test; when they are empty, it is lost. */
export const stuckBatteryTest: FaultKind = {
  origin: hazard((world) => ({
    ...feedParts(world, 0.5),
    draw: drawBreakage,
  })),
  effects: {
    PowerFeed: valueOfFirst('feedBatteryEmpty', ({ began, place }) => {
      const [min, max] = batteryMinutes
      return began + Math.round(min + place * (max - min)) * minute
    }),
  },
  diagnosis: {
    article: article('battery-test', 'A **battery test** that does not end'),
    lookAt: 'Read the state of the UPS',
    suspicions: [suspicion(subjectItself, { 'feed-on-battery': 0.9, 'feed-dead': 0.2 })],
    checks: [
      readingCheck({
        delay: minute,
        label: (name) => `UPS of ${name}`,
        read(world, row) {
          const empty = world.condition.feedBatteryEmpty[row]
          if (empty === 0) return null
          return empty > world.now ? `on battery until about ${clockTime(empty)}` : 'batteries empty'
        },
        abnormal: ['Its self-test has ended without returning to the utility.', 9],
        normal: [upsText, 'No self-test is under way.', 0.06],
      }),
    ],
  },
  planRepair: repairFacility(
    'End the battery test of',
    step('Inspect', 'Check that utility and rectifier are in order', 6, access),
    step('Configure', 'Cancel the test and transfer the load back', 5),
    step('Test', 'Check that the batteries charge', 6),
  ),
  remedy: 'end battery test',
  hasWideReach: true,
  explainsShortages: true,
  action: failure('PowerFeed'),
}
