import { expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { drillEnd } from '../../../../src/world/simulation/operations/fire-drills.ts'
import { day, hour, minute, stepLength, weekdayOf } from '../../../../src/world/simulation/time.ts'
import { access, step } from '../../../../src/world/simulation/work/plans.ts'
import { createQuietWorld } from '../quiet-world.ts'

const drill = 37 * day + 10 * hour

test('a fire drill is on a Wednesday morning twice a year, for 25 minutes, in one region at a time', () => {
  const { state } = createQuietWorld(1n, 'medium')
  const endAt = (now: number, zone = 0) => {
    state.now = now
    return drillEnd(state, zone)
  }
  expect(weekdayOf(drill)).toBe(2)
  expect([
    endAt(drill - 1),
    endAt(drill),
    endAt(drill + 25 * minute - 1),
    endAt(drill + 25 * minute),
  ]).toEqual([null, drill + 25 * minute, drill + 25 * minute, null])
  expect(endAt(drill + 182 * day)).toBe(drill + 182 * day + 25 * minute)
  expect(endAt(drill, -1)).toBeNull()
  const elsewhere = state.topology.zones.findIndex(({ region }) => region === 1)
  expect([endAt(drill, elsewhere), endAt(drill + 35 * day, elsewhere)]).toEqual([
    null,
    drill + 35 * day + 25 * minute,
  ])
})

test('work inside pauses for the drill, work that would begin waits for it, and both are told', () => {
  const world = createQuietWorld(1n)
  const { state, work } = world
  const plan = { kind: 'Upkeep', skill: 'hardware', onSite: true } as const
  const until = (now: number): void => {
    for (; state.now < now; state.now += stepLength) work.dispatcher.step()
  }
  state.now = drill - 20 * minute
  const about = { zone: 0, priority: 1 }
  const inside = work.order({ ...plan, label: 'Inside', steps: [step('Swap', 'Swap it', 60)] }, about)
  until(drill)
  const { stepEnds } = inside
  until(drill + minute)
  const steps = [step('Swap', 'Swap it', 10, access)]
  const outside = work.order({ ...plan, label: 'Outside', steps }, { ...about, zone: 0 })
  until(drill + 20 * minute)
  expect(inside.stepEnds).toBe(stepEnds! + 25 * minute)
  expect([outside.blocking, outside.waitsUntil]).toEqual(['WaitingForAccess', drill + 25 * minute])
  const texts = state.events.state.window.map(({ msg_key, msg_args }) => messageText(msg_key, msg_args))
  expect(texts).toContain(
    `Fire drill in ${state.topology.regions[0].name}: everyone leaves the buildings for 25 min.`,
  )
  expect(texts).toContain('On hold because the building is evacuated for a fire drill: Outside.')
  until(drill + 26 * minute)
  expect(outside.blocking).toBeNull()
})
