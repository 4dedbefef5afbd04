import { describe, expect, test } from 'vitest'
import { Roster } from '../../../../src/world/simulation/operations/roster.ts'
import type { Technician } from '../../../../src/world/simulation/operations/technicians.ts'
import {
  createTechnician,
  hasSkill,
  headcountFor,
  hireStaff,
  isOnShift,
  nextShiftChange,
  standbyWageShare,
} from '../../../../src/world/simulation/operations/technicians.ts'
import type { Skill } from '../../../../src/world/simulation/work/plans.ts'
import { skills } from '../../../../src/world/simulation/work/plans.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { FixedStream } from '../fixed-stream.ts'

const middle = new FixedStream(0.5)

/** Regions with a zone of two racks each; region 0 has a second zone without racks. */
const topologyOf = (hosts: number, regions = 1): Topology =>
  ({
    hosts: { rows: { length: hosts } },
    regions: Array.from({ length: regions }, () => ({})),
    zones: [
      ...Array.from({ length: regions }, (_, region) => ({ region, racks: [0, 1] })),
      { region: 0, racks: [] },
    ],
  }) as unknown as Topology

test.each([
  [0, 4],
  [1, 5],
  [64, 10],
  [65, 11],
  [100, 12],
  [1_000, 28],
])('%i hosts need a staff of %i', (hosts, staff) => {
  expect(headcountFor(hosts)).toBe(staff)
})

test.each([
  [24, 1, { hardware: 3, network: 2, power: 1, security: 1, platform: 1 }],
  [100, 1, { hardware: 5, network: 3, power: 2, security: 1, platform: 2 }],
  [1_000, 1, { hardware: 11, network: 6, power: 4, security: 3, platform: 4 }],
  [4, 3, { hardware: 6, network: 6, power: 3, security: 1, platform: 1 }],
])('%i hosts in %i regions are staffed by skill', (hosts, regions, expected) => {
  const staff = hireStaff(topologyOf(hosts, regions), middle)
  expect(
    Object.fromEntries(skills.map((skill) => [skill, staff.filter((one) => one.skill === skill).length])),
  ).toEqual(expected)
  expect(staff.map(({ id }) => id)).toEqual(staff.map((_, index) => index + 1))
})

test('technicians of a skill go to the regions in turn, and count within each', () => {
  const staff = hireStaff(topologyOf(4, 3), middle).filter(({ skill }) => skill === 'network')
  expect(staff.map(({ region }) => region)).toEqual([0, 1, 2, 0, 1, 2])
  expect(staff.map(({ shift }) => shift)).toEqual([0, 0, 0, 1, 1, 1])
})

test('technicians stand where the racks are; a zone without racks counts as one', () => {
  const zonesDrawn = [0, 0.6, 0.7, 1 - 1e-9].map(
    (fraction) => hireStaff(topologyOf(1), new FixedStream(fraction))[0].zone,
  )
  expect(zonesDrawn).toEqual([0, 0, 1, 1])
})

test.each<[Skill, number, Skill, number[], number[]]>([
  ['hardware', 31, 'power', [0, 2, 1, 0, 0, 1, 0, 2, 1, 0, 0], [0, 3, 6, 2, 5, 1, 4, 0, 3, 6, 2]],
  ['network', 40, 'security', [0, 1, 2, 0, 1, 0, 0], [2, 5, 1, 4, 0, 3, 6]],
  ['power', 37, 'hardware', [0, 1, 2, 0, 0], [4, 0, 3, 6, 2]],
  ['security', 46, 'platform', [1, 0, 2, 0, 1], [6, 2, 5, 1, 4]],
  ['platform', 44, 'network', [0, 1, 2, 0, 0], [1, 4, 0, 3, 6]],
])(
  'a technician for %s earns %i dollars an hour; every other one knows %s too',
  (skill, wage, second, shifts, off) => {
    const hired = shifts.map((_, nth) => createTechnician(1, skill, nth, 0, [0], middle, 0))
    expect(hired.map((one) => one.wage)).toEqual(shifts.map(() => wage))
    expect(hired.map((one) => one.shift)).toEqual(shifts)
    expect(hired.map((one) => one.dayOff)).toEqual(off)
    expect(hired.map((one) => one.secondSkill)).toEqual(
      shifts.map((_, nth) => (nth % 2 === 0 ? second : null)),
    )
    expect([hasSkill(hired[0], skill), hasSkill(hired[0], second), hasSkill(hired[1], second)]).toEqual([
      true,
      true,
      false,
    ])
    expect(hired[0]).toMatchObject({ order: 0, staysUntil: 0, restsUntil: 0, name: 'Umut L.' })
  },
)

