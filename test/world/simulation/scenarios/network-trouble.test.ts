import { describe, expect, test } from 'vitest'
import {
  highestBand,
  incidentOf,
  isRepaired,
  minutesBroken,
  minutesOf,
  ordersOf,
  repairOf,
  stepsOf,
  affectedCustomers,
  runScenarios,
  worstFailing,
} from './scenario-run.ts'

/** Times are in minutes of the session; random faults occur in both worlds. */

const { baselineOf, runOf } = runScenarios({
  'misconfigured-gateway': 10,
  'cable-cut-breaks-redundancy': 10,
  'broadcast-storm': 10,
})

describe('cable-cut-breaks-redundancy', () => {
  const run = runOf('cable-cut-breaks-redundancy', 17)
  const cuts = () => run.faults.map((_, nth) => incidentOf(run, 'CableCut', nth))

  test('each cut opens an incident of its own, which says which cable it is', () => {
    expect(minutesOf(run, 'ScenarioStep')).toEqual([60, 150, 180, 180, 270])
    expect(new Set(cuts().map(({ id }) => id)).size).toBe(8)
    expect(cuts().map(({ symptom }) => symptom)).toEqual(Array.from({ length: 8 }, () => 'LinkDown'))
    expect(cuts().map(({ opened }) => opened)).toEqual([61, 151, 181, 181, 271, 271, 271, 271])
    // A dark line may be cut, its transceiver may be dead, or its carrier is down. The immediate consequences of the last
    // cut make other causes likelier at first.
    const suspected = cuts()
      .slice(0, -1)
      .map((cut) => cut.suspected)
    for (const kind of suspected) expect(['CableCut', 'TransceiverFailure', 'CarrierOutage']).toContain(kind)
    expect(suspected).toContain('CableCut')
  })

  test('the first ones affect no customer; at the peak the remaining lines are saturated', () => {
    expect(worstFailing(run, 61, 269)).toBeLessThan(0.02)
    const evening = worstFailing(run, 271, 480)
    expect(evening).toBeGreaterThan(0.02)
    expect(evening).toBeLessThan(0.6)
    const other = baselineOf('cable-cut-breaks-redundancy')
    expect(affectedCustomers(run, other).length).toBeGreaterThanOrEqual(5)
    expect(minutesOf(run, 'LinkSaturated', '-gw').some((minute) => minute > 270)).toBe(true)
    const bands = [...run.incidents.values()]
      .filter(({ opened, ended }) => opened < 480 && (ended ?? 9_999) > 271)
      .flatMap((incident) => incident.bands)
    expect(bands.some((band) => band === 'Major' || band === 'Critical')).toBe(true)
  })

  test('the carrier splices its lines, our people pull new cables', () => {
    const repairs = run.faults.map((_, nth) => repairOf(run, 'CableCut', nth))
    expect(repairs.map(({ kind }) => kind)).toEqual([
      'Repair',
      'Recable',
      'Recable',
      'Recable',
      'Repair',
      'Repair',
      'Repair',
      'Repair',
    ])
    for (const repair of repairs) {
      expect(repair.actor).toBe('Staff')
      expect(stepsOf(repair)).toMatch(
        repair.kind === 'Repair'
          ? /^Assign Inspect Splice Test$/
          : /^Assign Travel FetchSpare (Splice|Swap) Test$/,
      )
    }
    expect(run.faults.every(({ target }) => isRepaired(run, target))).toBe(true)
    expect(cuts().every(({ ended }) => ended !== null)).toBe(true)
    expect(worstFailing(run, 750, 810)).toBeLessThan(0.1)
  })
})

