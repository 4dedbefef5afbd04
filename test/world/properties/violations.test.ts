import { expect, test } from 'vitest'
import type { Collections, Snapshot } from '../../../src/contract/collections.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { cablingViolations } from './cabling.ts'
import { watchCountersAndMoney, watchEveryStep } from './counters-and-money.ts'
import { watchIdsAndReferences } from './ids-and-references.ts'
import { incidentRecordViolations } from './incident-records.ts'
import { quietWorldViolations, watchIncidents } from './incidents.ts'
import { checkedWorldOf } from './checked-world.ts'
import type { Check, CheckedWorld } from './checked-world.ts'
import { powerViolations } from './power.ts'
import { rangeViolations } from './ranges.ts'
import { sumViolations } from './sums.ts'
import { threatAndCapacityViolations } from './threats-and-capacity.ts'
import { watchTimes } from './times.ts'
import { trafficViolations } from './traffic.ts'
import { workAndQuestViolations } from './work-and-quests.ts'

/** Verifies the checks themselves: each must find the violation introduced into a copy of the records. */

function worldAfter(span: number): Simulation {
  const sim = createSimulation({ seed: 6n, scale: 'small', scenario: null, warmUp: 0, speed: 60 })
  while (sim.state.now < span) sim.step()
  return sim
}

const sim = worldAfter(day + 11 * hour)
const look = checkedWorldOf(sim)

type Modification = (collections: Collections, snapshot: Snapshot) => unknown
type Case = readonly [what: string, modify: Modification, found: RegExp]

/** A modified copy of the world's records. */
function modifiedView(modify: Modification): CheckedWorld {
  const { events, incidentsOpened, incidentsResolved, timeToResolve } = look.snapshot.totals
  // The ledger itself cannot be copied, but its contents can.
  const totals = { events, incidentsOpened, incidentsResolved, timeToResolve }
  const snapshot = structuredClone({ ...look.snapshot, totals })
  modify(snapshot.collections, snapshot)
  return { sim, snapshot }
}

/** The results of a check for the original and for the modified records. */
const resultsOf = (check: Check, modify: Modification) => ({
  original: check(look),
  modified: check(modifiedView(modify)),
})

const only = (found: RegExp) => ({
  original: [],
  modified: expect.arrayContaining([expect.stringMatching(found)]) as string[],
})

const used = <T extends { readonly cable_ids: readonly unknown[] }>(ports: readonly T[]): T =>
  ports.find(({ cable_ids }) => cable_ids.length > 0)!

test.each<Case>([
  ['a host in a rack that is not there', ({ hosts }) => (hosts[2].rack_id = 999), /Rack 999, which does not/],
  [
    'a customer that never was',
    ({ resolvedIncidents: [one] }) => (one.affected_customer_ids = [999]),
    /never/,
  ],
  ['a new host with an old id', ({ hosts }) => (hosts[3].display_name_plain = 'another'), /hosts 4 was/],
  ['a cause of the wrong kind', ({ resolvedIncidents: [one] }) => (one.causes[0].entity_id = 9999), /9999/],
  [
    'an order for an incident that never was',
    ({ workOrders: [one] }) => (one.incident_id = 999),
    /999, which never/,
  ],
  [
    'records out of order',
    (collections) => (collections.cables = collections.cables.toReversed()),
    /cables \d+ comes after/,
  ],
])('ids and references: %s', (_, modify, found) => {
  expect(resultsOf(watchIdsAndReferences(), modify)).toEqual(only(found))
})

test.each<Case>([
  ['a port without its cable', ({ hosts }) => (used(hosts[0].ports).cable_ids = []), /does not have it/],
  [
    'a peer that points elsewhere',
    ({ hosts }) => (used(hosts[0].ports).peer!.port_id = 1),
    /another peer|not at its other/,
  ],
  ['a link over a cut cable', ({ cables }) => (cables[0].is_failed = true), /which is cut/],
  ['an end in the wrong device', ({ cables }) => (cables[0].a!.device_id = 999), /not of its end A/],
  [
    'a panel that no cable passes',
    ({ patchPanels }) => (used(patchPanels[0].ports).cable_ids = []),
    /does not have it/,
  ],
])('cabling: %s', (_, modify, found) => {
  expect(resultsOf(cablingViolations, modify)).toEqual(only(found))
})

