import { expect, test } from 'vitest'
import { createOperator } from '../../../../src/world/simulation/operator/operator.ts'
import { createPlanningFixture } from './planning-fixture.ts'

type PlanningFixture = ReturnType<typeof createPlanningFixture>

/** An operator that has a reason for each of its plans. */
function operatorWithNeeds() {
  const fixture = createPlanningFixture()
  const { world, context } = fixture
  const operator = createOperator(context)
  const { state } = operator
  Object.assign(state, { reserves: 1e9, marginPerHour: 1e6, hoursCounted: 168 })
  // The first pool will be too full; the second zone has feeds of 15 kW.
  const [pool] = context.capacity.pools
  Object.assign(pool, { milli: 0.6 * pool.maxMilli })
  state.poolUse[0].push(0, 1, 2, 3)
  state.linkPeak[0] = 0.7
  state.zonePeakKw[1] = 13
  world.condition.hostWear[3] = 0.8
  state.waiting.set('power', 2)
  return { ...fixture, state, step: () => operator.step() }
}

const works = ({ state }: Pick<PlanningFixture, 'state'>): string[] =>
  state.purchases.flatMap(({ works: ordered, hires }) => [
    ...ordered.map(({ kind }) => kind as string),
    ...(hires === null ? [] : [hires]),
  ])

/** Steps of ten seconds. */
const stepsPerHour = 360

test.each([
  ['hosts at six', 6, ['Rack', 'Hosts']],
  ['links at seven', 7, ['Links']],
  ['power at eight', 8, ['Power']],
  ['worn hosts at nine', 9, ['Renewal']],
  ['technicians at ten', 10, ['power']],
  ['nothing at eleven', 11, []],
])('the operator plans %s', (_, hourOfDay, expected) => {
  const fixture = operatorWithNeeds()
  // The books are written in the fifth step of an hour.
  const worksAfter = (steps: readonly number[]): string[] => {
    for (const step of steps) {
      fixture.world.tick = hourOfDay * stepsPerHour + step
      fixture.step()
    }
    return works(fixture)
  }
  expect(worksAfter([3])).toEqual([])
  expect(worksAfter([4, 5, 10])).toEqual(expected)
})

test('the operator counts once an hour, and records the use of pools once a day', () => {
  const fixture = operatorWithNeeds()
  const { state, world } = fixture
  Object.assign(world.money, { revenue: 500 })
  state.hoursCounted = 0
  for (let tick = 0; tick < 24 * stepsPerHour; tick++) {
    world.tick = tick
    fixture.step()
  }
  expect([state.earnings, state.hoursCounted, state.emptyHours[0], state.poolUse[0].length]).toEqual([
    500, 24, 24, 5,
  ])
})
