import { thresholds } from '../../../../src/contract/thresholds.ts'
import { deviceKind } from '../../../../src/world/simulation/topology/tables.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { deviceOfPort } from '../../../../src/world/simulation/topology/entities.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import { idOf, ofRecords, ofRows, rows, shares, where } from '../claim.ts'
import type { Claim, KeyedStrength, Sight } from '../claim.ts'
import { SampleWindow } from '../sample-window.ts'

const zoneRows = ({ topology }: WorldView): number[] => rows(topology.zones.length)
const switchRows = ({ topology }: WorldView): number[] => rows(topology.switches.count)

interface Link {
  readonly cable: number
  readonly port: number
}

/** Cables between network devices and carriers, by the world's own ports at their ends. The topology is constant. */
const links = new WeakMap<Topology, readonly Link[]>()
function linksOf(topology: Topology): readonly Link[] {
  const known = links.get(topology) ?? layLinks(topology)
  links.set(topology, known)
  return known
}

function layLinks(topology: Topology): Link[] {
  const { cables, ports } = topology
  const isHost = (port: number): boolean => ports.deviceKind[port] === deviceKind.Host
  const isOurs = (port: number): boolean => ports.deviceKind[port] !== deviceKind.Upstream
  return rows(cables.count)
    .filter((cable) => !isHost(cables.a[cable]) && !isHost(cables.b[cable]))
    .map((cable) => ({ cable, port: isOurs(cables.a[cable]) ? cables.a[cable] : cables.b[cable] }))
}

const announces = ({ network }: WorldView, gateway: number): boolean =>
  network.gatewayAdvertising[gateway] === 1

function* droppingZones({ state }: Sight): Iterable<KeyedStrength> {
  const { zoneDroppedGbps, zoneWanInGbps, zoneWanOutGbps } = state.network
  const share = (zone: number): number =>
    zoneDroppedGbps[zone] / Math.max(1e-9, zoneWanInGbps[zone] + zoneWanOutGbps[zone] + zoneDroppedGbps[zone])
  yield* shares(zoneRows(state), share, thresholds.droppedShareHigh, idOf)
}

/** The load of a zone's working WAN ports, in the fuller direction. */
function* fullZones({ state }: Sight): Iterable<KeyedStrength> {
  const { topology, network } = state
  const load = (zone: number): number => {
    let capacity = 0
    for (const gateway of topology.zones[zone].gateways) {
      const first = topology.gateways.firstPort[gateway]
      for (let port = first; port < first + topology.gateways.wanPorts[gateway]; port++) {
        if (network.portUp[port] === 1) capacity += topology.ports.capacityGbps[port]
      }
    }
    const carried = Math.max(network.zoneWanInGbps[zone], network.zoneWanOutGbps[zone])
    return capacity > 0 ? carried / capacity : 0
  }
  yield* shares(zoneRows(state), load, thresholds.linkLoadFull, idOf)
}

const flapsNow = ({ state }: Sight, port: number): boolean =>
  state.condition.portFlapping[port] + state.condition.portFlapping[state.topology.ports.peer[port]] > 0

function* deadLinks(sight: Sight): Iterable<KeyedStrength> {
  const { topology, network } = sight.state
  // A flapping link may be down at any scrape.
  const isDown = (link: Link): boolean =>
    (network.portUp[link.port] === 0 || flapsNow(sight, link.port)) && !isAtDeadDevice(sight.state, link)
  yield* where(linksOf(topology), isDown, ({ cable }) => idOf(cable))
}

function* fullLinks({ state: { topology, network } }: Sight): Iterable<KeyedStrength> {
  const load = ({ port }: Link): number =>
    Math.max(network.portTxGbps[port], network.portRxGbps[port]) / topology.ports.capacityGbps[port]
  yield* shares(linksOf(topology), load, thresholds.linkLoadFull, ({ cable }) => idOf(cable))
}

interface Fabric {
  readonly id: number | bigint
  readonly fabric_load_gbps: number
  readonly fabric_capacity_gbps: number
  readonly fabric_saturated: boolean
}

/** Fabrics of devices: a full one, and its load. */
function fabrics(key: string, devicesOf: (sight: Sight) => readonly Fabric[]) {
  const loads = (sight: Sight): KeyedStrength[] =>
    devicesOf(sight).map((one) => [String(one.id), one.fabric_load_gbps / one.fabric_capacity_gbps])
  return {
    key: [key],
    look: (sight: Sight): KeyedStrength[] =>
      loads(sight).map(([id, load], index) => [
        id,
        devicesOf(sight)[index].fabric_saturated ? 2 : load / thresholds.fabricLoadHigh,
      ]),
    amount: { unit: 'percent' as const, of: loads },
  }
}