describe('broadcast-storm', () => {
  const run = runOf('broadcast-storm', 10)

  test('the storm is Critical within minutes, and known for what it is', () => {
    const storm = incidentOf(run, 'BroadcastStorm')
    expect(storm).toMatchObject({ symptom: 'TrafficFlood', suspected: 'BroadcastStorm' })
    expect(storm.opened).toBeGreaterThanOrEqual(90)
    expect(storm.opened).toBeLessThanOrEqual(91)
    expect(storm.bands).toContain('Critical')
    expect(storm.customers).toBeGreaterThanOrEqual(10)
    expect(minutesOf(run, 'LinkSaturated').filter((minute) => minute < 100).length).toBeGreaterThan(0)
    expect(minutesOf(run, 'LinkRecovered').filter((minute) => minute < 190).length).toBeGreaterThan(0)
  })

  test('operators shut the looping port before the storm would have ebbed away', () => {
    const storm = incidentOf(run, 'BroadcastStorm')
    const repair = ordersOf(run, storm).find(({ kind }) => kind === 'Reconfigure')!
    expect(repair.actor).toBe('Staff')
    expect(stepsOf(repair)).toBe('Assign Inspect Configure Test')
    expect(storm.ended! - storm.opened).toBeLessThan(90)
    expect(worstFailing(run, 190, 235)).toBeLessThan(0.05)
  })

  test('the firmware fault is as grave, and the automation rolls it back', () => {
    const fault = incidentOf(run, 'FirmwareFault')
    expect(fault.opened).toBeGreaterThanOrEqual(360)
    expect(fault.opened).toBeLessThanOrEqual(362)
    expect(['Major', 'Critical']).toContain(highestBand(run, 361, 380))
    const repair = repairOf(run, 'FirmwareFault')
    expect(repair.actor).toBe('Automation')
    expect(stepsOf(repair)).toBe('Configure Test')
    expect(minutesBroken(run, 'FirmwareFault')).toBeLessThan(150)
  })

  test('the zone suffers twice, and is the less content for it', () => {
    const other = baselineOf('broadcast-storm')
    const suffered = affectedCustomers(run, other)
    expect(suffered.length).toBeGreaterThanOrEqual(10)
    expect(worstFailing(run, 91, 180)).toBeGreaterThan(0.1)
    expect(worstFailing(run, 361, 500)).toBeGreaterThan(0.1)
    expect(worstFailing(run, 560, 600)).toBeLessThan(0.05)
    const angrier = suffered.filter(
      ({ id, lowestSatisfaction }) =>
        lowestSatisfaction < other.customers.get(id)!.lowestSatisfaction - 0.005,
    )
    expect(angrier.length).toBeGreaterThan(suffered.length / 2)
  })
})

describe('misconfigured-gateway', () => {
  const run = runOf('misconfigured-gateway', 10)

  test('the gateway carries nothing, and the other one carries all: an incident without impact', () => {
    const silent = incidentOf(run, 'Misconfiguration', 0)
    expect(silent).toMatchObject({ symptom: 'RedundancyLost', suspected: 'Misconfiguration', opened: 81 })
    expect(silent.bands).toEqual(['Watch'])
    expect(silent.customers).toBe(0)
    expect(worstFailing(run, 81, 290)).toBeLessThan(0.02)
    expect(silent.ended! - silent.opened).toBeLessThan(4 * 60)
  })

  test('the wrong rule drops what passes the firewall, first seen as requests that fail', () => {
    const rule = incidentOf(run, 'Misconfiguration', 1)
    expect(['FailedRequests', 'PacketLoss', 'ServiceDown']).toContain(rule.symptom)
    expect(rule.opened).toBeGreaterThanOrEqual(300)
    expect(rule.opened).toBeLessThanOrEqual(303)
    expect(rule.bands.some((band) => band === 'Major' || band === 'Critical')).toBe(true)
    expect(rule.customers).toBeGreaterThanOrEqual(8)
    // One of at least two firewalls drops a fifth of the traffic in both directions.
    expect(worstFailing(run, 301, 330)).toBeGreaterThan(0.05)
    expect(worstFailing(run, 301, 330)).toBeLessThan(0.4)
  })

  test('both changes are rolled back by hand, and then all is as if nothing had been', () => {
    for (const nth of [0, 1]) {
      const repair = ordersOf(run, incidentOf(run, 'Misconfiguration', nth)).find(
        ({ kind }) => kind === 'Reconfigure',
      )!
      expect(repair.actor).toBe('Staff')
      expect(stepsOf(repair)).toBe('Assign Inspect Configure Test')
    }
    expect(run.faults.every(({ target }) => isRepaired(run, target))).toBe(true)
    const other = baselineOf('misconfigured-gateway')
    expect(affectedCustomers(run, other).length).toBeGreaterThanOrEqual(8)
    expect(worstFailing(run, 500, 600)).toBeLessThanOrEqual(worstFailing(other, 500, 600) + 0.01)
  })
})
