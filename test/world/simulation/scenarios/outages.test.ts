import { describe, expect, test } from 'vitest'
import { bands } from '../../../../src/contract/vocabularies.ts'
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
  'core-switch-at-peak': 10,
  'power-feed-lost': 10,
  'hot-afternoon': 10,
})

describe('core-switch-at-peak', () => {
  const run = runOf('core-switch-at-peak', 10)

  test('at eight the core switch dies, and a quarter of an hour later a transceiver beside it', () => {
    expect(minutesOf(run, 'ScenarioStep')).toEqual([10, 25])
    const dead = incidentOf(run, 'SwitchFailure')
    expect(dead).toMatchObject({ symptom: 'LinkDown', suspected: 'SwitchFailure' })
    expect(dead.opened).toBeGreaterThanOrEqual(10)
    expect(dead.opened).toBeLessThanOrEqual(12)
  })

  test('the first affects no customer, as the other core carries all; the second affects all customers behind it', () => {
    const dead = incidentOf(run, 'SwitchFailure')
    expect(dead.bands[0]).toBe('Watch')
    expect(worstFailing(run, 11, 24)).toBeLessThan(0.01)
    expect(worstFailing(run, 26, 85)).toBeGreaterThan(0.03)
    expect(worstFailing(run, 26, 85)).toBeLessThan(0.5)
    expect(['Major', 'Critical']).toContain(highestBand(run, 25, 45))
    const felt = [...run.incidents.values()].map(({ customers }) => customers)
    expect(Math.max(...felt)).toBeGreaterThanOrEqual(8)
  })

  test('those who suffer are less content than they would have been', () => {
    const other = baselineOf('core-switch-at-peak')
    const suffered = affectedCustomers(run, other)
    expect(suffered.length).toBeGreaterThanOrEqual(8)
    const angrier = suffered.filter(
      ({ id, lowestSatisfaction }) =>
        lowestSatisfaction < other.customers.get(id)!.lowestSatisfaction - 0.005,
    )
    expect(angrier.length).toBeGreaterThan(suffered.length / 2)
  })

  test('people replace both, and it is over before the night is', () => {
    const [diagnosis] = ordersOf(run, incidentOf(run, 'SwitchFailure'))
    const replacement = repairOf(run, 'SwitchFailure')
    expect(diagnosis).toMatchObject({ kind: 'Diagnose', actor: 'Staff' })
    expect(stepsOf(diagnosis)).toBe('Assign Inspect')
    expect(replacement).toMatchObject({ kind: 'Replace', actor: 'Staff', blocking: null })
    expect(stepsOf(replacement)).toBe('Assign Travel FetchSpare Swap Configure Test')
    expect(stepsOf(repairOf(run, 'TransceiverFailure'))).toBe('Assign Travel FetchSpare Swap Test')
    for (const kind of ['SwitchFailure', 'TransceiverFailure'] as const) {
      expect(minutesBroken(run, kind)).toBeGreaterThan(30)
      expect(minutesBroken(run, kind)).toBeLessThan(6 * 60)
    }
    expect(run.faults.every(({ target }) => isRepaired(run, target))).toBe(true)
    expect(worstFailing(run, 590, 600)).toBeLessThan(0.02)
    expect(minutesOf(run, 'PartRestored', '-core')).toHaveLength(1)
  })
})

