import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import { addCopy, stepCopies } from '../../../../../src/world/simulation/tenants/demand/bulk-copies.ts'
import {
  demandLevelOf,
  stepDemand,
  weeklyPeakGbps,
} from '../../../../../src/world/simulation/tenants/demand/demand.ts'
import {
  randomDelay,
  seedDemandDrift,
  updateDemandDrift,
} from '../../../../../src/world/simulation/tenants/demand/demand-drift.ts'
import { scheduleBoosts, stepLaunches } from '../../../../../src/world/simulation/tenants/demand/launches.ts'
import { curveNames } from '../../../../../src/world/simulation/tenants/demand/curves.ts'
import type { MutableWorld } from '../../../../../src/world/simulation/step.ts'
import { day, minute, stepLength } from '../../../../../src/world/simulation/time.ts'
import { FixedStream } from '../../fixed-stream.ts'
import { createTenantsFixture, customer, drawAlways } from '../tenants-fixture.ts'

/** The draw for which an exponential waiting time equals its mean. */
const meanDraw = 1 / Math.E
const steady = { demandDrift: 0, launchLevel: 0, surgeFactor: 1 }

/** Multiplies the demand of every customer. */
function surge({ faults }: MutableWorld, factor: number): void {
  faults.demandFactor = () => factor
  Object.defineProperty(faults, 'isShapingDemand', { value: true })
}

test.each<[string, Partial<typeof steady>, number, number]>([
  ['on its curve', {}, 1, 1],
  ['by season and date', {}, 1.1, 1.1],
  ['by drift', { demandDrift: 0.1 }, 1, 1.1],
  ['by drift, at most a fifth more', { demandDrift: 0.3 }, 1, 1.2],
  ['or less', { demandDrift: -0.3 }, 1, 0.8],
  ['by a launch', { launchLevel: 0.15 }, 1, 1.15],
  ['by both, at most 21 % more', { launchLevel: 0.15, demandDrift: 0.1 }, 1, 1.21],
  ['by season and all, at most 36 % more', { launchLevel: 0.3 }, 1.2, 1.36],
  ['by a surge, without a bound', { surgeFactor: 3, launchLevel: 0.3 }, 1.2, 4.08],
  ['not at all before it is live', { surgeFactor: 3 }, 0, 0],
])('the demand of a customer is %s', (_, changes, season, level) => {
  expect(demandLevelOf({ ...steady, ...changes }, season)).toBeCloseTo(level, 9)
})

