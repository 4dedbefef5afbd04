import { describe, expect, test } from 'vitest'
import { stepSales } from '../../../../src/world/simulation/operator/sales.ts'
import { emptyHostsOf, planSurplus } from '../../../../src/world/simulation/operator/plans/surplus.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { createPlanningFixture } from './planning-fixture.ts'

type PlanningFixture = ReturnType<typeof createPlanningFixture>

describe('what can be sold at once', () => {
  /** The first pool has ten hosts, the second has 0, 6, 12 and 19, and the third has 1, 7 and 20. All are paid off. */
  function siteOfOldHosts(): PlanningFixture {
    const fixture = createPlanningFixture()
    fixture.world.topology.hosts.installed.fill(-4 * 365 * day)
    return fixture
  }

  test.each<[string, number, (fixture: PlanningFixture) => void, number[]]>([
    ['of ten hosts four', 0, () => {}, [2, 3, 4, 9]],
    ['of four hosts all but one', 1, () => {}, [0, 6, 12]],
    ['of three hosts all but one', 2, () => {}, [1, 7]],
    ['of one host none', 5, () => {}, []],
    ['no host in use', 1, ({ world }) => void (world.load.unitCount[6] = 1), [0, 12, 19]],
    ['no host in maintenance', 1, ({ world }) => void (world.condition.hostMaintenance[0] = 1), [6, 12, 19]],
    ['none of a zone of four', 1, ({ world }) => setHosts(world, 0, 4), [12, 19]],
    ['those of a zone of five', 1, ({ world }) => setHosts(world, 0, 5), [0, 6, 12]],
    [
      'none that is not paid off',
      1,
      ({ world }) => void (world.topology.hosts.installed[6] = 0),
      [0, 12, 19],
    ],
    ['nothing of a pool on sale', 1, (fixture) => sell(fixture, 1), []],
    ['what is left of a pool, if another is on sale', 1, (fixture) => sell(fixture, 0), [0, 6, 12]],
  ])('%s', (_, pool, prepare, expected) => {
    const fixture = siteOfOldHosts()
    prepare(fixture)
    expect(emptyHostsOf(fixture.context, pool)).toEqual(expected)
  })

  const setHosts = ({ topology }: PlanningFixture['world'], zone: number, count: number): void =>
    void (topology.zones[zone].hosts as number[]).splice(count)

  const sell = ({ state }: PlanningFixture, pool: number): void =>
    void state.sales.push({ pool, zone: 0, hosts: [], because: '', due: 0, workOrder: null })
})

test.each([
  [18, 'for $7,817, at a loss of $1,983 against what was still owed: empty.'],
  [30, 'for $4,607, of which $3,267 was still owed: empty.'],
  [36, 'for $3,506: empty.'],
])('a sale of two hosts of 9,800 dollars after %i months is announced: %s', (months, expected) => {
  const { context, state, world, texts, operations } = createPlanningFixture()
  world.now = months * 730 * hour
  state.sales.push({ pool: 0, zone: 0, hosts: [3, 4], because: 'empty', due: 0, workOrder: null })
  stepSales(context)
  operations.dispatcher.state.open = []
  stepSales(context)
  expect(texts().at(-1)).toBe(`Sold 2 hosts of Westholm A ${expected}`)
})

test.each([
  [1_008, 6],
  [1_175, 6],
  [1_176, 7],
])('a host that was empty for %i hours was so for %i weeks', (hours, weeks) => {
  const { context, state } = createPlanningFixture()
  state.poolUse[0].push(...Array.from({ length: 28 }, () => 2))
  // One of the four is the last that was in use.
  state.emptyHours.fill(2_000)
  state.emptyHours[4] = hours
  planSurplus(context)
  expect(state.sales[0].because).toBe(`empty for ${weeks} weeks and not needed before August`)
})

test.each([
  // The world begins on day 125 of a year, and 90 days are covered: the last day before each month, and its first.
  [28, 'August', 'September'],
  [58, 'September', 'October'],
  [89, 'October', 'November'],
  [119, 'November', 'December'],
  [150, 'December', 'January'],
  [181, 'January', 'February'],
  [209, 'February', 'March'],
  [240, 'March', 'April'],
  [270, 'April', 'May'],
  [301, 'May', 'June'],
  [331, 'June', 'July'],
  [362, 'July', 'August'],
])(
  'a sale on day %i is of hosts that are not needed before %s, and a day later before %s',
  (today, one, other) => {
    const { context, state, world } = createPlanningFixture()
    state.poolUse[0].push(...Array.from({ length: 28 }, () => 2))
    state.emptyHours.fill(1_008)
    const monthOn = (at: number): string => {
      world.now = at * day
      state.sales.length = 0
      planSurplus(context)
      return state.sales[0].because
    }
    expect([monthOn(today), monthOn(today + 1)]).toEqual([
      `empty for 6 weeks and not needed before ${one}`,
      `empty for 6 weeks and not needed before ${other}`,
    ])
  },
)
