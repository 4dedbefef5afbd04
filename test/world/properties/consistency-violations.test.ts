import { expect, test } from 'vitest'
import type { Collections } from '../../../src/contract/collections.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'
import { incidentRecordViolations } from './incident-records.ts'
import { powerViolations } from './power.ts'
import { sumViolations } from './sums.ts'
import { workAndQuestViolations } from './work-and-quests.ts'
import { checkedWorldOf } from './checked-world.ts'
import type { Check } from './checked-world.ts'

/** The checks of consistency find no violation in an unchanged world, and every violation introduced on purpose. */

const sim = createSimulation({ seed: 4n, scale: 'small', scenario: null, warmUp: 0, speed: 60 })
sim.state.faults.randomFaultRate = 4
while (sim.state.now < day + 11 * hour) sim.step()
const view = checkedWorldOf(sim)

type Change = (collections: Collections) => unknown
type Case = readonly [what: string, check: Check, change: Change, found: RegExp]

function changed(change: Change): ReturnType<typeof checkedWorldOf> {
  const collections = structuredClone(view.snapshot.collections)
  change(collections)
  return { ...view, snapshot: { ...view.snapshot, collections } }
}

test.each<Case>([
  [
    'evidence without a leading observation',
    incidentRecordViolations,
    ({ resolvedIncidents }) =>
      (resolvedIncidents.find(({ evidence }) => evidence.length > 0)!.evidence[0].leading = false),
    /evidence is led by false/,
  ],
  [
    'a mitigation without work',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) => (one.timeline = [{ at_ns: 1n, kind: 'Mitigated', detail: '' }]),
    /mitigated without any work/,
  ],
  [
    'a broken promise that is a Watch',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) => Object.assign(one, { redundancy_promise_broken: true, band: 'Watch' }),
    /broke a promise/,
  ],
  [
    'a hint at work to come',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) => (one.hint = 'See the work orders.'),
    /is resolved and hints/,
  ],
  [
    'more than all confidence',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) => (one.causes[0].confidence = 151),
    /is \d+ % sure of its causes/,
  ],
  [
    'a belief in what was ruled out',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) => Object.assign(one.causes[0], { cleared: true, confidence: 5 }),
    /that it ruled out/,
  ],
  [
    'a confirmation without its entry',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) =>
      (one.timeline = one.timeline.filter(({ kind }) => kind !== 'CauseConfirmed')),
    /its timeline differs/,
  ],
  [
    'a timeline without its end',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) => one.timeline.pop(),
    /its timeline ends with/,
  ],
  [
    'an order of two incidents',
    incidentRecordViolations,
    ({ resolvedIncidents: [one, two] }) => two.work_order_ids.push(one.work_order_ids[0]),
    /list work order/,
  ],
  [
    'an order of another incident',
    incidentRecordViolations,
    ({ workOrders, resolvedIncidents: [one] }) =>
      (workOrders.find(({ id }) => id === one.work_order_ids[0])!.incident_id = 9_999),
    /which names 9999/,
  ],
  [
    'an order that its incident does not list',
    incidentRecordViolations,
    ({ resolvedIncidents: [one] }) => (one.work_order_ids = []),
    /does not list it/,
  ],
  [
    'work without an actor',
    incidentRecordViolations,
    ({ workOrders }) => (workOrders.find(({ actor }) => actor === 'Staff')!.actor_staff_id = null),
    /without an actor/,
  ],
  [
    'a transceiver in a direct attach cable',
    incidentRecordViolations,
    ({ resolvedIncidents: [one], hosts }) =>
      Object.assign(one.causes[0], { root_kind: 'TransceiverFailure', entity_id: hosts[0].ports[0].port_id }),
    /which has Dac/,
  ],
  [
    'a pool with a unit too many',
    sumViolations,
    ({ hostPools: [one] }) => one.unit_count++,
    /pool 1: unit_count/,
  ],
  [
    'a zone with memory too little',
    sumViolations,
    ({ azs: [one] }) => one.free_mem_mb--,
    /zone 1: free_mem_mb/,
  ],
  ['power from nowhere', powerViolations, ({ azs: [one] }) => (one.power_feeds[0].load_kw += 1), /its feeds/],
  ['a PUE of its own', powerViolations, ({ azs: [one] }) => (one.pue! += 0.1), /at a PUE of/],
  [
    'a dead feed that delivers',
    powerViolations,
    ({ azs: [one] }) => (one.power_feeds[0].powered = false),
    /is dead and carries/,
  ],
  [
    'cooling from nowhere',
    powerViolations,
    ({ azs: [one] }) => (one.cooling_units[0].load_kw += 1),
    /to cool, its units cool/,
  ],
  ['an inlet of its own', powerViolations, ({ azs: [one] }) => (one.inlet_celsius += 1), /at its inlets/],
  [
    'a person in two places',
    workAndQuestViolations,
    ({ workOrders: [one, two] }) => {
      for (const order of [one, two]) {
        const steps = [{ ...order.steps[0], started_at_ns: 1, completed_at_ns: null }]
        Object.assign(order, {
          actor_staff_id: 1,
          resolved_at_ns: null,
          blocking: null,
          current_step: 0,
          steps,
        })
      }
    },
    /at once/,
  ],
  [
    'two quests to show',
    workAndQuestViolations,
    ({ quests }) => (quests.find(({ state }) => state !== 'Next')!.state = 'Next'),
    /2 quests are next/,
  ],
  ['heat from nowhere', sumViolations, ({ azs: [one] }) => (one.cooling_load_kw += 1), /its racks draw/],
])('%s is found', (_, check, change, found) => {
  expect(check(view)).toEqual([])
  expect(check(changed(change)).join('\n')).toMatch(found)
})