describe('demand on hosts', () => {
  /** A customer at the peak of its curve in a season of 1; its units answer 100 requests/s with half their CPU. */
  function createDemand(changes: Partial<Account> = {}) {
    const fixture = createTenantsFixture()
    const { context, state, world, addCustomer, addService } = fixture
    state.demand.curves.fill(1)
    state.demand.calendar.fill(1)
    Object.assign(state.demand.trafficFactor, { in: 2, out: 3, eastWest: 4 })
    // A step after demand has moved.
    Object.assign(world, { tick: 1, now: stepLength })
    // Phase 1/24 of the season is halfway from 0.97 to 1, phase 1/12 is at 1.
    const account = addCustomer({ seasonPhase: 1 / 12, ...changes })
    const row = {
      peakRpsPerUnit: 100,
      cpuMs: 5,
      iops: 50,
      inGbpsPerRps: 0.001,
      outGbpsPerRps: 0.002,
      eastWestGbpsPerRps: 0.003,
    }
    const step = () => stepDemand(context, true)
    return { ...fixture, account, row, step, front: () => addService(account, row, [0, 1, 1]) }
  }

  test('spreads over the units that serve', () => {
    const { state, world, account, front, step } = createDemand()
    const service = front()
    step()
    expect([state.services.rps[service], state.services.unitDemandMilli[service]]).toEqual([300, 500])
    expect([account.demandLevel, account.usualRequestsPerSecond]).toEqual([1, 300])
    const { load } = world
    expect([...load.cpuDemandMilli.subarray(0, 2)]).toEqual([500, 1_000])
    expect(load.contention[1]).toBeCloseTo(1_000 / state.capacity.physicalMilli[1], 9)
    expect([...load.cpuUsedMilli.subarray(0, 2)]).toEqual([500, 1_000])
    // 100 requests/s a unit: 0.2 Gbit/s in, 0.6 out, 1.2 between hosts; 62 % of 50 operations.
    expect([load.wantedInGbps[0], load.wantedInGbps[1]]).toEqual([0.2, 0.4])
    expect(load.wantedOutGbps[1]).toBeCloseTo(1.2, 9)
    expect(load.wantedEastWestGbps[1]).toBeCloseTo(2.4, 9)
    expect([load.iopsUsed[0], load.iopsUsed[1]]).toEqual([31, 62])
    const { version } = load
    step()
    expect([load.cpuDemandMilli[1], load.iopsUsed[1], load.version]).toEqual([1_000, 62, version + 1])
    expect(load.wantedInGbps[1]).toBe(0.4)
  })

  test('that units cannot answer causes no traffic out', () => {
    const { state, world, front, step } = createDemand({ surgeFactor: 4 })
    surge(world, 4)
    const service = front()
    step()
    // The demand on each unit is 400 requests/s and 2 of 1 CPU, and it answers 200.
    expect([state.services.unitDemandMilli[service], world.load.cpuDemandMilli[0]]).toEqual([2_000, 1_000])
    expect(world.load.wantedInGbps[0]).toBeCloseTo(0.8, 9)
    expect(world.load.wantedOutGbps[0]).toBeCloseTo(1.2, 9)
    expect(world.load.wantedEastWestGbps[0]).toBeCloseTo(2.4, 9)
    expect(world.load.iopsUsed[0]).toBe(50)
  })

  test('above the physical CPU of a host is contention', () => {
    const { state, world, front, step } = createDemand()
    front()
    state.capacity.physicalMilli.set([400, 2_000])
    step()
    expect([...world.load.cpuUsedMilli.subarray(0, 2)]).toEqual([400, 1_000])
    expect([...world.load.contention.subarray(0, 2)]).toEqual([1.25, 0.5])
  })

  test('is not that of users behind a front end, and none without units that serve', () => {
    const { state, world, account, row, step, addService } = createDemand()
    const behind = addService(account, { ...row, role: 'behind', class: 'database', demandDrift: 0.1 }, [0])
    const missing = addService(account, { ...row, requested: 2, unitDemandMilli: 7 })
    step()
    expect(state.services.rps[behind]).toBeCloseTo(110, 9)
    expect([world.load.wantedInGbps[0], world.load.wantedOutGbps[0]]).toEqual([0, 0])
    expect([state.services.rps[missing], state.services.unitDemandMilli[missing]]).toEqual([200, 0])
    expect(account.usualRequestsPerSecond).toBe(200)
  })

  test('includes what hostile requests waste in front, 2.5 ms each', () => {
    const { state, world, account, row, step, front, addService } = createDemand()
    const service = front()
    const behind = addService(account, { ...row, role: 'behind' }, [0])
    const attack = (requestsPerSecond: number) => {
      world.threats.remainders.set(1, {
        class: 'Application',
        magnitude: 1,
        gbps: 0,
        requestsPerSecond,
        breach: false,
      })
      step()
      return state.services.unitDemandMilli[service]
    }
    expect(attack(120)).toBe(600)
    expect(state.services.unitDemandMilli[behind]).toBe(500)
    // Changes up to 5 % are ignored.
    expect([attack(126), attack(126.1)]).toEqual([600, 500 + (126.1 * 2.5) / 3])
    world.threats.remainders.clear()
    step()
    expect([state.services.unitDemandMilli[service], state.demand.attacked.size]).toEqual([500, 0])
  })

  test.each<[string, (fixture: ReturnType<typeof createDemand>) => void, boolean]>([
    ['not without a reason', () => {}, false],
    ['every two minutes', ({ world }) => void (world.tick = 12), true],
    ['not each minute', ({ world }) => void (world.tick = 6), false],
    ['when a surge begins', ({ world }) => surge(world, 2), true],
    ['when a surge grows by 6 %', ({ world }) => surge(world, 1.06), true],
    ['not when it grows by 4 %', ({ world }) => surge(world, 1.04), false],
    ['nor when it falls by 4 %', ({ world }) => surge(world, 0.96), false],
    [
      'when an attack reaches it',
      ({ world }) =>
        void world.threats.remainders.set(1, {
          class: 'Application',
          magnitude: 1,
          gbps: 0,
          requestsPerSecond: 5,
          breach: false,
        }),
      true,
    ],
  ])('is updated %s', (_, change, updated) => {
    const fixture = createDemand()
    change(fixture)
    stepDemand(fixture.context, false)
    expect(fixture.world.load.version).toBe(updated ? 1 : 0)
  })

  test.each([
    [6, true],
    [7, false],
  ])('is updated at tick %i for a surge that has grown since it began: %s', (tick, updated) => {
    const { context, state, world } = createDemand()
    world.tick = tick
    state.demand.faultVersion = world.faults.customerVersion
    surge(world, 1.06)
    stepDemand(context, false)
    expect(world.load.version).toBe(updated ? 1 : 0)
  })

  test('follows a surge when it moves, however little it grew', () => {
    const { context, world, account } = createDemand()
    surge(world, 1.01)
    stepDemand(context, false)
    expect(account.surgeFactor).toBe(1)
    world.tick = 12
    stepDemand(context, false)
    expect(account.surgeFactor).toBe(1.01)
  })

  test('of a live customer follows season and date', () => {
    const { world, state, account, step, front } = createDemand({ seasonPhase: 1 / 24 })
    front()
    state.demand.calendar.fill(2)
    step()
    expect(account.usualRequestsPerSecond).toBeCloseTo(300 * 0.985 * 2, 6)
    expect(account.demandLevel).toBe(1.36)
    account.live = false
    step()
    expect([account.usualRequestsPerSecond, account.demandLevel, world.load.wantedInGbps[0]]).toEqual([
      0, 0, 0,
    ])
  })
})