describe('power-feed-lost', () => {
  const run = runOf('power-feed-lost', 10)

  test('at first some hosts run on one supply, which affects no customer', () => {
    const broken = run.faults.filter(({ kind }) => kind === 'PowerSupplyFailure')
    expect(broken.length).toBeGreaterThanOrEqual(3)
    for (let nth = 0; nth < broken.length; nth++) {
      const { symptom, opened, bands } = incidentOf(run, 'PowerSupplyFailure', nth)
      expect({ symptom, opened, first: bands[0] }).toEqual({
        symptom: 'RedundancyLost',
        opened: 106,
        first: 'Watch',
      })
    }
  })

  test('at eight the feed trips, and just these hosts go dark', () => {
    expect(minutesOf(run, 'PowerLost')).toEqual([120])
    expect(incidentOf(run, 'PowerFeedLoss')).toMatchObject({
      symptom: 'HostUnreachable',
      opened: 120,
      suspected: 'PowerFeedLoss',
    })
    const dark = run.faults.filter(({ kind }) => kind === 'PowerSupplyFailure').length
    const silent = run.events.filter(
      ({ kind, text, minute }) => kind === 'PartFailed' && text.includes('does not respond') && minute < 125,
    )
    // An incident announces six of the parts that fall silent.
    expect(dark).toBeGreaterThan(6)
    expect(silent.filter(({ minute }) => minute >= 120)).toHaveLength(6)
  })

  test('their units are stranded for minutes, until they run elsewhere', () => {
    const other = baselineOf('power-feed-lost')
    const stranded = [...run.customers.values()].filter(
      ({ id, mostStranded }) => mostStranded > other.customers.get(id)!.mostStranded,
    )
    expect(stranded.length).toBeGreaterThanOrEqual(3)
    expect(worstFailing(run, 120, 125)).toBeGreaterThan(0.05)
    // A host of another zone fails at random at 204, for some minutes.
    expect(worstFailing(run, 220, 600)).toBeLessThan(0.1)
  })

  test('the supplier is waited for, and the feed is back in the afternoon', () => {
    const feed = incidentOf(run, 'PowerFeedLoss')
    const repair = repairOf(run, 'PowerFeedLoss')
    expect(repair.actor).toBe('Staff')
    expect(stepsOf(repair)).toBe('Assign Travel Inspect Swap Test Restore')
    expect(minutesOf(run, 'WorkBlocked', "the utility's crew is on the way").length).toBeGreaterThan(0)
    const [restored] = minutesOf(run, 'PowerRestored')
    expect(restored).toBeGreaterThan(180)
    expect(restored).toBeLessThan(600)
    expect(feed.ended! - restored).toBeLessThanOrEqual(5)
    expect(run.faults.every(({ target }) => isRepaired(run, target))).toBe(true)
  })
})

describe('hot-afternoon', () => {
  const run = runOf('hot-afternoon', 10)

  test('the first unit that stops is watched, the next ones let hosts throttle and shut down', () => {
    const first = incidentOf(run, 'CoolingFailure')
    expect(first).toMatchObject({ symptom: 'HardwareWarning', suspected: 'CoolingFailure', opened: 121 })
    expect(first.bands[0]).toBe('Watch')
    expect(worstFailing(run, 121, 179)).toBeLessThan(0.02)
    const silent = run.events.filter(
      ({ kind, text, minute }) => kind === 'PartFailed' && text.includes('does not respond') && minute > 180,
    )
    expect(silent.length).toBeGreaterThanOrEqual(3)
  })

  test('it becomes Critical, and eases when the units come back', () => {
    const worst = [...run.incidents.values()].find(
      ({ rootKind, bands }) => rootKind === 'CoolingFailure' && bands.includes('Critical'),
    )!
    expect(worst.customers).toBeGreaterThanOrEqual(8)
    expect(worst.timeline).toContain('CustomersAffected')
    expect(run.highestBandAt.slice(0, 180)).not.toContain(bands.indexOf('Critical'))
    expect(worstFailing(run, 200, 300)).toBeGreaterThan(0.3)
    expect(worstFailing(run, 500, 600)).toBeLessThan(0.05)
  })

  test('each unit is the cause of one incident only', () => {
    const units = [...run.incidents.values()]
      .filter(({ rootKind }) => rootKind === 'CoolingFailure')
      .map(({ rootId }) => rootId)
    expect(units.length).toBeGreaterThan(1)
    expect(new Set(units).size).toBe(units.length)
  })

  test('customers of the zone fail, wait and are credited', () => {
    const other = baselineOf('hot-afternoon')
    const suffered = affectedCustomers(run, other)
    expect(suffered.length).toBeGreaterThanOrEqual(8)
    const slower = suffered.filter(
      ({ id, minutesSlow }) => minutesSlow > 20 + other.customers.get(id)!.minutesSlow,
    )
    expect(slower.length).toBeGreaterThanOrEqual(4)
  })

  test('who knows about cooling repairs the units one after another', () => {
    const repairs = run.faults
      .filter(({ kind }) => kind === 'CoolingFailure')
      .map((_, nth) => repairOf(run, 'CoolingFailure', nth))
    expect(repairs.map(({ actor }) => actor)).toEqual(['Staff', 'Staff', 'Staff'])
    for (const repair of repairs) {
      expect(stepsOf(repair)).toMatch(/^Assign Travel Inspect (FetchSpare Swap|Clean) Test$/)
    }
    const mended = run.faults.filter(
      ({ kind, target }) => kind === 'CoolingFailure' && isRepaired(run, target),
    )
    expect(mended.length).toBeGreaterThanOrEqual(2)
    const [zone] = run.world.snapshot().collections.azs
    expect(zone.inlet_celsius).toBeLessThan(27)
  })
})