test.each<Case>([
  [
    'a port whose traffic its peer does not receive',
    ({ hosts }) => (used(hosts[0].ports).gbps_tx += 1),
    /its peer gets/,
  ],
  [
    'bytes that only one end counts',
    ({ hosts }) => (used(hosts[0].ports).bytes_egress_total = 1),
    /bytes, its peer/,
  ],
  ['a switch that says less than its ports', ({ switches }) => (switches[0].ingress_gbps /= 2), /its ports/],
  ['a zone that exchanges less than its gateways', ({ azs }) => (azs[0].wan_egress_gbps = 0), /its gateways/],
  [
    'a customer who is served more than came in',
    ({ customers }) => (customers[0].ingress_gbps += 1),
    /WAN in/,
  ],
  [
    'a customer who is served more than went out',
    ({ customers }) => (customers[0].egress_gbps += 1),
    /WAN out/,
  ],
])('traffic: %s', (_, modify, found) => {
  expect(resultsOf(trafficViolations, modify)).toEqual(only(found))
})

test.each<Case>([
  ['a threat that vanishes', ({ gateways }) => (gateways[0].threats[0].reaching += 1), /is not .* mitigated/],
  [
    'more stopped than can be',
    ({ appliances }) => (appliances[0].threats[0].mitigated += 1e6),
    /of a capacity of/,
  ],
  [
    'more CPU allocated than may be',
    ({ hosts }) => (hosts[0].allocated_millivcpu += 1e6),
    /allocated and free CPU/,
  ],
  [
    'memory that is neither free nor allocated',
    ({ hosts }) => (hosts[0].free_mem_mb -= 1024),
    /memory allocated/,
  ],
  ['a unit in no subnet', ({ subnets }) => subnets[0].member_count++, /in subnets/],
  [
    'a gap without an explanation',
    ({ customers }) => customers[0].services[0].requested_count++,
    /the gap is not/,
  ],
  ['a wrong count', (_, { diagnostics }) => diagnostics.counts.hosts++, /there are 24/],
])('threats and capacity: %s', (_, modify, found) => {
  expect(resultsOf(threatAndCapacityViolations, modify)).toEqual(only(found))
})

test.each<Case>([
  ['bytes that fall', ({ hosts }) => (used(hosts[0].ports).bytes_ingress_total = 0), /bytes in fell/],
  [
    'requests that fall',
    ({ customers }) => (customers[0].total_requests_lifetime = 0),
    /requests fell|requests failed/,
  ],
  [
    'more failed than came',
    ({ customers }) => (customers[0].failed_requests_lifetime = 1e15),
    /requests failed/,
  ],
  ['a margin that is none', ({ customers }) => (customers[0].margin_dollars += 1), /margin is/],
  [
    'a service that earns nothing',
    ({ customers }) => (customers[0].service_margins[0].revenue_dollars = 0),
    /revenue is/,
  ],
  [
    'a zone that costs less than its hosts',
    ({ azs }) => (azs[0].monthly_cost_dollars -= 100),
    /zone 1 costs/,
  ],
  ['totals that fall', (_, { totals }) => (totals.events[0].count = 0), /fell/],
])('counters and money: %s', (_, modify, found) => {
  expect(resultsOf(watchCountersAndMoney(), modify)).toEqual(only(found))
})

