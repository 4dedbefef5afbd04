import { describe, expect, test } from 'vitest'
import { cableKinds, connectors } from '../../../../src/contract/vocabularies.ts'
import { deviceKind, portRole, portRoles } from '../../../../src/world/simulation/topology/tables.ts'
import type { Topology, PortRole } from '../../../../src/world/simulation/topology/tables.ts'
import { cableName } from '../../../../src/world/simulation/topology/entities.ts'
import { deviceTables, violations, topologyOf } from './topologies.ts'

const roleName = ({ ports }: Topology, port: number): PortRole => portRoles[ports.role[port]]

/** Permitted roles of the port at the far end. */
const partners: Record<PortRole, readonly PortRole[]> = {
  HostNic: ['EdgeDown'],
  EdgeDown: ['HostNic'],
  EdgeUp: ['AggregationDown'],
  AggregationDown: ['EdgeUp'],
  AggregationUp: ['CoreDown'],
  CoreDown: ['AggregationUp'],
  CoreUp: ['ApplianceInside'],
  CorePeer: ['CorePeer'],
  CoreOneArm: ['ApplianceOneArm'],
  ApplianceOutside: ['GatewayLan'],
  ApplianceInside: ['CoreUp'],
  ApplianceOneArm: ['CoreOneArm', 'GatewayLan'],
  GatewayLan: ['ApplianceOutside', 'ApplianceOneArm'],
  GatewayWan: ['CarrierPort'],
  CarrierPort: ['GatewayWan'],
  PanelFront: [],
}

function endViolations(topology: Topology): string[] {
  const { cables, ports } = topology
  const wrong: string[] = []
  const onPort = new Map<number, number>()
  const claim = (port: number, cable: number) => {
    if (onPort.has(port)) wrong.push(`port ${port} is taken by cables ${onPort.get(port)} and ${cable}`)
    onPort.set(port, cable)
  }
  for (let cable = 0; cable < cables.count; cable++) {
    const a = cables.a[cable]
    const b = cables.b[cable]
    claim(a, cable)
    claim(b, cable)
    for (const port of cables.patchPanelPorts[cable]) {
      claim(port, cable)
      if (roleName(topology, port) !== 'PanelFront')
        wrong.push(`cable ${cable} passes port ${port}, no panel's`)
    }
    if (ports.peer[a] !== b || ports.peer[b] !== a) wrong.push(`ends of cable ${cable} are no peers`)
    if (!partners[roleName(topology, a)].includes(roleName(topology, b))) {
      wrong.push(`cable ${cable} joins ${roleName(topology, a)} to ${roleName(topology, b)}`)
    }
    if (ports.capacityGbps[a] !== ports.capacityGbps[b]) wrong.push(`cable ${cable} joins unequal speeds`)
  }
  for (let port = 0; port < ports.count; port++) {
    if ((onPort.get(port) ?? -1) !== ports.cable[port]) wrong.push(`port ${port} names another cable`)
    if (ports.cable[port] === -1 && ports.peer[port] !== -1) wrong.push(`free port ${port} has a peer`)
    if (roleName(topology, port) === 'PanelFront' && ports.peer[port] !== -1) {
      wrong.push(`panel port ${port} is the end of something`)
    }
  }
  return wrong
}

function ownershipViolations(topology: Topology): string[] {
  const { ports } = topology
  const wrong: string[] = []
  const owners = new Uint8Array(ports.count)
  const kinds = {
    host: deviceKind.Host,
    switch: deviceKind.Switch,
    gateway: deviceKind.Gateway,
    appliance: deviceKind.Appliance,
    panel: deviceKind.PatchPanel,
  }
  for (const [name, table] of Object.entries(deviceTables(topology))) {
    for (let row = 0; row < table.count; row++) {
      for (let index = 0; index < table.portCount[row]; index++) {
        const port = table.firstPort[row] + index
        owners[port]++
        const right =
          ports.device[port] === row &&
          ports.index[port] === index &&
          ports.deviceKind[port] === kinds[name as keyof typeof kinds]
        if (!right) wrong.push(`port ${port} does not know that it is number ${index} of ${name} ${row}`)
      }
    }
  }
  for (let port = 0; port < ports.count; port++) {
    const expected = ports.deviceKind[port] === deviceKind.Upstream ? 0 : 1
    if (owners[port] !== expected) wrong.push(`port ${port} belongs to ${owners[port]} devices`)
  }
  return wrong
}

