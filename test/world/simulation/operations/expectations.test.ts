import { expect, test } from 'vitest'
import { workSummary } from '../../../../src/words/incidents.ts'
import { isToldWaitOver } from '../../../../src/world/simulation/operations/priority.ts'
import { hour, minute, stepLength, timeOfDay } from '../../../../src/world/simulation/time.ts'
import { step } from '../../../../src/world/simulation/work/plans.ts'
import { createQuietWorld } from '../quiet-world.ts'
import type { QuietWorld } from '../quiet-world.ts'
import { createRunningWorld } from '../running-world.ts'

/** A Monday at an hour, with the technicians of one skill on these shifts. */
function worldAt(clock: number, shifts: readonly number[]): QuietWorld {
  const world = createQuietWorld(1n)
  world.state.now = 168 * hour + clock * hour
  world.state.tick = world.state.now / stepLength
  const { staff } = world.work.dispatcher.roster.state
  const common = {
    skill: 'power',
    secondSkill: null,
    region: world.state.topology.zones[0].region,
    zone: 0,
  } as const
  const team = shifts.map((shift, at) => ({ ...staff[0], ...common, id: at + 1, shift, dayOff: 4 }))
  staff.splice(0, Infinity, ...team)
  return world
}

const order = ({ work }: QuietWorld, minutes: number, priority: number, needs?: Parameters<typeof step>[3]) =>
  work.order(
    {
      kind: 'Repair',
      label: 'Mend it',
      skill: 'power',
      onSite: true,
      steps: [step('Inspect', 'Look at it', 10), step('Swap', 'Mend it', minutes, needs)],
    },
    { zone: 0, priority, incidentId: 1 },
  )

const told = ({ notes }: QuietWorld): string[] =>
  notes.flatMap(({ detail }) => (detail.includes('Mend it') ? [detail] : []))

test('work that a supplier held up is told as resumed, by the same technician too', () => {
  const world = worldAt(9, [0])
  order(world, 30, 1, { kind: 'Vendor', wait: 'the vendor has yet to come', minutes: [38, 38] })
  world.run(40 * minute)
  expect(told(world).at(-1)).toMatch(
    /^On hold because the vendor has yet to come, expected at about 09:\d\d: Mend it\.$/,
  )
  world.run(14 * minute)
  expect(told(world).at(-1)).toMatch(/^\S+ \S\. resumed: Mend it\.$/)
})

test('who waits for a technician is told when one is called in, before any is free', () => {
  const world = worldAt(9, [0, 1])
  const long = order(world, 100, 0)
  world.run(stepLength)
  expect(long.isAssigned).toBe(true)
  order(world, 10, 1)
  world.run(4 * minute)
  expect(told(world).at(-1)).toMatch(
    /^On hold because everyone with the skill is busy; someone is called in from home at about 09:07: Mend it\.$/,
  )
  world.run(5 * minute)
  expect(told(world).at(-1)).toMatch(/started: Mend it/)
})

test.each([
  ['someone is called in from home only at about 03:00, as the work is less urgent now', 0],
  ['a technician for power comes on shift at about 07:00, and no one is called in before', Infinity],
])('an announced call-out is called off when the order is less urgent: %s', (reason, restsUntil) => {
  const world = worldAt(23, [0])
  const held = order(world, 10, 1)
  world.run(stepLength)
  const onHold = 'On hold because no one is on shift;'
  const [first] = told(world)
  expect(first).toMatch(/someone is called in from home at about 23:05: Mend it\.$/)
  held.priority = 3
  world.work.dispatcher.roster.state.staff[0].restsUntil = restsUntil
  world.run(2 * minute)
  expect(
    told(world)
      .slice(1)
      .map((text) => text.replace('no one on shift has the skill', 'no one is on shift')),
  ).toEqual([`${onHold} ${reason}: Mend it.`])
  world.run(10 * minute)
  expect(told(world)).toHaveLength(2)
})

