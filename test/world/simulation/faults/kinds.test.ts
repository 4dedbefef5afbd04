import { describe, expect, test } from 'vitest'
import type { Band, CauseKind, SymptomKind, ThreatClass } from '../../../../src/contract/vocabularies.ts'
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

interface Expected {
  readonly what: string
  readonly kind: CauseKind
  readonly target: (state: WorldView) => FaultTarget
  readonly magnitude?: number
  readonly attack?: ThreatClass
  readonly symptom: readonly SymptomKind[]
  /** The highest band within a quarter of an hour. */
  readonly band: readonly Band[]
  /** Minutes until the true cause leads, without an inspection. */
  readonly leads: number
}

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
const noticeableBands: readonly Band[] = ['Minor', 'Major', 'Critical']

const expected: readonly Expected[] = [
  {
    what: 'a dead host',
    kind: 'HostFailure',
    target: soleHost,
    symptom: ['HostUnreachable'],
    band: noticeableBands,
    leads: 5,
  },
  {
    what: 'a broken SSD',
    kind: 'DiskFailure',
    target: atHost,
    symptom: ['HardwareWarning'],
    band: unfelt,
    leads: 5,
  },
  {
    what: 'one of two supplies of a host',
    kind: 'PowerSupplyFailure',
    target: atHost,
    symptom: ['RedundancyLost'],
    band: unfelt,
    leads: 5,
  },
  {
    what: 'both supplies of a host',
    kind: 'PowerSupplyFailure',
    target: soleHost,
    magnitude: 3,
    symptom: ['HostUnreachable'],
    band: noticeableBands,
    leads: 6,
  },
  {
    what: 'a supply of a switch',
    kind: 'PowerSupplyFailure',
    target: edge,
    symptom: ['RedundancyLost'],
    band: unfelt,
    leads: 5,
  },
  {
    what: 'a power feed',
    kind: 'PowerFeedLoss',
    target: () => ({ kind: 'PowerFeed', row: 0 }),
    symptom: ['RedundancyLost'],
    band: ['Minor'],
    leads: 3,
  },
  {
    what: 'a fan',
    kind: 'FanFailure',
    target: atHost,
    symptom: ['HardwareWarning', 'Overheating'],
    band: unfelt,
    leads: 5,
  },
  {
    what: 'a cooling unit',
    kind: 'CoolingFailure',
    target: () => ({ kind: 'CoolingUnit', row: 0 }),
    symptom: ['HardwareWarning'],
    band: unfelt,
    leads: 5,
  },
  {
    what: 'a dead switch',
    kind: 'SwitchFailure',
    target: edge,
    symptom: ['LinkDown'],
    band: unfelt,
    leads: 6,
  },
  {
    what: 'a dead gateway',
    kind: 'GatewayFailure',
    target: gateway,
    symptom: ['LinkDown'],
    band: unfelt,
    leads: 6,
  },
  {
    what: 'a dead firewall',
    kind: 'ApplianceFailure',
    target: firewall,
    symptom: ['LinkDown'],
    band: unfelt,
    leads: 6,
  },
  {
    what: 'a flapping port',
    kind: 'PortFlap',
    target: atPort,
    symptom: ['LinkErrors'],
    band: ['Watch', 'Minor'],
    leads: 7,
  },
  {
    what: 'a cut cable',
    kind: 'CableCut',
    target: nicCable,
    symptom: ['LinkDown'],
    band: unfelt,
    leads: 7,
  },
  {
    what: 'a dying transceiver',
    kind: 'TransceiverFailure',
    target: atUplink,
    magnitude: 0.3,
    symptom: ['LinkErrors', 'FailedRequests', 'PacketLoss'],
    band: noticeableBands,
    leads: 8,
  },
  {
    what: 'a dark transceiver',
    kind: 'TransceiverFailure',
    target: atUplink,
    symptom: ['LinkDown'],
    band: unfelt,
    leads: 8,
  },
  {
    what: 'a bad direct attach cable',
    kind: 'CableFault',
    target: nicCable,
    magnitude: 0.3,
    symptom: ['LinkErrors', 'FailedRequests', 'PacketLoss'],
    band: ['Watch', 'Minor'],
    leads: 8,
  },
  {
    what: 'a dead direct attach cable',
    kind: 'CableFault',
    target: nicCable,
    symptom: ['LinkDown'],
    band: unfelt,
    leads: 8,
  },
  {
    what: 'bad firmware',
    kind: 'FirmwareFault',
    target: edge,
    magnitude: 0.8,
    symptom: ['HardwareWarning', 'FailedRequests', 'PacketLoss'],
    // A fifth of the fabric suffices in quiet hours.
    band: any,
    leads: 8,
  },
  {
    what: 'a broadcast storm',
    kind: 'BroadcastStorm',
    target: edge,
    magnitude: 0.8,
    symptom: ['TrafficFlood'],
    // Storm control leaves a fifth of the links, which suffices at night.
    band: any,
    leads: 4,
  },
  {
    what: 'withdrawn routes',
    kind: 'Misconfiguration',
    target: gateway,
    symptom: ['RedundancyLost'],
    band: unfelt,
    leads: 8,
  },
  {
    what: 'a wrong firewall rule',
    kind: 'Misconfiguration',
    target: firewall,
    magnitude: 0.3,
    symptom: ['PacketLoss'],
    band: noticeableBands,
    leads: 10,
  },
  {
    what: 'add-ons that throttle',
    kind: 'AddonThrottling',
    target: gateway,
    magnitude: 0.8,
    symptom: ['PacketLoss'],
    band: noticeableBands,
    leads: 8,
  },
  {
    what: 'a rush of users',
    kind: 'DemandSurge',
    target: richest,
    magnitude: 4,
    symptom: ['FailedRequests'],
    band: noticeableBands,
    leads: 10,
  },
  {
    what: 'a volumetric attack',
    kind: 'Attack',
    attack: 'Volumetric',
    target: richest,
    magnitude: 300,
    symptom: ['TrafficFlood'],
    band: noticeableBands,
    leads: 5,
  },
  {
    what: 'a protocol attack',
    kind: 'Attack',
    attack: 'Protocol',
    target: richest,
    magnitude: 30,
    symptom: ['TrafficFlood'],
    band: any,
    leads: 5,
  },
  {
    what: 'an attack on an application',
    kind: 'Attack',
    attack: 'Application',
    target: richest,
    magnitude: 300,
    symptom: ['TrafficFlood'],
    band: any,
    leads: 5,
  },
  {
    what: 'an intrusion',
    kind: 'Attack',
    attack: 'Intrusion',
    target: richest,
    magnitude: 5_000,
    symptom: ['SuspiciousLogins'],
    band: ['Major', 'Critical'],
    leads: 5,
  },
  {
    what: 'a scan',
    kind: 'Attack',
    attack: 'Scan',
    target: richest,
    magnitude: 100,
    symptom: ['SuspiciousLogins'],
    band: unfelt,
    leads: 5,
  },
  {
    what: 'an expired certificate',
    kind: 'ExpiredCertificate',
    target: richest,
    magnitude: 0.8,
    symptom: ['ServiceDown', 'FailedRequests'],
    band: noticeableBands,
    leads: 6,
  },
  {
    what: 'a faulty release',
    kind: 'FailedRelease',
    target: richest,
    magnitude: 0.2,
    symptom: ['FailedRequests'],
    band: noticeableBands,
    leads: 6,
  },
  {
    what: 'wrong DNS records',
    kind: 'DnsError',
    target: richest,
    magnitude: 0.4,
    symptom: ['FailedRequests'],
    band: noticeableBands,
    leads: 6,
  },
  {
    what: 'a wrong clock',
    kind: 'ClockDrift',
    target: soleHost,
    magnitude: 0.2,
    symptom: ['HardwareWarning', 'FailedRequests'],
    band: noticeableBands,
    leads: 6,
  },
  {
    what: 'memory errors',
    kind: 'MemoryErrors',
    target: atHost,
    magnitude: 0.3,
    symptom: ['HardwareWarning'],
    band: any,
    leads: 6,
  },
  {
    what: 'a stuck battery test',
    kind: 'StuckBatteryTest',
    target: () => ({ kind: 'PowerFeed', row: 0 }),
    symptom: ['HardwareWarning'],
    band: unfelt,
    leads: 5,
  },
  {
    what: 'water under a cooling unit',
    kind: 'WaterLeak',
    target: () => ({ kind: 'CoolingUnit', row: 0 }),
    symptom: ['HardwareWarning'],
    band: unfelt,
    leads: 6,
  },
  {
    what: 'a route leak',
    kind: 'RouteLeak',
    target: gateway,
    magnitude: 0.9,
    symptom: ['HardwareWarning', 'PacketLoss', 'FailedRequests'],
    band: any,
    leads: 8,
  },
  {
    what: 'an expired license',
    kind: 'ExpiredLicense',
    target: firewall,
    magnitude: 0.97,
    symptom: ['PacketLoss', 'FailedRequests', 'ServiceDown'],
    band: noticeableBands,
    leads: 8,
  },
  {
    what: 'a carrier outage',
    kind: 'CarrierOutage',
    target: carrierLine,
    symptom: ['LinkDown'],
    band: any,
    leads: 8,
  },
]

const orderOf = (state: WorldView, { kind, target, magnitude = 1, attack }: Expected): FaultSpec => ({
  kind,
  target: target(state),
  magnitude,
  lasts: 3 * hour,
  ...(attack === undefined ? {} : { attackClass: attack }),
})

test('each kind that can be injected has a case', () => {
  const kinds = new Set(expected.map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual(Object.keys(faultActions).toSorted())
})

describe.each(expected)('$what ($kind)', (given) => {
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
    expect(led).toBeLessThanOrEqual(given.leads + 1)
    expect(given.band).toContain(bands[highest])
    const [at] = incidents.state.open.values()
    expect(given.symptom).toContain(at.headline.kind)
    expect(fault.incidentId).toBe(at.id)

    expect(incidents.diagnose(at.id, null)).toBe(fault)
    records.update()
    expect(records.incidents[0]).toMatchObject({ root_kind: given.kind, confirmed: true })
    expect(records.incidents[0].causes[0]).toMatchObject({ confidence: 100, confirmed: true, cleared: false })

    faults.repair(fault)
    world.run(30 * minute, () => incidents.state.open.size === 0)
    expect(incidents.state.open.size).toBe(0)
    expect(at.resolved).not.toBeNull()
  })
})
