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
type Case = readonly [found: RegExp, modify: Modification]

/** A modified copy of the world's records. */
function modifiedView(modify: Modification): CheckedWorld {
  const { events, incidentsOpened, incidentsResolved, timeToResolve } = look.snapshot.totals
  // The ledger itself cannot be copied, but its contents can.
  const totals = { events, incidentsOpened, incidentsResolved, timeToResolve }
  const snapshot = structuredClone({ ...look.snapshot, totals })
  modify(snapshot.collections, snapshot)
  return { sim, snapshot }
}

/** A check finds nothing in the original records, and each violation in a modified copy. */
function finds(what: string, checkOf: () => Check, cases: readonly Case[]): void {
  test.each(cases)(`${what}: %s`, (found, modify) => {
    const check = checkOf()
    expect(check(look)).toEqual([])
    expect(check(modifiedView(modify))).toContainEqual(expect.stringMatching(found))
  })
}

const used = <T extends { readonly cable_ids: readonly unknown[] }>(ports: readonly T[]): T =>
  ports.find(({ cable_ids }) => cable_ids.length > 0)!

finds('ids and references', watchIdsAndReferences, [
  [/Rack 999, which does not/, ({ hosts }) => (hosts[2].rack_id = 999)],
  [/999, which never/, ({ resolvedIncidents: [one] }) => (one.affected_customer_ids = [999])],
  [/hosts 4 was/, ({ hosts }) => (hosts[3].display_name_plain = 'another')],
  [/9999/, ({ resolvedIncidents: [one] }) => (one.causes[0].entity_id = 9999)],
  [/Incident 999, which never/, ({ workOrders: [one] }) => (one.incident_id = 999)],
  [/cables \d+ comes after/, (collections) => (collections.cables = collections.cables.toReversed())],
])

finds('cabling', () => cablingViolations, [
  [/at end A does not have it/, ({ hosts }) => (used(hosts[0].ports).cable_ids = [])],
  [/another peer|not at its other/, ({ hosts }) => (used(hosts[0].ports).peer!.port_id = 1)],
  [/which is cut/, ({ cables }) => (cables[0].is_failed = true)],
  [/not of its end A/, ({ cables }) => (cables[0].a!.device_id = 999)],
  [/panel \d+ does not have it/, ({ patchPanels }) => (used(patchPanels[0].ports).cable_ids = [])],
])

finds('traffic', () => trafficViolations, [
  [/its peer gets/, ({ hosts }) => (used(hosts[0].ports).gbps_tx += 1)],
  [/bytes, its peer/, ({ hosts }) => (used(hosts[0].ports).bytes_egress_total = 1)],
  [/its ports/, ({ switches }) => (switches[0].ingress_gbps /= 2)],
  [/its gateways/, ({ azs }) => (azs[0].wan_egress_gbps = 0)],
  [/WAN in/, ({ customers }) => (customers[0].ingress_gbps += 1)],
  [/WAN out/, ({ customers }) => (customers[0].egress_gbps += 1)],
])

finds('threats and capacity', () => threatAndCapacityViolations, [
  [/is not .* mitigated/, ({ gateways }) => (gateways[0].threats[0].reaching += 1)],
  [/of a capacity of/, ({ appliances }) => (appliances[0].threats[0].mitigated += 1e6)],
  [/allocated and free CPU/, ({ hosts }) => (hosts[0].allocated_millivcpu += 1e6)],
  [/memory allocated/, ({ hosts }) => (hosts[0].free_mem_mb -= 1024)],
  [/in subnets/, ({ subnets }) => subnets[0].member_count++],
  [/the gap is not/, ({ customers }) => customers[0].services[0].requested_count++],
  [/there are 24/, (_, { diagnostics }) => diagnostics.counts.hosts++],
])

finds('counters and money', watchCountersAndMoney, [
  [/bytes in fell/, ({ hosts }) => (used(hosts[0].ports).bytes_ingress_total = 0)],
  [/requests fell|requests failed/, ({ customers }) => (customers[0].total_requests_lifetime = 0)],
  [/requests failed/, ({ customers }) => (customers[0].failed_requests_lifetime = 1e15)],
  [/margin is/, ({ customers }) => (customers[0].margin_dollars += 1)],
  [/revenue is/, ({ customers }) => (customers[0].service_margins[0].revenue_dollars = 0)],
  [/zone 1 costs/, ({ azs }) => (azs[0].monthly_cost_dollars -= 100)],
  [/fell/, (_, { totals }) => (totals.events[0].count = 0)],
])

finds('times', watchTimes, [
  [/resolved 0/, ({ resolvedIncidents: [one] }) => (one.resolved_at_ns = 0n)],
  [/says it last did/, ({ resolvedIncidents: [one] }) => (one.hint = 'Look elsewhere.')],
  [/timeline/, ({ resolvedIncidents: [one] }) => (one.timeline = one.timeline.toReversed())],
  [/not so: steps follow/, ({ workOrders: [one] }) => (one.steps = one.steps.toReversed())],
  [/times taken/, ({ workOrders: [one] }) => (one.steps[0].actual_duration_ns = 1n)],
  [/is not later than/, (_, { events }) => (events[1].at_ns = events[0].at_ns)],
  [/active and says/, ({ incidents, resolvedIncidents: [one] }) => incidents.push(one)],
])