/** The rate of a counter, summed over all ports of a switch, per simulated second. */
function counted(of: 'portErrors' | 'portFlaps', perSecond: number): Claim {
  const samples = new SampleWindow()
  return {
    key: ['switch'],
    tolerance: 0.3,
    lingers: 120,
    amount: {
      unit: 'times' as const,
      scale: of === 'portErrors' ? perSecond : perSecond * 3600,
      fills: 120,
      tolerance: 0.3,
    },
    *look({ at, state }) {
      const { firstPort, portCount } = state.topology.switches
      for (const row of switchRows(state)) {
        let sum = 0
        for (let port = firstPort[row]; port < firstPort[row] + portCount[row]; port++) {
          sum += state.network[of][port]
        }
        samples.note(String(row), at, sum)
        const seconds = 60 * samples.known(String(row), at, 120)
        if (seconds > 0) yield [idOf(row), samples.gained(String(row), at, 120) / seconds / perSecond]
      }
    },
  }
}

/** Whether a device at an end of a link is down: then an alert names the device instead of its links. */
function isAtDeadDevice({ topology, facility, condition }: WorldView, { port }: Link): boolean {
  const down = {
    Switch: (row: number) => facility.switchFeeds[row] === 0 || condition.switchBroken[row] > 0,
    Gateway: (row: number) => facility.gatewayFeeds[row] === 0 || condition.gatewayBroken[row] > 0,
    Appliance: (row: number) => facility.applianceFeeds[row] === 0 || condition.applianceBroken[row] > 0,
  }
  return [port, topology.ports.peer[port]].some((end) => {
    const device = deviceOfPort(topology, end)
    return device !== null && device.kind !== 'Host' && down[device.kind](device.row)
  })
}

function* inspections({ snapshot }: Sight): Iterable<KeyedStrength> {
  for (const { id, inspection_load_gbps: load, inspection_capacity_gbps: capacity } of snapshot.collections
    .appliances) {
    if (capacity > 0) yield [String(id), load / capacity / thresholds.inspectionLoadHigh]
  }
}

const linkShare = { unit: 'percent', scale: thresholds.linkLoadFull } as const

/** Gateways without routes in zones whose other gateways have some. */
const silentGateways = (state: WorldView): number[] =>
  state.topology.zones.flatMap(({ gateways }) => {
    const silent = gateways.filter((gateway) => !announces(state, gateway))
    return silent.length < gateways.length ? silent : []
  })

export const networkClaims = () => ({
  DcsimZoneAnnouncesNoRoutes: ofRows(
    'az',
    zoneRows,
    (zone, { state }) => !state.topology.zones[zone].gateways.some((gateway) => announces(state, gateway)),
  ),
  DcsimGatewayAnnouncesNoRoutes: ofRows('gateway', silentGateways, () => true),
  DcsimBroadcastStorm: ofRows(
    'switch',
    switchRows,
    (row, { state }) => state.condition.switchStorm[row] > 0 && state.facility.switchUp[row] === 1,
  ),
  DcsimZoneDropsTraffic: {
    key: ['az'],
    look: droppingZones,
    amount: { unit: 'percent' as const, scale: thresholds.droppedShareHigh },
  },
  DcsimZoneWanFull: { key: ['az'], look: fullZones, amount: linkShare },
  DcsimLinkDown: { key: ['link'], look: deadLinks },
  DcsimLinkFull: { key: ['link'], look: fullLinks, amount: linkShare },
  DcsimSwitchFabricFull: fabrics('switch', ({ snapshot }) => snapshot.collections.switches),
  DcsimSwitchLosesFrames: counted('portErrors', thresholds.errorsPerSecondHigh),
  DcsimSwitchLinksFlap: counted('portFlaps', thresholds.flapsPerHourHigh / 3600),
  DcsimInspectionFull: {
    key: ['appliance'],
    look: inspections,
    amount: { unit: 'percent' as const, scale: thresholds.inspectionLoadHigh },
  },
  DcsimGatewayFabricFull: fabrics('gateway', ({ snapshot }) => snapshot.collections.gateways),
  DcsimGatewayThrottled: {
    ...ofRecords('gateway', 'gateways', (gateway) => gateway.addon_throttled),
    amount: {
      unit: 'percent' as const,
      of: ({ snapshot }: Sight) =>
        snapshot.collections.gateways.map(({ id, addon_throttle: share }) => [String(id), share] as const),
    },
  },
})