test.each<Case>([
  ['an end before the beginning', ({ resolvedIncidents: [one] }) => (one.resolved_at_ns = 0n), /resolved 0/],
  [
    'a change without a time',
    ({ resolvedIncidents: [one] }) => (one.hint = 'Look elsewhere.'),
    /says it last did/,
  ],
  [
    'a timeline that goes back',
    ({ resolvedIncidents: [one] }) => (one.timeline = one.timeline.toReversed()),
    /timeline/,
  ],
  [
    'steps that overlap',
    ({ workOrders: [one] }) => (one.steps = one.steps.toReversed()),
    /not so: steps follow/,
  ],
  [
    'a time taken that is none',
    ({ workOrders: [one] }) => (one.steps[0].actual_duration_ns = 1n),
    /times taken/,
  ],
  ['two events at once', (_, { events }) => (events[1].at_ns = events[0].at_ns), /is not later than/],
  [
    'an active incident that is resolved',
    ({ incidents, resolvedIncidents }) => incidents.push(resolvedIncidents[0]),
    /active and says/,
  ],
])('times: %s', (_, modify, found) => {
  expect(resultsOf(watchTimes(), modify)).toEqual(only(found))
})

test.each<Case>([
  ['no number', ({ hosts }) => (hosts[0].egress_gbps = Number.NaN), /no number/],
  ['more than all', ({ hosts }) => (hosts[0].mem_requested_pct = 101), /101 %/],
  ['a share of more than one', ({ customers }) => (customers[0].health = 1.5), /no share/],
  [
    'a word of another set',
    ({ customers }) => (customers[0].lifecycle = 'Lost' as 'Gone'),
    /may not be Lost/,
  ],
  [
    'a list that is cut short',
    (_, { diagnostics }) => (diagnostics.failing_parts_total += 30),
    /diagnostics show/,
  ],
  ['a list that is not there', (_, { diagnostics }) => (diagnostics.loaded_links = null as never), /null/],
])('ranges: %s', (_, modify, found) => {
  expect(resultsOf(rangeViolations, modify)).toEqual(only(found))
})

test.each<Case>([
  [
    'a cause that is shown before it is confirmed',
    ({ resolvedIncidents: [one] }) => (one.confirmed = !one.confirmed),
    /confirmed/,
  ],
  [
    'an incident without a work order',
    ({ incidents, resolvedIncidents }) => incidents.push({ ...resolvedIncidents[0], work_order_ids: [] }),
    /no work order/,
  ],
])('incidents: %s', (_, modify, found) => {
  expect(resultsOf(watchIncidents().look, modify)).toEqual(only(found))
})

test.each<Case>([
  [
    'evidence without a leading observation',
    ({ resolvedIncidents }) =>
      (resolvedIncidents.find(({ evidence }) => evidence.length > 0)!.evidence[0].leading = false),
    /evidence is led by false/,
  ],
  [
    'a mitigation without work',
    ({ resolvedIncidents: [one] }) => (one.timeline = [{ at_ns: 1n, kind: 'Mitigated', detail: '' }]),
    /mitigated without any work/,
  ],
  [
    'a broken promise that is a Watch',
    ({ resolvedIncidents: [one] }) => Object.assign(one, { redundancy_promise_broken: true, band: 'Watch' }),
    /broke a promise/,
  ],
  [
    'a hint at work to come',
    ({ resolvedIncidents: [one] }) => (one.hint = 'See the work orders.'),
    /is resolved and hints/,
  ],
  [
    'more than all confidence',
    ({ resolvedIncidents: [one] }) => (one.causes[0].confidence = 151),
    /is [\d, ]+ % sure of its causes/,
  ],
  [
    'a belief in what was ruled out',
    ({ resolvedIncidents: [one] }) => Object.assign(one.causes[0], { cleared: true, confidence: 5 }),
    /that it ruled out/,
  ],
  [
    'a confirmation without its entry',
    ({ resolvedIncidents: [one] }) =>
      (one.timeline = one.timeline.filter(({ kind }) => kind !== 'CauseConfirmed')),
    /its timeline differs/,
  ],
  [
    'a timeline without its end',
    ({ resolvedIncidents: [one] }) => one.timeline.pop(),
    /its timeline ends with/,
  ],
  [
    'an order of two incidents',
    ({ resolvedIncidents: [one, two] }) => two.work_order_ids.push(one.work_order_ids[0]),
    /list work order/,
  ],
  [
    'an order of another incident',
    ({ workOrders, resolvedIncidents: [one] }) =>
      (workOrders.find(({ id }) => id === one.work_order_ids[0])!.incident_id = 9_999),
    /which names 9999/,
  ],
  [
    'an order that its incident does not list',
    ({ resolvedIncidents: [one] }) => (one.work_order_ids = []),
    /does not list it/,
  ],
  [
    'work without an actor',
    ({ workOrders }) => (workOrders.find(({ actor }) => actor === 'Staff')!.actor_staff_id = null),
    /without an actor/,
  ],
  [
    'a transceiver in a direct attach cable',
    ({ resolvedIncidents: [one], hosts }) =>
      Object.assign(one.causes[0], { root_kind: 'TransceiverFailure', entity_id: hosts[0].ports[0].port_id }),
    /which has Dac/,
  ],
])('records of incidents: %s', (_, modify, found) => {
  expect(resultsOf(incidentRecordViolations, modify)).toEqual(only(found))
})

