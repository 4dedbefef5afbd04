import { describe, expect, test } from 'vitest'
import type { Band, CauseKind, ThreatClass } from '../../../../src/contract/vocabularies.ts'
import { bands, cableKinds } from '../../../../src/contract/vocabularies.ts'
import { faultActions } from '../../../../src/world/simulation/faults/kinds.ts'
import { sameTarget } from '../../../../src/world/simulation/topology/entities.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { portRole } from '../../../../src/world/simulation/topology/tables.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'

const seed = 5n

/** Its band is the highest within a quarter of an hour; it leads as the cause after the minutes of its row, without an inspection. */
type Expected = readonly [
  what: string,
  kind: CauseKind,
  target: (state: WorldView) => FaultTarget,
  symptoms: string,
  band: readonly Band[],
  leads: number,
  magnitude?: number,
  attack?: ThreatClass,
]

/** The host with the most units. */
const busyHost = ({ load }: WorldView): number => [...load.unitCount].indexOf(Math.max(...load.unitCount))
/** A host of the customer with the fewest hosts, which is affected by its loss. */
function soleHost({ tenants }: WorldView): FaultTarget {
  const served = tenants.active.filter(({ hosts }) => hosts.length > 0)
  const [{ hosts }] = served.toSorted((a, b) => a.hosts.length - b.hosts.length || a.id - b.id)
  return { kind: 'Host', row: hosts[0] }
}
const nic = (state: WorldView): number => state.topology.hosts.firstPort[busyHost(state)]
const atHost = (state: WorldView): FaultTarget => ({ kind: 'Host', row: busyHost(state) })
const edge = ({ topology }: WorldView): FaultTarget => ({ kind: 'Switch', row: topology.zones[0].edges[0] })
const gateway = ({ topology }: WorldView): FaultTarget => ({
  kind: 'Gateway',
  row: topology.zones[0].gateways[0],
})
const firewall = ({ topology }: WorldView): FaultTarget => ({
  kind: 'Appliance',
  row: topology.zones[0].firewalls[0],
})
const nicCable = (state: WorldView): FaultTarget => ({
  kind: 'Cable',
  row: state.topology.ports.cable[nic(state)],
})
/** The busiest uplink of an edge switch. */
const atUplink = ({ topology, network }: WorldView): FaultTarget => {
  const uplinks = Array.from(topology.ports.role.keys()).filter(
    (port) => topology.ports.role[port] === portRole.EdgeUp && topology.ports.cable[port] >= 0,
  )
  const [row] = uplinks.toSorted((a, b) => network.portTxGbps[b] - network.portTxGbps[a])
  return { kind: 'Port', row }
}
const atPort = (state: WorldView): FaultTarget => ({ kind: 'Port', row: nic(state) })
const richest = ({ tenants }: WorldView): FaultTarget => {
  const by = tenants.active.toSorted((a, b) => b.revenuePerHour - a.revenuePerHour)
  return { kind: 'Customer', id: by[0].id }
}

const carrierLine = ({ topology }: WorldView): FaultTarget => ({
  kind: 'Cable',
  row: topology.cables.rows.find((row) => cableKinds[topology.cables.kind[row]] === 'WanFiber')!,
})

const unfelt: readonly Band[] = ['Watch']
const any: readonly Band[] = bands
const felt: readonly Band[] = ['Minor', 'Major', 'Critical']

