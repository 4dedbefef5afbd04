import { describe, expect, test } from 'vitest'
import { bands } from '../../../../src/contract/vocabularies.ts'
import {
  mostSevere,
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

const { calmOf, runOf: storyOf } = runScenarios({
  'core-switch-at-peak': 10,
  'power-feed-lost': 10,
  'hot-afternoon': 10,
})

describe('core-switch-at-peak', () => {
  const story = storyOf('core-switch-at-peak', 10)

  test('at eight the core switch dies, and an hour later a transceiver beside it', () => {
    expect(minutesOf(story, 'ScenarioStep')).toEqual([240, 300])
    const dead = incidentOf(story, 'SwitchFailure')
    expect(dead).toMatchObject({ symptom: 'LinkDown', suspected: 'SwitchFailure' })
    expect(dead.opened).toBeGreaterThanOrEqual(240)
    expect(dead.opened).toBeLessThanOrEqual(242)
  })

  test('the first affects no customer, as the other core carries all; the second affects all customers behind it', () => {
    const dead = incidentOf(story, 'SwitchFailure')
    expect(dead.bands[0]).toBe('Watch')
    expect(worstFailing(story, 241, 299)).toBeLessThan(0.01)
    expect(worstFailing(story, 301, 360)).toBeGreaterThan(0.03)
    expect(worstFailing(story, 301, 360)).toBeLessThan(0.5)
    expect(['Major', 'Critical']).toContain(mostSevere(story, 300, 320))
    const felt = [...story.incidents.values()].map(({ customers }) => customers)
    expect(Math.max(...felt)).toBeGreaterThanOrEqual(8)
  })

  test('those who suffer are less content than they would have been', () => {
    const other = calmOf('core-switch-at-peak')
    const suffered = affectedCustomers(story, other)
    expect(suffered.length).toBeGreaterThanOrEqual(8)
    const angrier = suffered.filter(
      ({ id, lowestSatisfaction }) =>
        lowestSatisfaction < other.customers.get(id)!.lowestSatisfaction - 0.005,
    )
    expect(angrier.length).toBeGreaterThan(suffered.length / 2)
  })

  test('people replace both, and it is over before the night is', () => {
    const [diagnosis] = ordersOf(story, incidentOf(story, 'SwitchFailure'))
    const replacement = repairOf(story, 'SwitchFailure')
    expect(diagnosis).toMatchObject({ kind: 'Diagnose', actor: 'Staff' })
    expect(stepsOf(diagnosis)).toBe('Assign Inspect')
    expect(replacement).toMatchObject({ kind: 'Replace', actor: 'Staff', blocking: null })
    expect(stepsOf(replacement)).toBe('Assign Travel FetchSpare Swap Configure Test')
    expect(stepsOf(repairOf(story, 'TransceiverFailure'))).toBe('Assign Travel FetchSpare Swap Test')
    for (const kind of ['SwitchFailure', 'TransceiverFailure'] as const) {
      expect(minutesBroken(story, kind)).toBeGreaterThan(30)
      expect(minutesBroken(story, kind)).toBeLessThan(6 * 60)
    }
    expect(story.faults.every(({ target }) => isRepaired(story, target))).toBe(true)
    expect(worstFailing(story, 590, 600)).toBeLessThan(0.02)
    expect(minutesOf(story, 'PartRestored', '-core')).toHaveLength(1)
  })
})

describe('power-feed-lost', () => {
  const story = storyOf('power-feed-lost', 10)

  test('at first some hosts run on one supply, which affects no customer', () => {
    const broken = story.faults.filter(({ kind }) => kind === 'PowerSupplyFailure')
    expect(broken.length).toBeGreaterThanOrEqual(3)
    for (let nth = 0; nth < broken.length; nth++) {
      const { symptom, opened, bands } = incidentOf(story, 'PowerSupplyFailure', nth)
      expect({ symptom, opened, first: bands[0] }).toEqual({
        symptom: 'RedundancyLost',
        opened: 106,
        first: 'Watch',
      })
    }
  })

  test('at eight the feed trips, and just these hosts go dark', () => {
    expect(minutesOf(story, 'PowerLost')).toEqual([120])
    expect(incidentOf(story, 'PowerFeedLoss')).toMatchObject({
      symptom: 'RedundancyLost',
      opened: 120,
      suspected: 'PowerFeedLoss',
    })
    const dark = story.faults.filter(({ kind }) => kind === 'PowerSupplyFailure').length
    const silent = story.events.filter(
      ({ kind, text, minute }) => kind === 'PartFailed' && text.includes('does not respond') && minute < 125,
    )
    // An incident announces six of the parts that fall silent.
    expect(dark).toBeGreaterThan(6)
    expect(silent.filter(({ minute }) => minute >= 120)).toHaveLength(6)
  })

  test('their units are stranded for minutes, until they run elsewhere', () => {
    const other = calmOf('power-feed-lost')
    const stranded = [...story.customers.values()].filter(
      ({ id, mostStranded }) => mostStranded > other.customers.get(id)!.mostStranded,
    )
    expect(stranded.length).toBeGreaterThanOrEqual(3)
    expect(worstFailing(story, 120, 125)).toBeGreaterThan(0.05)
    // A host of another zone fails at random at 204, for some minutes.
    expect(worstFailing(story, 220, 600)).toBeLessThan(0.1)
  })

  test('the supplier is waited for, and the feed is back in the afternoon', () => {
    const feed = incidentOf(story, 'PowerFeedLoss')
    const repair = repairOf(story, 'PowerFeedLoss')
    expect(repair.actor).toBe('Staff')
    expect(stepsOf(repair)).toBe('Assign Travel Inspect Swap Test Restore')
    expect(minutesOf(story, 'WorkBlocked', 'the supplier is on its way').length).toBeGreaterThan(0)
    const [restored] = minutesOf(story, 'PowerRestored')
    expect(restored).toBeGreaterThan(180)
    expect(restored).toBeLessThan(600)
    expect(feed.ended! - restored).toBeLessThanOrEqual(5)
    expect(story.faults.every(({ target }) => isRepaired(story, target))).toBe(true)
  })
})

describe('hot-afternoon', () => {
  const story = storyOf('hot-afternoon', 10)

  test('the first unit that stops is watched, the next ones let hosts throttle and shut down', () => {
    const first = incidentOf(story, 'CoolingFailure')
    expect(first).toMatchObject({ symptom: 'HardwareWarning', suspected: 'CoolingFailure', opened: 121 })
    expect(first.bands[0]).toBe('Watch')
    expect(worstFailing(story, 121, 179)).toBeLessThan(0.02)
    const silent = story.events.filter(
      ({ kind, text, minute }) => kind === 'PartFailed' && text.includes('does not respond') && minute > 180,
    )
    expect(silent.length).toBeGreaterThanOrEqual(3)
  })

  test('it becomes Critical, and eases when the units come back', () => {
    const worst = [...story.incidents.values()].find(
      ({ rootKind, bands }) => rootKind === 'CoolingFailure' && bands.includes('Critical'),
    )!
    expect(worst.customers).toBeGreaterThanOrEqual(8)
    expect(worst.timeline).toContain('CustomersAffected')
    expect(story.highestBandAt.slice(0, 180)).not.toContain(bands.indexOf('Critical'))
    expect(worstFailing(story, 200, 300)).toBeGreaterThan(0.3)
    expect(worstFailing(story, 500, 600)).toBeLessThan(0.05)
  })

  test('each unit is the cause of one incident only', () => {
    const units = [...story.incidents.values()]
      .filter(({ rootKind }) => rootKind === 'CoolingFailure')
      .map(({ rootId }) => rootId)
    expect(units.length).toBeGreaterThan(1)
    expect(new Set(units).size).toBe(units.length)
  })

  test('customers of the zone fail, wait and are credited', () => {
    const other = calmOf('hot-afternoon')
    const suffered = affectedCustomers(story, other)
    expect(suffered.length).toBeGreaterThanOrEqual(8)
    const slower = suffered.filter(
      ({ id, minutesSlow }) => minutesSlow > 20 + other.customers.get(id)!.minutesSlow,
    )
    expect(slower.length).toBeGreaterThanOrEqual(4)
  })

  test('who knows about cooling repairs the units one after another', () => {
    const repairs = story.faults
      .filter(({ kind }) => kind === 'CoolingFailure')
      .map((_, nth) => repairOf(story, 'CoolingFailure', nth))
    expect(repairs.map(({ actor }) => actor)).toEqual(['Staff', 'Staff', 'Staff'])
    for (const repair of repairs) {
      expect(stepsOf(repair)).toMatch(/^Assign Travel Inspect (FetchSpare Swap|Clean) Test$/)
    }
    const mended = story.faults.filter(
      ({ kind, target }) => kind === 'CoolingFailure' && isRepaired(story, target),
    )
    expect(mended.length).toBeGreaterThanOrEqual(2)
    const [zone] = story.world.snapshot().collections.azs
    expect(zone.inlet_celsius).toBeLessThan(27)
  })
})