test('the weekly peak counts users in front and traffic between hosts of all', () => {
  const { state, addCustomer, addService } = createTenantsFixture()
  const account = addCustomer()
  const row = {
    requested: 10,
    peakRpsPerUnit: 100,
    inGbpsPerRps: 0.001,
    outGbpsPerRps: 0.002,
    eastWestGbpsPerRps: 0.003,
  }
  // The leisure curve is 1 on Saturday at 20:00; the other rows do not count.
  addService(account, { ...row, curve: curveNames.indexOf('leisure') })
  addService(account, { ...row, curve: curveNames.indexOf('leisure'), role: 'behind' })
  addService(account, { ...row, customer: 0 })
  const peak = weeklyPeakGbps(state)
  expect([peak.in, peak.out, peak.eastWest].map((gbps) => Math.round(gbps * 1e6) / 1e6)).toEqual([1, 2, 6])
})

test.each([
  [meanDraw, 10 * day],
  [0.7, 5.1751 * day],
  [0.9, 3.2902 * day],
  [0.001, 50 * day],
])('at a draw of %f, something that happens every ten days is due in %i µs', (draw, delay) => {
  expect(randomDelay(new FixedStream(draw), 10) / day).toBeCloseTo(delay / day, 4)
})

describe('drift', () => {
  const driftAfter = (draw: number, changes: Partial<Account>) => {
    const { context, world, state, addCustomer, addService } = createTenantsFixture()
    drawAlways(world, draw)
    const account = addCustomer(changes)
    const row = addService(account, { demandDrift: 0.1 })
    updateDemandDrift(context, account)
    return [account.demandDrift, account.launchLevel, state.services.demandDrift[row]]
  }

  test.each<[string, number, Partial<Account>, readonly number[]]>([
    // Decay per minute, two at a time: 0.2 % of a customer's drift, 3 % of a service's, and 0.048 % of a launch.
    ['fades', 0.5, { demandDrift: 0.1, launchLevel: 0.2 }, [0.099_600_4, 0.199_808, 0.094_09]],
    // Deviations of 5.5 % and 3 %; draws of 3/4 are √3 deviations.
    ['walks at random', 0.75, {}, [0.008_507_79, 0, 0.111_689]],
  ])('%s', (_, draw, changes, expected) => {
    driftAfter(draw, changes).forEach((value, at) => expect(value).toBeCloseTo(expected[at], 6))
  })

  test('begins anywhere in its distribution', () => {
    const account = customer()
    seedDemandDrift(account, new FixedStream(0.75))
    expect(account.demandDrift).toBeCloseTo(0.095_263, 6)
  })
})