test('a technician whose arrival was told is said to be there, and no arrival is told that has passed', () => {
  const world = createRunningWorld(1n, 'small', 0, 10 * hour)
  world.run(10 * minute)
  const [{ cores, hosts }] = world.state.topology.zones
  world.faults.inject({
    kind: 'SwitchFailure',
    target: { kind: 'Switch', row: cores[0] },
    magnitude: 1,
    lasts: null,
  })
  world.faults.inject({
    kind: 'DiskFailure',
    target: { kind: 'Host', row: hosts[0] },
    magnitude: 1,
    lasts: null,
  })
  const said = new Set<string>()
  const passed: string[] = []
  world.run(3 * hour, () => {
    for (const incident of world.incidents.state.open.values()) {
      const last = incident.timeline.findLast(({ kind }) => kind.startsWith('Work'))?.detail ?? ''
      const [, at] = / On site at about (\d\d:\d\d)\.$/.exec(last) ?? []
      said.add(last)
      if (at !== undefined && at < timeOfDay(world.state.now - stepLength).slice(0, 5)) passed.push(last)
    }
  })
  expect(passed).toEqual([])
  const texts = [...said]
  const arrival = texts.findIndex((text) =>
    /^\S+ \S\. .*: Replace .*core1\. On site at about \d\d:\d\d\.$/.test(text),
  )
  expect(arrival).toBeGreaterThan(-1)
  expect(texts.slice(arrival)).toContainEqual(
    expect.stringMatching(/^\S+ \S\. is on site: Replace .*core1\.$/),
  )
})

test('an expected time that has passed is told again', () => {
  const world = worldAt(9, [0])
  const long = order(world, 60, 1)
  world.run(stepLength)
  order(world, 10, 1)
  world.run(2 * minute)
  const first = told(world).at(-1)
  expect(first).toMatch(/the first of them is free at about \d\d:\d\d: Mend it\.$/)
  long.stepEnds! += hour
  world.run(2 * hour)
  expect(told(world).filter((text) => text.includes('the first of them is free')).length).toBe(2)
})

test.each([
  [null, 9, 20, false],
  [9, 11, 13, true],
  [9, 10.9, 13, false],
  [9, 11, 12.9, false],
  [9, 11, null, true],
  [9, 11, Infinity, true],
])('of a wait that was told to end at minute %s, at minute %d, a new end at %s is told: %s', (...given) => {
  const [toldUntil, at, next, isTold] = given.map((one) => (typeof one === 'number' ? one * minute : one))
  const world = worldAt(9, [0])
  const waiting = Object.assign(order(world, 10, 1), { toldUntil, waitsUntil: next })
  expect(isToldWaitOver(waiting, Number(at))).toBe(isTold)
})

test('who waits for busy technicians is told when a shift begins before one of them is free', () => {
  const world = worldAt(14.75, [0, 1])
  order(world, 100, 2)
  world.run(stepLength)
  const next = order(world, 10, 2)
  world.run(5 * minute)
  expect(told(world).at(-1)).toBe(
    'On hold because everyone with the skill is busy; a technician for power comes on shift at about 15:00: Mend it.',
  )
  world.run(11 * minute)
  expect([next.technicianId, next.isAssigned]).toEqual([2, true])
})

test.each([
  [[1], '; a technician for power comes on shift at about 15:00'],
  [[], ''],
])('who waits for the shifts %j is told when one begins', (shifts, when) => {
  const world = worldAt(9, shifts)
  order(world, 10, 4)
  world.run(minute)
  expect(told(world)).toEqual([`On hold because no one is on shift${when}: Mend it.`])
})

test('the last word on an incident whose cause ended by itself is that its repair was called off', () => {
  const world = createRunningWorld(1n, 'small', 0, 10 * hour)
  world.run(10 * minute)
  const [{ id }] = world.state.tenants.active
  world.faults.inject({
    kind: 'FailedRelease',
    target: { kind: 'Customer', id },
    magnitude: 0.6,
    lasts: 25 * minute,
  })
  world.run(2 * hour)
  world.records.update()
  const [incident] = world.records.resolvedIncidents
  expect(workSummary(incident)).toMatch(
    /^(?:\S+ \S\. was called|Called|Automation was called) off: .* \(no longer needed\)\.$/,
  )
  expect(incident.timeline.at(-1)!.kind).toBe('Resolved')
})