test.each<Case>([
  ['a pool with a unit too many', ({ hostPools: [one] }) => one.unit_count++, /pool 1: unit_count/],
  ['a zone with memory too little', ({ azs: [one] }) => one.free_mem_mb--, /zone 1: free_mem_mb/],
  ['heat from nowhere', ({ azs: [one] }) => (one.cooling_load_kw += 1), /its racks draw/],
])('sums: %s', (_, modify, found) => {
  expect(resultsOf(sumViolations, modify)).toEqual(only(found))
})

test.each<Case>([
  ['power from nowhere', ({ azs: [one] }) => (one.power_feeds[0].load_kw += 1), /its feeds/],
  ['a PUE of its own', ({ azs: [one] }) => (one.pue! += 0.1), /at a PUE of/],
  [
    'a dead feed that delivers',
    ({ azs: [one] }) => (one.power_feeds[0].powered = false),
    /is dead and carries/,
  ],
  [
    'cooling from nowhere',
    ({ azs: [one] }) => (one.cooling_units[0].load_kw += 1),
    /to cool, its units cool/,
  ],
  ['an inlet of its own', ({ azs: [one] }) => (one.inlet_celsius += 1), /at its inlets/],
])('power: %s', (_, modify, found) => {
  expect(resultsOf(powerViolations, modify)).toEqual(only(found))
})

test.each<Case>([
  [
    'a person in two places',
    ({ workOrders: [one, two] }) => {
      const steps = [{ ...one.steps[0], started_at_ns: 1, completed_at_ns: null }]
      const busy = { actor_staff_id: 1, resolved_at_ns: null, blocking: null, current_step: 0, steps }
      for (const order of [one, two]) Object.assign(order, busy)
    },
    /at once/,
  ],
  [
    'two quests to show',
    ({ quests }) => (quests.find(({ state }) => state !== 'Next')!.state = 'Next'),
    /2 quests are next/,
  ],
])('work and quests: %s', (_, modify, found) => {
  expect(resultsOf(workAndQuestViolations, modify)).toEqual(only(found))
})

test('incidents: a failing customer without an incident', () => {
  const world = worldAfter(hour)
  const watch = watchIncidents()
  const [account] = world.customers.state.accounts
  for (let minutes = 0; minutes < 12; minutes++) {
    account.failing = 0.5
    watch.everyMinute(world)
    for (let step = 0; step < 6; step++) world.step()
  }
  account.failing = 0.5
  watch.everyMinute(world)
  const { snapshot } = checkedWorldOf(world)
  const withoutIncidents = { ...snapshot, collections: { ...snapshot.collections, incidents: [] } }
  expect(watch.look({ sim: world, snapshot: withoutIncidents }).join()).toContain(
    `customer ${account.id} (0.5 failing`,
  )
})

test('incidents: a calm world in which something is grave', () => {
  const found = modifiedView(({ resolvedIncidents: [one] }) => (one.band = 'Critical'))
  expect(quietWorldViolations(found).join()).toContain('is Critical although all is calm')
})

test('every step: a customer whose requests are taken back', () => {
  const world = worldAfter(hour)
  const watch = watchEveryStep()
  expect(watch(world)).toEqual([])
  world.customers.state.accounts[0].totalRequests -= 1
  expect(watch(world)).toContain(`customer ${world.customers.state.accounts[0].id} fell`)
})