finds('ranges', () => rangeViolations, [
  [/no number/, ({ hosts }) => (hosts[0].egress_gbps = Number.NaN)],
  [/101 %/, ({ hosts }) => (hosts[0].mem_requested_pct = 101)],
  [/no share/, ({ customers }) => (customers[0].health = 1.5)],
  [/may not be Lost/, ({ customers }) => (customers[0].lifecycle = 'Lost' as 'Gone')],
  [/diagnostics show/, (_, { diagnostics }) => (diagnostics.failing_parts_total += 30)],
  [/null/, (_, { diagnostics }) => (diagnostics.loaded_links = null as never)],
])

finds('incidents', () => watchIncidents().look, [
  [/confirmed/, ({ resolvedIncidents: [one] }) => (one.confirmed = !one.confirmed)],
  [
    /no work order/,
    ({ incidents, resolvedIncidents: [one] }) => incidents.push({ ...one, work_order_ids: [] }),
  ],
])

finds('records of incidents', () => incidentRecordViolations, [
  [
    /evidence is led by \w+,true/,
    ({ resolvedIncidents }) =>
      (resolvedIncidents.find(({ evidence }) => evidence.length > 1)!.evidence[1].leading = true),
  ],
  [
    /mitigated without any work/,
    ({ resolvedIncidents: [one] }) => (one.timeline = [{ at_ns: 1n, kind: 'Mitigated', detail: '' }]),
  ],
  [
    /broke a promise/,
    ({ resolvedIncidents: [one] }) => Object.assign(one, { redundancy_promise_broken: true, band: 'Watch' }),
  ],
  [/is resolved and hints/, ({ resolvedIncidents: [one] }) => (one.hint = 'See the work orders.')],
  [/is [\d, ]+ % sure of its causes/, ({ resolvedIncidents: [one] }) => (one.causes[0].confidence = 151)],
  [
    /that it ruled out/,
    ({ resolvedIncidents: [{ causes }] }) => Object.assign(causes[0], { cleared: true, confidence: 5 }),
  ],
  [
    /its timeline differs/,
    ({ resolvedIncidents: [one] }) =>
      (one.timeline = one.timeline.filter(({ kind }) => kind !== 'CauseConfirmed')),
  ],
  [/its timeline ends with/, ({ resolvedIncidents: [one] }) => one.timeline.pop()],
  [/list work order/, ({ resolvedIncidents: [one, two] }) => two.work_order_ids.push(one.work_order_ids[0])],
  [
    /which names 9999/,
    ({ workOrders, resolvedIncidents: [one] }) =>
      (workOrders.find(({ id }) => id === one.work_order_ids[0])!.incident_id = 9_999),
  ],
  [/does not list it/, ({ resolvedIncidents: [one] }) => (one.work_order_ids = [])],
  [
    /without an actor/,
    ({ workOrders }) => (workOrders.find(({ actor }) => actor === 'Staff')!.actor_staff_id = null),
  ],
  [
    /which has Dac/,
    ({ resolvedIncidents: [one], hosts }) =>
      Object.assign(one.causes[0], { root_kind: 'TransceiverFailure', entity_id: hosts[0].ports[0].port_id }),
  ],
])

finds('sums', () => sumViolations, [
  [/pool 1: unit_count/, ({ hostPools: [one] }) => one.unit_count++],
  [/zone 1: free_mem_mb/, ({ azs: [one] }) => one.free_mem_mb--],
  [/its racks draw/, ({ azs: [one] }) => (one.cooling_load_kw += 1)],
])

finds('power', () => powerViolations, [
  [/its feeds/, ({ azs: [one] }) => (one.power_feeds[0].load_kw += 1)],
  [/at a PUE of/, ({ azs: [one] }) => (one.pue! += 0.1)],
  [/is dead and carries/, ({ azs: [one] }) => (one.power_feeds[0].powered = false)],
  [/to cool, its units cool/, ({ azs: [one] }) => (one.cooling_units[0].load_kw += 1)],
  [/at its inlets/, ({ azs: [one] }) => (one.inlet_celsius += 1)],
])

finds('work and quests', () => workAndQuestViolations, [
  [
    /at once/,
    ({ workOrders: [one, two] }) => {
      const steps = [{ ...one.steps[0], started_at_ns: 1, completed_at_ns: null }]
      const busy = { actor_staff_id: 1, resolved_at_ns: null, blocking: null, current_step: 0, steps }
      for (const order of [one, two]) Object.assign(order, busy)
    },
  ],
  [/2 quests are next/, ({ quests }) => (quests.find(({ state }) => state !== 'Next')!.state = 'Next')],
])

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