test.each([
  [0, 0],
  [50, 0.15],
  [100, 0.3],
  [200, 0.3],
])('with %i hosts standby pays %d of the wage', (hosts, share) => {
  expect(standbyWageShare(hosts)).toBeCloseTo(share, 12)
})

const technician = (of: Partial<Technician>): Technician => ({
  ...createTechnician(1, 'hardware', 1, 0, [0], middle, 0),
  shift: 0,
  dayOff: 5,
  ...of,
})

describe('shifts', () => {
  test.each([
    ['early', 0, 7, 15],
    ['late', 1, 15, 23],
    ['night', 2, 23, 31],
  ])('the %s one of Monday', (_, shift, from, until) => {
    const one = technician({ shift })
    const times = [from * hour - 1, from * hour, until * hour - 1, until * hour]
    expect(times.map((at) => isOnShift(one, at))).toEqual([false, true, true, false])
  })

  test.each([
    [0, [2, 3, 4, 5, 6]],
    [3, [0, 1, 2, 5, 6]],
    [6, [1, 2, 3, 4, 5]],
  ])('two days off from weekday %i leave the others', (dayOff, working) => {
    const weekdays = [0, 1, 2, 3, 4, 5, 6]
    for (const [shift, clock] of [
      [0, 8],
      [1, 16],
      [2, 23],
      [2, 30],
    ]) {
      const one = technician({ shift, dayOff })
      expect(weekdays.filter((weekday) => isOnShift(one, (7 + weekday) * day + clock * hour))).toEqual(
        working,
      )
    }
  })

  test('a technician who was called out is there until the stay ends', () => {
    const one = technician({ staysUntil: 3 * hour })
    expect([3 * hour - 1, 3 * hour].map((at) => isOnShift(one, at))).toEqual([true, false])
  })

  test.each([
    [0, 7],
    [6.99, 7],
    [7, 15],
    [15, 23],
    [23, 31],
    [30.5, 31],
  ])('after %d h the next begins at %i h', (now, next) => {
    expect(nextShiftChange(now * hour)).toBe(next * hour)
  })
})

