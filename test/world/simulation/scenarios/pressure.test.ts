import { describe, expect, test } from 'vitest'
import { shippedScenario } from '../../../../src/world/scenarios/shipped.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import {
  minutesOf,
  ordersOf,
  stepsOf,
  affectedCustomers,
  runScenarios,
  worstFailing,
} from './scenario-run.ts'
import { runUntil } from './scripted-world.ts'

/** Times are in minutes of the session; random faults occur in both worlds. */

const { baselineOf, runOf } = runScenarios({ 'ddos-friday': 12, 'capacity-squeeze': 12 })

describe('ddos-friday', () => {
  const run = runOf('ddos-friday', 12)
  const attacks = (from: number, to: number) =>
    [...run.incidents.values()].filter(
      ({ opened, rootKind, suspected }) =>
        opened >= from && opened < to && (rootKind === 'Attack' || suspected === 'Attack'),
    )

  test('the scan in the afternoon is detected and affects no customer', () => {
    const [scan] = attacks(70, 80)
    expect(scan).toMatchObject({ symptom: 'SuspiciousLogins', rootKind: 'Attack' })
    expect(scan.bands).toEqual(['Watch'])
    expect(scan.customers).toBe(0)
    expect(scan.ended! - scan.opened).toBeLessThan(90)
  })

  test('the small flood passes by itself within the half-hour', () => {
    const [flood] = attacks(180, 185)
    expect(flood.symptom).toBe('TrafficFlood')
    expect(flood.bands).not.toContain('Critical')
    expect(flood.ended! - flood.opened).toBeLessThan(30)
    expect(worstFailing(run, 182, 196)).toBeLessThan(0.1)
  })

  test('at six the real one fills the lines and becomes Critical', () => {
    const [flood] = attacks(360, 363)
    expect(flood).toMatchObject({ symptom: 'TrafficFlood', rootKind: 'Attack' })
    expect(flood.bands).toContain('Critical')
    expect(flood.customers).toBeGreaterThanOrEqual(10)
    expect(
      minutesOf(run, 'LinkSaturated').filter((minute) => minute >= 360 && minute < 375).length,
    ).toBeGreaterThan(2)
    expect(worstFailing(run, 362, 440)).toBeGreaterThan(0.15)
    const filter = ordersOf(run, flood).find(({ kind }) => kind === 'Mitigate')!
    expect(filter.actor).toBe('Automation')
    expect(stepsOf(filter)).toBe('Inspect Filter Test')
    expect(flood.ended! - flood.opened).toBeLessThan(80)
  })

  test('an attack on the application is filtered by hand, and hurts its target alone', () => {
    const byHand = [...run.workOrders.values()].find(
      ({ kind, kind_label }) => kind === 'Mitigate' && kind_label.includes('the request flood'),
    )!
    expect(byHand.actor).toBe('Staff')
    expect(stepsOf(byHand)).toBe('Assign Inspect Filter Test')
    const incident = run.incidents.get(Number(byHand.incident_id))!
    expect(incident.rootKind).toBe('Attack')
    expect(incident.bands).not.toContain('Critical')
  })

  test('at nine intruders get in, and are out two hours later at most', () => {
    const breach = minutesOf(run, 'Breach').find((minute) => minute >= 540)!
    expect(breach).toBeLessThan(550)
    const [intrusion] = attacks(540, 545)
    expect(intrusion.symptom).toBe('SuspiciousLogins')
    expect(intrusion.bands.some((band) => band === 'Major' || band === 'Critical')).toBe(true)
    expect(intrusion.ended! - intrusion.opened).toBeLessThanOrEqual(126)
    expect(run.world.state.tenants.active.some(({ breached }) => breached)).toBe(false)
  })

  test('customers beside the target suffer with it', () => {
    expect(affectedCustomers(run, baselineOf('ddos-friday')).length).toBeGreaterThanOrEqual(10)
    expect(run.faults.every(({ ended }) => ended !== null)).toBe(true)
  })
})

describe('capacity-squeeze', () => {
  const run = runOf('capacity-squeeze', 25)

  test('nothing breaks of it: hosts are taken out, and users come', () => {
    expect(new Set(run.faults.map(({ kind }) => kind))).toEqual(new Set(['DemandSurge']))
    expect(minutesOf(run, 'ScenarioStep')).toEqual([120, 180, 360, 420, 660, 720])
  })

  test('it gets worse from hour to hour, and is over when the campaign is', () => {
    const failing = (from: number, to: number): number => {
      const all = [...run.customers.values()].flatMap(({ failingAt }) => failingAt.slice(from * 60, to * 60))
      return all.reduce((sum, share) => sum + share, 0) / all.length
    }
    expect(failing(0, 2)).toBeLessThan(0.001)
    expect(failing(7, 12)).toBeGreaterThan(failing(2, 6))
    expect(failing(12, 17)).toBeGreaterThan(0.001)
    expect(failing(19, 25)).toBeLessThan(failing(12, 17) / 2)
  })

  test('customers wait, then fail; incidents are found to be rushes and want of room', () => {
    const causes = [...run.incidents.values()]
      .filter(({ opened }) => opened >= 180 && opened < 1_000)
      .map(({ rootKind }) => rootKind)
    expect(causes).toContain('DemandSurge')
    const other = baselineOf('capacity-squeeze')
    const suffered = affectedCustomers(run, other)
    expect(suffered.length).toBeGreaterThanOrEqual(8)
    const slow = suffered.filter(({ minutesSlow }) => minutesSlow > 60)
    expect(slow.length).toBeGreaterThanOrEqual(4)
    const reached = new Set([...run.incidents.values()].flatMap((incident) => incident.bands))
    expect(reached).toContain('Minor')
    expect(reached).toContain('Major')
  })

  test('the platform people ride the rushes out', () => {
    const rides = [...run.workOrders.values()].filter(({ kind_label }) => kind_label.startsWith('Absorb'))
    expect(rides.length).toBeGreaterThanOrEqual(2)
    expect(stepsOf(rides[0])).toBe('Assign Inspect Configure Test')
    expect(rides[0].actor).toBe('Staff')
  })
})

test('quiet-week: a week at medium without an incident above Watch or a failing customer', () => {
  const scenario = shippedScenario('quiet-week')!
  const world = createSimulation({ seed: 2n, scale: 'medium', warmUp: 0, scenario, speed: 60 })
  const above = new Set<string>()
  const opened = new Set<number>()
  let worst = 0
  runUntil(world, 7 * day, () => {
    const { incidents, tenants, now } = world.state
    for (const { id, band } of incidents.values()) {
      opened.add(id)
      if (band !== 'Watch') above.add(`incident ${id} in ${band}`)
    }
    if (now > hour) for (const { failing } of tenants.active) worst = Math.max(worst, failing)
  })
  expect([...above]).toEqual([])
  expect(opened.size).toBeLessThan(20)
  expect(worst).toBeLessThan(0.1)
  expect(world.state.faults.active.every(({ kind }) => kind === 'CapacityExhaustion')).toBe(true)
})