describe('launches and viral days', () => {
  const now = 50 * day
  const launched = (
    changes: Partial<Account>,
    archetype: Account['contract']['archetype'] = 'Shop',
    draw = 0,
  ) => {
    const { context, world, addCustomer, takeEvents } = createTenantsFixture()
    drawAlways(world, draw)
    world.now = now
    const account = addCustomer({ nextLaunch: now + 1, nextViral: now + 1, ...changes }, { archetype })
    stepLaunches(context, account)
    return { account, level: account.launchLevel, events: takeEvents() }
  }
  const due = { nextLaunch: now }
  const viral = { nextViral: now }

  test.each<[string, Parameters<typeof launched>, number, reason?: string]>([
    ['bring nothing before they are due', [{ launchLevel: 0.01 }], 0.01],
    ['bring a shop half of 19 % at least, unannounced', [due], 0.095],
    ['or 14 %', [due, 'Shop', 0.5], 0.1425, '14 % more users than usual. Reason: a sale of its own.'],
    [
      'bring a game studio more',
      [due, 'GameStudio', 0],
      0.11,
      '11 % more users than usual. Reason: a new season.',
    ],
    [
      'bring 15 % by chance',
      [viral],
      0.15,
      '15 % more users than usual. Reason: a celebrity wears what it sells.',
    ],
    [
      'or 18 %',
      [viral, 'Media', 0.5],
      0.18,
      '18 % more users than usual. Reason: a story that everyone shares.',
    ],
    ['bring a bank no attention', [viral, 'Bank', 0.5], 0],
    ['do not add up, and bring no more than there are already', [{ ...viral, launchLevel: 0.2 }], 0.2],
    ['are not announced before it is live', [{ ...viral, live: false }], 0.15],
  ])('%s', (_, args, level, reason) => {
    const result = launched(...args)
    expect(result.level).toBeCloseTo(level, 9)
    expect(result.events).toEqual(reason === undefined ? [] : [`Amber Mill Shoes has up to ${reason}`])
  })

  test('recur after days that follow from the archetype', () => {
    const { account } = launched({ ...due, ...viral }, 'Shop', meanDraw)
    expect((account.nextLaunch - now) / day).toBeCloseTo(21, 6)
    expect((account.nextViral - now) / day).toBeCloseTo(150, 6)
    scheduleBoosts(account, 0, new FixedStream(meanDraw))
    expect([account.nextLaunch / day, account.nextViral / day].map(Math.round)).toEqual([21, 150])
  })
})

describe('copies of data sets', () => {
  const now = 50 * day
  const copied = (changes: Partial<Account>, rate = 1, draw = 0, name: 'web' | 'database' = 'database') => {
    const fixture = createTenantsFixture()
    const { context, world, addCustomer, addService } = fixture
    drawAlways(world, draw)
    world.now = now
    world.faults.randomFaultRate = rate
    const account = addCustomer({ nextCopy: now, ...changes })
    const row = addService(account, { class: name, role: 'behind' }, [0, 1, 1])
    stepCopies(context, account)
    return { ...fixture, account, row }
  }

  test.each<[string, Parameters<typeof copied>, readonly [gbps: number, minutes: number] | null]>([
    ['take 25 minutes at 3 Gbit/s', [{}], [3, 25]],
    ['or an hour at 7.5', [{}, 1, 0.5], [7.5, 53]],
    ['are not made before they are due', [{ nextCopy: now + 1 }], null],
    ['are not made of what has no data', [{}, 1, 0, 'web'], null],
    ['are not made before the customer is live', [{ live: false }], null],
    ['are rarer where less happens', [{}, 0.5, 0.5], null],
    ['but not too rare', [{}, 0.51, 0.5], [7.5, 53]],
    ['are over in time', [{ nextCopy: now + 1, copy: { service: 0, gbpsPerUnit: 3, until: now } }], null],
  ])('%s', (_, args, expected) => {
    const { account, row } = copied(...args)
    expect(account.copy).toEqual(
      expected === null
        ? null
        : { service: row, gbpsPerUnit: expected[0], until: now + expected[1] * minute },
    )
  })

  test('go on until they are over, and recur every 45 days', () => {
    const copy = { service: 0, gbpsPerUnit: 3, until: now + 1 }
    expect(copied({ nextCopy: now + 1, copy }).account.copy).toBe(copy)
    expect((copied({}, 1, meanDraw).account.nextCopy - now) / day).toBeCloseTo(45, 6)
  })

  test.each([
    [1, [3, 6], 9],
    [0.99, [0, 0], 0],
  ])('load hosts by unit, unless their customer is limited to %f of its demand', (surgeFactor, gbps, all) => {
    const { state, world, account } = copied({ surgeFactor, copyGbps: 5 })
    addCopy(state, account)
    expect([...world.load.copyGbps.subarray(0, 2)]).toEqual(gbps)
    expect([...world.load.wantedEastWestGbps.subarray(0, 2)]).toEqual(gbps)
    expect(account.copyGbps).toBe(all)
    account.copy = null
    addCopy(state, account)
    expect(account.copyGbps).toBe(0)
  })
})