describe('the roster', () => {
  const monday = 7 * day + 10 * hour
  /** Zones 0 and 2 are in region 0, zone 1 in region 1. */
  function rosterOf(...staff: Partial<Technician>[]): Roster {
    const roster = new Roster(topologyOf(100, 2), middle)
    const named = staff.map((one, index) => technician({ id: index + 1, secondSkill: null, ...one }))
    roster.state.staff.splice(0, Infinity, ...named)
    return roster
  }

  test.each<[string, Partial<Technician>[], Skill | 'any', number, number | undefined]>([
    ['the closest', [{ zone: 2 }, { zone: 0 }], 'hardware', 0, 2],
    ['the first of equally close ones', [{ zone: 0 }, { zone: 0 }], 'hardware', 0, 1],
    [
      'a specialist rather than a second skill as close',
      [{ skill: 'power', secondSkill: 'hardware' }, {}],
      'hardware',
      0,
      2,
    ],
    [
      'a second skill that is closer',
      [{ zone: 2 }, { skill: 'power', secondSkill: 'hardware' }],
      'hardware',
      0,
      2,
    ],
    ['none of another skill', [{ skill: 'power' }], 'hardware', 0, undefined],
    ['any', [{ skill: 'power' }], 'any', 0, 1],
    ['none that works', [{ order: 7 }, {}], 'hardware', 0, 2],
    ['none off shift', [{ shift: 1 }], 'hardware', 0, undefined],
    ['none of another region', [{ region: 1 }], 'hardware', 0, undefined],
    [
      'any region for remote work, all equally close',
      [{ region: 1, zone: 1 }, { zone: 0 }],
      'hardware',
      -1,
      1,
    ],
  ])('chooses %s', (_, staff, skill, zone, expected) => {
    expect(rosterOf(...staff).findFree(skill, zone, monday)?.id).toBe(expected)
  })

  test.each<[string, Partial<Technician>[], number | undefined]>([
    ['a specialist', [{ shift: 1, skill: 'power', secondSkill: 'hardware' }, { shift: 1 }], 2],
    ['a second skill without a specialist', [{ shift: 1, skill: 'power', secondSkill: 'hardware' }], 1],
    ['no one on shift', [{ shift: 0 }], undefined],
    ['no one still at work', [{ shift: 1, order: 3 }], undefined],
    ['no one who rests', [{ shift: 1, restsUntil: monday + 1 }], undefined],
    ['who has rested', [{ shift: 1, restsUntil: monday }], 1],
    ['no one of another region', [{ shift: 1, region: 1 }], undefined],
    ['no one of another skill', [{ shift: 1, skill: 'power' }], undefined],
  ])('calls out %s', (_, staff, expected) => {
    expect(rosterOf(...staff).findAtHome('hardware', 0, monday)?.id).toBe(expected)
  })

  test.each([
    [0, 0, 15],
    [1, 0, 30],
    [0, -1, 5],
    [1, -1, 12],
  ])(
    'a technician who is called out (draw %i) to zone %i is there after %i minutes, stays 5 h and rests 7 h',
    (draw, zone, minutes) => {
      const roster = new Roster(topologyOf(100), new FixedStream(draw))
      const one = roster.technician(1)
      expect(roster.callOut(one, zone, monday)).toBe(minutes * minute)
      expect(one).toMatchObject({ staysUntil: monday + 5 * hour, restsUntil: monday + 12 * hour })
    },
  )

  test('a way takes 6 minutes inside a zone and 24 to another', () => {
    const roster = rosterOf({ zone: 0 })
    const [one] = roster.staff
    expect([-1, 0, 2].map((zone) => roster.travelTime(one, zone))).toEqual([
      6 * minute,
      6 * minute,
      24 * minute,
    ])
  })

  test.each([
    [0, 3],
    [59, 3],
    [60, 4],
    [600, 13],
  ])('the automation does for %i hosts %i tasks at a time', (hosts, slots) => {
    const roster = new Roster(topologyOf(hosts), middle)
    expect(roster.state.automationSlotsFree).toBe(slots)
    roster.addAutomationSlot()
    expect(roster.state.automationSlotsFree).toBe(slots + 1)
  })

  test('costs standby for those on shift, and the rest of the wage for those at work', () => {
    const roster = rosterOf(
      {},
      { wage: 40, order: 9 },
      { wage: 50, shift: 1 },
      { wage: 10, shift: 1, order: 8 },
    )
    expect(roster.standbyPerHour(monday)).toBeCloseTo(0.3 * (31 + 40), 12)
    expect(roster.activePerHour()).toBeCloseTo(0.7 * (40 + 10), 12)
    expect(roster.onShift(monday)).toBe(3)
  })

  test('is staffed while someone eligible is on shift, at work or not', () => {
    const roster = rosterOf({ order: 9 }, { skill: 'power', shift: 1 })
    const staffed = (skill: Skill | 'any', zone = 0): boolean => roster.isStaffed(skill, zone, monday)
    expect([staffed('hardware'), staffed('any'), staffed('power'), staffed('any', 1)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('hires into the zones in turn', () => {
    const roster = rosterOf({})
    for (let n = 0; n < 3; n++) roster.hire('network', 0)
    expect(roster.staff.slice(1).map(({ id, region, shift }) => [id, region, shift])).toEqual([
      [2, 0, 0],
      [3, 1, 1],
      [4, 0, 2],
    ])
  })
})
