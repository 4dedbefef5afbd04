import { describe, expect, test } from 'vitest'
import { collectorNames } from '../../../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../../../src/metrics/exposition/exposition.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { isNight } from '../../../fixtures/seeds.ts'
import { violationsIn } from '../../properties/invariants.ts'
import { violationsWhileGrowing, worldOf } from './growing-world.ts'

type Row = [scale: Parameters<typeof worldOf>[0], rounds: number, hostsMin: number]
const larger: readonly Row[] = [
  ['medium', 2, 200],
  [600, 1, 650],
]

describe('a world that is built on', () => {
  test.each<Row>([['small', 2, 45], [6, 3, 14], ...(isNight ? larger : [])])(
    'keeps all invariants at scale %s',
    (scale, rounds, hostsMin) => {
      const sim = worldOf(scale)
      expect(violationsWhileGrowing(sim, rounds)).toEqual([])
      const { collections } = sim.snapshot()
      expect(collections.hosts.length).toBe(sim.state.topology.hosts.count)
      expect(collections.hosts.length).toBeGreaterThanOrEqual(hostsMin)
      expect(collections.cables.length).toBe(sim.state.topology.cables.count)
    },
  )

  test('shows new hosts in records, history and exposition, and they take units', () => {
    const sim = worldOf('small')
    for (let step = 0; step < 60; step++) sim.step()
    const exposition = createExposition({ collectors: collectorNames })
    exposition.render(sim.snapshot())
    const before = sim.state.topology.hosts.count
    sim.parts.construct({ kind: 'Rack', zone: 1 })
    sim.parts.construct({ kind: 'Hosts', zone: 1, pool: 0, count: 2 })
    for (let step = 0; step < 60; step++) sim.step()
    const { hosts, azs, hostPools, switches } = sim.snapshot().collections
    const added = hosts.slice(before)
    expect(added.map(({ online, pool_id, sku_name }) => [online, pool_id, sku_name])).toEqual([
      [true, 1, 'Kestrel R1-96'],
      [true, 1, 'Kestrel R1-96'],
    ])
    expect(azs[1].racks.at(-1)).toMatchObject({ host_count: 2, hosts_online: 2, power_capacity_kw: 22 })
    expect(hostPools[0].host_ids).toEqual(expect.arrayContaining(added.map(({ id }) => id)))
    expect(switches.filter(({ rack_id }) => rack_id === azs[1].racks.at(-1)?.id)).toHaveLength(2)
    const text = exposition
      .render(sim.snapshot())
      .map(({ bytes }) => new TextDecoder().decode(bytes))
      .join('')
    for (const { id } of added) expect(text).toContain(`dcsim_host_info{host="${id}"`)
    const shown = sim.history.entities.filter(({ subject }) => subject === 'hosts')
    expect(shown).toHaveLength(before + 2)
    const account = sim.customers.state.accounts[0]
    const services = sim.customers.state.services
    services.requested[account.services[0]] += 200
    account.requestedUnits += 200
    sim.customers.state.capacity.roomVersion++
    for (let step = 0; step < 12; step++) sim.step()
    expect(
      Math.max(
        ...sim
          .snapshot()
          .collections.hosts.slice(before)
          .map((host) => host.unit_count),
      ),
    ).toBeGreaterThan(0)
  })
})

test.runIf(isNight)('a world that its operator has enlarged for weeks keeps all invariants', () => {
  const world = { seed: 21n, scale: 'small', warmUp: 35 * day, span: 2 * hour, lookEvery: hour } as const
  expect(violationsIn(world)).toEqual([])
})