/** Follows the uplinks of every host tier by tier; returns the roles of the last ports. */
function pathViolations(topology: Topology): string[] {
  const { ports, hosts, switches, appliances, gateways } = topology
  const upwards = new Set<number>(
    (['EdgeUp', 'AggregationUp', 'CoreUp', 'ApplianceOutside', 'GatewayWan'] as const).map(
      (role) => portRole[role],
    ),
  )
  const tables = [gateways, switches, appliances] as const
  const wrong: string[] = []
  for (let host = 0; host < hosts.count; host++) {
    const zone = hosts.zone[host]
    const nics = Array.from({ length: hosts.portCount[host] }, (_, nic) => hosts.firstPort[host] + nic)
    const edges = new Set(nics.map((port) => ports.device[ports.peer[port]]))
    if (edges.size !== 2) wrong.push(`host ${host} is cabled to ${edges.size} edge switches`)
    const seen = new Set<string>()
    const carriers = new Set<number>()
    const visit = (port: number): void => {
      const kind = ports.deviceKind[port]
      const row = ports.device[port]
      if (kind === deviceKind.Upstream) {
        carriers.add(row)
        return
      }
      const table = tables[kind]
      if (table.zone[row] !== zone) wrong.push(`host ${host} goes up through another zone`)
      if (seen.has(`${kind}/${row}`)) return
      seen.add(`${kind}/${row}`)
      for (let up = table.firstPort[row]; up < table.firstPort[row] + table.portCount[row]; up++) {
        if (upwards.has(ports.role[up]) && ports.peer[up] !== -1) visit(ports.peer[up])
      }
    }
    for (const nic of nics) visit(ports.peer[nic])
    const wan = topology.zones[zone].gateways.every((gateway) => seen.has(`${deviceKind.Gateway}/${gateway}`))
    if (!wan) wrong.push(`host ${host} has no path to every gateway of its zone`)
    if (carriers.size < 2) wrong.push(`host ${host} has a path to ${carriers.size} carriers`)
  }
  return wrong
}

function groupViolations(topology: Topology): string[] {
  const { cables, ports } = topology
  const wrong: string[] = []
  const lags = new Map<number, number[]>()
  const breakouts = new Map<number, number[]>()
  for (let cable = 0; cable < cables.count; cable++) {
    const { lag, breakout } = { lag: cables.lag[cable], breakout: cables.breakout[cable] }
    if (lag !== -1) lags.set(lag, [...(lags.get(lag) ?? []), cable])
    if (breakout !== -1) breakouts.set(breakout, [...(breakouts.get(breakout) ?? []), cable])
    const isLeg = cableKinds[cables.kind[cable]] === 'Breakout'
    if (isLeg !== (breakout !== -1)) wrong.push(`cable ${cable} is a leg of nothing`)
  }
  for (const [lag, members] of lags) {
    const starts = new Set(
      members.map((cable) => `${ports.deviceKind[cables.a[cable]]}/${ports.device[cables.a[cable]]}`),
    )
    if (members.length < 2) wrong.push(`group ${lag} has one member`)
    if (starts.size !== 1) wrong.push(`group ${lag} begins at ${starts.size} devices`)
  }
  for (const [breakout, legs] of breakouts) {
    const wide = legs.map((cable) => cables.b[cable])
    const spread = Math.max(...wide) - Math.min(...wide)
    const devices = new Set(wide.map((port) => ports.device[port]))
    if (legs.length > 4 || spread > 3 || devices.size !== 1) {
      wrong.push(`legs of breakout ${breakout} are not in one wide port`)
    }
    if (!wide.every((port) => connectors[ports.connector[port]].startsWith('QSFP'))) {
      wrong.push(`breakout ${breakout} is in no wide port`)
    }
  }
  return wrong
}

function nameViolations(topology: Topology): string[] {
  const names = topology.cables.rows.map((cable) => cableName(topology, cable))
  const unique = new Set(names)
  return unique.size === names.length ? [] : [`${names.length} cables have ${unique.size} names`]
}

test.each(
  violations({
    'gives each cable a name of its own': nameViolations,
    'cables, ports and peers agree from both ends': endViolations,
    'every port belongs to one device, at its own position': ownershipViolations,
    'every host has a path to all gateways of its zone, and from there to two carriers': pathViolations,
    'aggregation groups begin at one device; breakout legs share one wide port': groupViolations,
  }),
)('%s', (_, found) => {
  expect(found).toEqual([])
})

describe('cabling', () => {
  test('all NICs of a host are one aggregation group', () => {
    const topology = topologyOf({ name: '', seed: 3n, scale: 'medium' })
    const { hosts, ports, cables } = topology
    const groups = Array.from({ length: hosts.count }, (_, host) => {
      const nics = Array.from({ length: hosts.portCount[host] }, (_, nic) => hosts.firstPort[host] + nic)
      return new Set(nics.map((port) => cables.lag[ports.cable[port]]))
    })
    expect(groups.filter((group) => group.size !== 1 || group.has(-1))).toEqual([])
    expect(new Set(groups.flatMap((group) => Array.from(group))).size).toBe(120)
  })

  test.each(['small', 'medium', 'large'] as const)('a %s topology has every kind of cable', (scale) => {
    const { cables } = topologyOf({ name: '', seed: 5n, scale })
    const kinds = new Set(Array.from(cables.kind, (kind) => cableKinds[kind]))
    const expected =
      scale === 'large' ? ['Breakout', 'Dac', 'Fiber', 'WanFiber'] : ['Breakout', 'Copper', 'Dac', 'Fiber']
    expect([...kinds]).toEqual(expect.arrayContaining(expected))
    expect(kinds.has('WanFiber')).toBe(true)
  })

  test.each(['small', 'medium', 'large'] as const)(
    'every kind of device of a %s topology has a free port',
    (scale) => {
      const topology = topologyOf({ name: '', seed: 5n, scale })
      const { ports, switches } = topology
      const free = new Set<string>()
      for (let port = 0; port < ports.count; port++) {
        if (ports.cable[port] !== -1) continue
        const row = ports.device[port]
        free.add(
          ports.deviceKind[port] === deviceKind.Switch
            ? switches.role[row]
            : `kind ${ports.deviceKind[port]}`,
        )
      }
      expect([...free].toSorted()).toEqual(['aggregation', 'core', 'edge', 'kind 0', 'kind 2', 'kind 3'])
    },
  )
})
