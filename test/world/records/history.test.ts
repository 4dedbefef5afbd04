import { expect, test } from 'vitest'
import { historyMetrics } from '../../../src/contract/history.ts'
import { createRecordHistory } from '../../../src/metrics/history/record-history.ts'
import { numberedSimulation } from './record-text.ts'

/** A world in which every quantity is a number of its own, with hosts that are down, contended or stranded. */
function numberedWorld() {
  const sim = numberedSimulation()
  const { network, facility, load, topology } = sim.state
  for (const column of [network.zoneWanInGbps, network.zoneWanOutGbps, network.zoneDroppedGbps])
    column.fill(0, topology.zones.length)
  facility.feedLoadKw.fill(0, topology.feeds.count)
  // Amounts of the order of a host's, so that the rounding of a record is small beside them.
  for (const column of [load.cpuUsedMilli, load.allocatedMemMb, load.iopsUsed])
    column.forEach((amount, host) => (column[host] = amount * 1_000))
  load.contention.fill(0)
  load.contention.set([0.92, 0.91, 2, 2])
  load.strandedUnits.set([3, 0, 4])
  network.hostReachable.set([0, 1, 1, 0, 0])
  sim.customers.state.version++
  return sim
}

test('the history has what the records show', () => {
  const sim = numberedWorld()
  const shown = createRecordHistory()
  shown.observe(sim.snapshot())
  expect(sim.history.entities).toEqual(shown.entities)
  const [sampled, expected] = [new Float64Array(10_000), new Float64Array(10_000)]
  sim.history.sample(sampled)
  shown.sample(expected)
  const names = shown.entities.flatMap(({ subject, id }) =>
    Object.keys(historyMetrics[subject]).map((name) => `${subject} ${id} ${name}`),
  )
  // Records are rounded: latencies to milliseconds, an inlet to a tenth of a degree.
  const wrong = names.flatMap((name, at) =>
    Math.abs(sampled[at] - expected[at]) <= 0.02 * expected[at] + 0.001
      ? []
      : [`${name}: ${sampled[at]} for ${expected[at]}`],
  )
  expect(wrong).toEqual([])
})

test('the history counts hosts, units and incidents', () => {
  const { history, state } = numberedWorld()
  const headline = { args: [], customerId: null }
  const row = state.topology.zones[1].hosts[0]
  const suspects = [{ kind: 'Host', row }, { kind: 'PowerFeed', row: state.topology.zones[1].feeds[0] }, null]
  suspects.forEach((suspect, id) => {
    const impact = { hosts: suspect === null ? [row] : [], customers: [] }
    const incident = { headline, suspect, impact, confirmed: id === 0 }
    ;(state.incidents as Map<number, object>).set(id, incident)
  })
  const [fleet, zones, pools] = ['fleet', 'azs', 'host-pools'] as const
  const sampled = new Float64Array(10_000)
  history.sample(sampled)
  let at = 0
  const values = new Map<string, number>()
  for (const { subject, id } of history.entities)
    for (const name of Object.keys(historyMetrics[subject]))
      values.set(`${subject} ${id} ${name}`, sampled[at++])
  const of = (subject: string, id: number | null, names: readonly string[]) =>
    names.map((name) => values.get(`${subject} ${id} ${name}`))
  expect(
    of(fleet, null, ['hosts_online', 'stranded_unit_count', 'incidents_active', 'customer_count']),
  ).toEqual([21, 7, 3, 8])
  expect([1, 2].map((id) => of(zones, id, ['hosts_online', 'active_incident_count']))).toEqual([
    [9, 0],
    [12, 3],
  ])
  // Contended from 92 % on: host 1 of the second pool, hosts 3 and 4 of the first.
  expect([1, 2, 3].map((id) => of(pools, id, ['contended_host_count']))).toEqual([[2], [1], [0]])
})

test('a history without customers has no satisfaction', () => {
  const { history, customers } = numberedWorld()
  customers.state.accounts = []
  const sampled = new Float64Array(10_000)
  history.sample(sampled)
  const names = Object.keys(historyMetrics.fleet)
  expect(sampled[names.indexOf('satisfaction')]).toBe(0)
  expect(history.entities.filter(({ subject }) => subject === 'customers')).toEqual([])
})
