import { expect, test } from 'vitest'
import { buildSite } from '../../../../src/world/simulation/topology/construction/site.ts'
import { carryOut } from '../../../../src/world/simulation/topology/construction/works.ts'
import { portRole } from '../../../../src/world/simulation/topology/tables.ts'
import { RandomStreams } from '../../../../src/world/simulation/random.ts'
import { day } from '../../../../src/world/simulation/time.ts'

const siteOf = (scale: number | 'small') => buildSite(new RandomStreams(1n), scale)

test('a zone is added with all that a zone has, next to its siblings', () => {
  const site = siteOf('small')
  const { topology } = site
  carryOut(site, { kind: 'Zone', region: 0, hosts: 9 }, 200 * day)
  expect(topology.zones).toHaveLength(3)
  const [first, , added] = topology.zones
  expect(added).toMatchObject({
    name: `${first.name.slice(0, -1)}c`,
    displayName: first.displayName.replace(/A$/, 'C'),
    opened: 200 * day,
    feeds: [4, 5],
  })
  const counts = ({ cores, gateways, firewalls, appliances, coolingUnits }: typeof added) =>
    [cores, gateways, firewalls, appliances, coolingUnits].map(({ length }) => length)
  expect(counts(added)).toEqual(counts(first))
  expect(added.hosts.map((host) => topology.hosts.pool[host]).toSorted((a, b) => a - b)).toEqual([
    0, 0, 0, 1, 2, 3, 4, 5, 6,
  ])
  expect([topology.feeds.count, topology.feeds.capacityKw[4]]).toEqual([6, topology.feeds.capacityKw[0]])
  // Room for as many hosts and racks as in another zone.
  expect([site.hostsMax, site.racksMax[2]]).toEqual([60 + 30, site.racksMax[0]])
  expect(topology.hosts.installed[added.hosts[0]]).toBe(200 * day)
})

test('an added zone is cabled to every other, to its carriers and through its own firewalls', () => {
  const site = siteOf('small')
  const { topology } = site
  carryOut(site, { kind: 'Zone', region: 0, hosts: 7 }, 0)
  const { ports, switches, gateways } = topology
  const peersOf = (zone: number): number[] => {
    const zones = new Set<number>()
    for (const core of topology.zones[zone].cores) {
      const from = switches.firstPort[core]
      for (let port = from; port < from + switches.portCount[core]; port++) {
        if (ports.role[port] === portRole.CorePeer && ports.peer[port] !== -1)
          zones.add(switches.zone[ports.device[ports.peer[port]]])
      }
    }
    return [...zones].toSorted((a, b) => a - b)
  }
  expect([0, 1, 2].map(peersOf)).toEqual([
    [1, 2],
    [0, 2],
    [0, 1],
  ])
  const lines = [...topology.zones[2].gateways].flatMap((gateway) =>
    Array.from({ length: gateways.portCount[gateway] }, (_, n) => gateways.firstPort[gateway] + n).filter(
      (port) => ports.role[port] === portRole.GatewayWan && ports.peer[port] !== -1,
    ),
  )
  expect(lines).toHaveLength(site.sizing.wan.links * site.sizing.gatewaysPerZone)
  const labels = lines.map((line) => `${ports.device[ports.peer[line]]} ${ports.label[ports.peer[line]]}`)
  expect(new Set(labels).size).toBe(lines.length)
})

test.each([
  [5, 1, 1],
  [6, 2, 4],
  ['small', 2, 4],
  [300, 3, 5],
  [301, 3, 3],
] as const)('a site of scale %s has %i zones, and at most %i', (scale, zones, most) => {
  const { topology, sizing } = buildSite(new RandomStreams(1n), scale)
  expect([topology.zones.length, topology.zoneCapacity, sizing.zonesMax]).toEqual([zones, most, most])
})

test('a site refuses more zones than it has room for', () => {
  const site = siteOf(6)
  for (let n = 0; n < 2; n++) carryOut(site, { kind: 'Zone', region: 0, hosts: 6 }, 0)
  expect(() => carryOut(site, { kind: 'Zone', region: 0, hosts: 6 }, 0)).toThrow('the site has all its zones')
})

test('a generation of hosts is a third denser than the one before, five in all', () => {
  const site = siteOf('small')
  const { hostSkus } = site.topology
  for (let n = 0; n < 6; n++) carryOut(site, { kind: 'Generation' }, 0)
  expect(site.generation).toBe(4)
  expect(hostSkus.slice(0, 5).map(({ name, vcpu, busyWatts }) => [name, vcpu, busyWatts])).toEqual([
    ['Kestrel R1-64', 64, 420],
    ['Kestrel R1-96', 96, 510],
    ['Kestrel R2-128', 128, 510],
    ['Kestrel R3-176', 176, 510],
    ['Kestrel R4-240', 240, 510],
  ])
  carryOut(site, { kind: 'Renewal', host: site.topology.zones[0].hosts[0] }, 0)
  const [renewed] = site.topology.zones[0].hosts
  expect(site.topology.hosts.sku[renewed]).toBe(site.pools[site.topology.hosts.pool[renewed]].firstSku + 4)
})