const expected: readonly Expected[] = [
  ['a dead host', 'HostFailure', soleHost, 'HostUnreachable', felt, 5],
  ['a broken SSD', 'DiskFailure', atHost, 'HardwareWarning', unfelt, 5],
  ['one of two supplies of a host', 'PowerSupplyFailure', atHost, 'RedundancyLost', unfelt, 5],
  ['both supplies of a host', 'PowerSupplyFailure', soleHost, 'HostUnreachable', felt, 6, 3],
  ['a supply of a switch', 'PowerSupplyFailure', edge, 'RedundancyLost', unfelt, 5],
  ['a power feed', 'PowerFeedLoss', () => ({ kind: 'PowerFeed', row: 0 }), 'RedundancyLost', ['Minor'], 3],
  ['a fan', 'FanFailure', atHost, 'HardwareWarning Overheating', unfelt, 5],
  ['a cooling unit', 'CoolingFailure', () => ({ kind: 'CoolingUnit', row: 0 }), 'HardwareWarning', unfelt, 5],
  ['a dead switch', 'SwitchFailure', edge, 'LinkDown', unfelt, 6],
  ['a dead gateway', 'GatewayFailure', gateway, 'LinkDown', unfelt, 6],
  ['a dead firewall', 'ApplianceFailure', firewall, 'LinkDown', unfelt, 6],
  ['a flapping port', 'PortFlap', atPort, 'LinkErrors', ['Watch', 'Minor'], 7],
  ['a cut cable', 'CableCut', nicCable, 'LinkDown', unfelt, 7],
  [
    'a dying transceiver',
    'TransceiverFailure',
    atUplink,
    'LinkErrors FailedRequests PacketLoss',
    felt,
    8,
    0.3,
  ],
  ['a dark transceiver', 'TransceiverFailure', atUplink, 'LinkDown', unfelt, 8],
  [
    'a bad direct attach cable',
    'CableFault',
    nicCable,
    'LinkErrors FailedRequests PacketLoss',
    ['Watch', 'Minor'],
    8,
    0.3,
  ],
  ['a dead direct attach cable', 'CableFault', nicCable, 'LinkDown', unfelt, 8],
  // A fifth of the fabric suffices in quiet hours.
  ['bad firmware', 'FirmwareFault', edge, 'HardwareWarning FailedRequests PacketLoss', any, 8, 0.8],
  // Storm control leaves a fifth of the links, which suffices at night.
  ['a broadcast storm', 'BroadcastStorm', edge, 'TrafficFlood', any, 4, 0.8],
  ['withdrawn routes', 'Misconfiguration', gateway, 'RedundancyLost', unfelt, 8],
  ['a wrong firewall rule', 'Misconfiguration', firewall, 'PacketLoss', felt, 10, 0.3],
  ['add-ons that throttle', 'AddonThrottling', gateway, 'PacketLoss', felt, 8, 0.8],
  ['a rush of users', 'DemandSurge', richest, 'ServiceDown', felt, 10, 4],
  ['a volumetric attack', 'Attack', richest, 'TrafficFlood', felt, 5, 300, 'Volumetric'],
  ['a protocol attack', 'Attack', richest, 'TrafficFlood', any, 5, 30, 'Protocol'],
  ['an attack on an application', 'Attack', richest, 'TrafficFlood', any, 5, 300, 'Application'],
  ['an intrusion', 'Attack', richest, 'SuspiciousLogins', ['Major', 'Critical'], 5, 5_000, 'Intrusion'],
  ['a scan', 'Attack', richest, 'SuspiciousLogins', unfelt, 5, 100, 'Scan'],
  ['an expired certificate', 'ExpiredCertificate', richest, 'ServiceDown FailedRequests', felt, 6, 0.8],
  ['a faulty release', 'FailedRelease', richest, 'FailedRequests', felt, 6, 0.2],
  ['wrong DNS records', 'DnsError', richest, 'FailedRequests', felt, 6, 0.4],
  ['a wrong clock', 'ClockDrift', soleHost, 'HardwareWarning FailedRequests', felt, 6, 0.2],
  ['memory errors', 'MemoryErrors', atHost, 'HardwareWarning', any, 6, 0.3],
  [
    'a stuck battery test',
    'StuckBatteryTest',
    () => ({ kind: 'PowerFeed', row: 0 }),
    'HardwareWarning',
    unfelt,
    5,
  ],
  [
    'water under a cooling unit',
    'WaterLeak',
    () => ({ kind: 'CoolingUnit', row: 0 }),
    'HardwareWarning',
    unfelt,
    6,
  ],
  ['a route leak', 'RouteLeak', gateway, 'HardwareWarning PacketLoss FailedRequests', any, 8, 0.9],
  ['an expired license', 'ExpiredLicense', firewall, 'PacketLoss FailedRequests ServiceDown', felt, 8, 0.97],
  ['a carrier outage', 'CarrierOutage', carrierLine, 'LinkDown', any, 8],
]

const orderOf = (state: WorldView, [, kind, target, , , , magnitude = 1, attack]: Expected): FaultSpec => ({
  kind,
  target: target(state),
  magnitude,
  lasts: 3 * hour,
  ...(attack === undefined ? {} : { attackClass: attack }),
})

test('each kind that can be injected has a case', () => {
  // A controller that hangs is felt where those of all cooling units do: see frozen-displays.test.ts.
  const kinds = new Set([...expected.map(([, kind]) => kind), 'HungController'])
  expect([...kinds].toSorted()).toEqual(Object.keys(faultActions).toSorted())
})

const named = expected.map((given) => [given[0], given[1], given] as const)
describe.each(named)('%s (%s)', (_, kind, given) => {
  const [, , , symptoms, band, leads] = given
  const world = createRunningWorld(seed, 'medium', 0, 10 * hour)
  const { state, faults, incidents, records } = world
  world.run(10 * minute)
  const calm = incidents.state.openedCount
  const fault = faults.inject(orderOf(state, given))

  test('shows as a symptom, is suspected, confirmed, and over after repair', () => {
    expect(calm).toBe(0)
    let opened = -1
    let led = -1
    let highest = 0
    const minutes = () => (state.now - fault.began) / minute
    world.run(15 * minute, () => {
      for (const at of incidents.state.open.values()) {
        if (opened < 0) opened = minutes()
        const [first] = at.causes
        const isTrue =
          first !== undefined && first.kind === fault.kind && sameTarget(first.target, fault.target)
        if (isTrue && led < 0) led = minutes()
        highest = Math.max(highest, bands.indexOf(at.band))
        if (at.root !== null) return
        records.update()
        expect(records.incidents.find(({ id }) => id === at.id)).toMatchObject({
          root_kind: 'Unknown',
          root_entity_id: null,
          rack_id: null,
          confirmed: false,
        })
      }
    })
    expect(opened).toBeGreaterThan(0)
    expect(opened).toBeLessThanOrEqual(10)
    expect(led).toBeGreaterThan(0)
    expect(led).toBeLessThanOrEqual(leads + 1)
    expect(band).toContain(bands[highest])
    const [at] = incidents.state.open.values()
    expect(symptoms.split(' ')).toContain(at.headline.kind)
    expect(fault.incidentId).toBe(at.id)

    expect(incidents.diagnose(at.id, null)).toBe(fault)
    records.update()
    expect(records.incidents[0]).toMatchObject({ root_kind: kind, confirmed: true })
    expect(records.incidents[0].causes[0]).toMatchObject({ confidence: 100, confirmed: true, cleared: false })

    faults.repair(fault)
    world.run(30 * minute, () => incidents.state.open.size === 0)
    expect(incidents.state.open.size).toBe(0)
    expect(at.resolved).not.toBeNull()
  })
})
