import { describe, expect, test } from 'vitest'
import { advance, createRecords } from './topology-fixture.ts'

describe('zones', () => {
  test('sum up their hosts and racks', () => {
    const { world, records } = createRecords('medium')
    world.load.allocatedMilli.fill(10_000)
    world.load.cpuUsedMilli.fill(4_000)
    world.load.allocatedMemMb.fill(2_048)
    world.load.unitCount.fill(3)
    advance(world, records, 1)
    for (const zone of records.azs) {
      expect(zone).toMatchObject({
        host_count: 40,
        hosts_online: 40,
        allocated_millivcpu: 400_000,
        used_millivcpu: 160_000,
        unit_count: 120,
      })
      expect(zone.physical_mem_mb - zone.free_mem_mb).toBe(40 * 2_048)
      expect(zone.racks.reduce((sum, rack) => sum + rack.hosts_online, 0)).toBe(40)
      expect(zone.wan_egress_gbps).toBeCloseTo(20, 2)
      expect(zone.wan_capacity_gbps).toBe(60)
      const draw = zone.power_feeds.reduce((sum, feed) => sum + feed.load_kw, 0)
      expect(zone.power_draw_kw).toBeCloseTo(draw, 1)
    }
  })

  test('count each customer once in each zone where it has units', () => {
    const { world, records } = createRecords('medium')
    const { zones } = world.topology
    const tenant = (id: number, hosts: readonly number[]) => ({ id, hosts: Int32Array.from(hosts) })
    const first = zones[0].hosts
    const active = [tenant(1, [first[0], first[1], zones[1].hosts[0]]), tenant(2, [first[1]])]
    const byId = new Map(active.map((one) => [one.id, one]))
    Object.assign(world.tenants, { active, byId, version: 2 })
    records.update()
    expect(records.azs.map((zone) => zone.customer_count)).toEqual([2, 1, 0])
  })

  test('have no PUE while their devices draw nothing', () => {
    const { world, records } = createRecords('medium')
    world.condition.hostBroken.fill(1)
    const { feeds } = world.topology.zones[0]
    for (const feed of feeds) world.condition.feedBroken[feed] = 1
    world.condition.version++
    advance(world, records, 1)
    expect(records.azs.map(({ pue }) => pue === null)).toEqual([true, false, false])
  })

  test('tell what they lost: a feed, their cooling, a host, their routes', () => {
    const { world, records } = createRecords('medium')
    const zone = world.topology.zones[0]
    world.condition.feedBroken[zone.feeds[0]] = 1
    for (const unit of zone.coolingUnits) world.condition.coolingBroken[unit] = 1
    const rack = zone.racks.findIndex((row) => world.topology.racks.hosts[row].length > 0)
    const [host] = world.topology.racks.hosts[zone.racks[rack]]
    world.condition.hostBroken[host] = 1
    for (const gateway of zone.gateways) world.condition.gatewayWithdrawn[gateway] = 1
    world.condition.version++
    advance(world, records, 1)
    expect(records.azs[0]).toMatchObject({
      power_redundant: false,
      cooling_state: 'Failed',
      status: 'Impaired',
      bgp_advertising: false,
      wan_ingress_gbps: 0,
    })
    const { host_count, hosts_online, power_feeds } = records.azs[0].racks[rack]
    expect([host_count - hosts_online, power_feeds]).toEqual([1, 1])
    expect(records.azs[0].power_feeds.map((feed) => feed.powered)).toEqual([false, true])
    for (const unit of records.azs[0].cooling_units)
      expect(unit).toMatchObject({ working: false, load_kw: 0, condition_pct: 0 })
  })
})
