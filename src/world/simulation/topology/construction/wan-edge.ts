import type { ApplianceKind } from '../../../../contract/vocabularies.ts'
import { applianceFunctions, securityAddons } from '../../../../contract/vocabularies.ts'
import type { RandomStream, RandomStreams } from '../../random.ts'
import { networkSku } from '../catalog.ts'
import type { TopologyDraft, PortGroup, SocketsByRole } from './topology-builder.ts'
import { addPorts } from './topology-builder.ts'
import type { Sizing } from '../sizing.ts'
import { addNetworkDevice, portSum, placeInNetworkRow } from './device-placement.ts'
import type { NetworkSku } from '../tables.ts'
import { deviceKind } from '../tables.ts'

/** Firewalls, gateways, appliances and carriers with their ports. */

const numbered = (name: string) => (position: number) => `${name}${position}`

function addAppliance(
  draft: TopologyDraft,
  zone: number,
  kind: ApplianceKind,
  name: string,
  nth: number,
  sku: NetworkSku,
  groups: readonly PortGroup[],
  random: EdgeDraws,
): number {
  const { appliances } = draft
  const at = placeInNetworkRow(draft, zone, nth - 1, sku.uSize)
  const plainName = `${draft.zones[zone].name}-${name}${nth}`
  const row = addNetworkDevice(draft, appliances, zone, at, plainName, draft.applianceSkus, sku, random.ages)
  const functions = random.functionsOf(kind)
  appliances.kind.push(kind)
  appliances.functionsOwned.push(functions.owned)
  appliances.functionsEnabled.push(functions.enabled)
  appliances.portCount.push(portSum(groups))
  appliances.sockets.push(addPorts(draft, 'Appliance', row, groups))
  draft.zones[zone].appliances.push(row)
  return row
}

/** The differences between the edges of zones. */
interface EdgeDraws {
  /** Null for devices as old as their rack. */
  readonly ages: RandomStream | null
  functionsOf(kind: ApplianceKind): { readonly owned: number; readonly enabled: number }
  addons(): number
}

const bit = (of: (typeof applianceFunctions)[number]): number => 1 << applianceFunctions.indexOf(of)

/** Functions of every appliance of a kind, and an optional one. */
const functionSets = {
  Firewall: { always: bit('StatefulFirewall'), option: bit('IntrusionDetection') },
  DdosScrubber: { always: bit('DdosScrubbing'), option: 0 },
  IntrusionPrevention: { always: bit('IntrusionDetection') | bit('IntrusionPrevention'), option: 0 },
  LoadBalancer: { always: bit('LoadBalancing'), option: bit('WebApplicationFirewall') },
} as const satisfies Record<ApplianceKind, object>

/** Most appliances have an audit log; most own the optional function too, and most of those enable it. */
function functionsOf(kind: ApplianceKind, choices: RandomStream): { owned: number; enabled: number } {
  const { always, option } = functionSets[kind]
  const enabled = choices.chance(0.6) ? always | bit('AuditLog') : always
  const owned = choices.chance(0.7) ? enabled | option : enabled
  return { owned, enabled: choices.chance(0.7) ? owned : enabled }
}

/** Security add-ons of a zone's gateways, the same for all of them. */
function addonsOf(choices: RandomStream): number {
  const likelihood = { DdosShield: 0.6, WebFirewall: 0.7, IntrusionPrevention: 0.45, BotFilter: 0.5 }
  let owned = 0
  securityAddons.forEach((addon, index) => {
    if (choices.chance(likelihood[addon])) owned |= 1 << index
  })
  return owned
}

export function buildWanEdge(draft: TopologyDraft, sizing: Sizing, random: RandomStreams): void {
  const choices = random.stream('plant.security')
  const draws: EdgeDraws = {
    ages: random.stream('plant.ages'),
    functionsOf: (kind) => functionsOf(kind, choices),
    addons: () => addonsOf(choices),
  }
  for (let zone = 0; zone < draft.zones.length; zone++) addEdge(draft, sizing, zone, draws)
}

/** Adds the edge of a new zone, with the functions of the first zone. */
export function addEdgeLikeFirst(draft: TopologyDraft, sizing: Sizing, zone: number): void {
  const { appliances, gateways } = draft
  addEdge(draft, sizing, zone, {
    ages: null,
    functionsOf(kind) {
      const row = appliances.kind.indexOf(kind)
      return { owned: appliances.functionsOwned[row], enabled: appliances.functionsEnabled[row] }
    },
    addons: () => gateways.addons[0],
  })
}

function addEdge(draft: TopologyDraft, sizing: Sizing, zone: number, draws: EdgeDraws): void {
  addFirewalls(draft, sizing, zone, draws)
  addGateways(draft, sizing, zone, draws)
  addOneArmAppliances(draft, sizing, zone, draws)
}

function addFirewalls(draft: TopologyDraft, sizing: Sizing, zone: number, draws: EdgeDraws): void {
  const { coreUplink, firewallUplink, firewallFabricGbps } = sizing
  const groups: PortGroup[] = [
    {
      role: 'ApplianceOutside',
      count: sizing.gatewaysPerZone * firewallUplink.links + 1,
      gbps: firewallUplink.gbps,
      label: numbered('out'),
    },
    {
      role: 'ApplianceInside',
      count: sizing.coresPerZone * coreUplink.links + 1,
      gbps: coreUplink.gbps,
      label: numbered('in'),
    },
  ]
  const sku = networkSku(
    'Firewall',
    firewallFabricGbps,
    coreUplink.gbps,
    firewallUplink.gbps,
    portSum(groups),
  )
  for (let nth = 1; nth <= 2; nth++) {
    const row = addAppliance(draft, zone, 'Firewall', 'fw', nth, sku, groups, draws)
    draft.zones[zone].firewalls.push(row)
  }
}

function addGateways(draft: TopologyDraft, sizing: Sizing, zone: number, draws: EdgeDraws): void {
  const { wan, firewallUplink, gatewayFabricGbps } = sizing
  const { gateways } = draft
  const wanPorts = wan.links + 1
  // For two firewalls, the scrubber, and a spare.
  const lanPorts = 2 * firewallUplink.links + 2
  const groups: PortGroup[] = [
    { role: 'GatewayWan', count: wanPorts, gbps: wan.gbps, label: numbered('wan') },
    { role: 'GatewayLan', count: lanPorts, gbps: firewallUplink.gbps, label: numbered('lan') },
  ]
  const sku = networkSku('gateway', gatewayFabricGbps, firewallUplink.gbps, wan.gbps, portSum(groups))
  const addons = draws.addons()
  for (let nth = 1; nth <= sizing.gatewaysPerZone; nth++) {
    const at = placeInNetworkRow(draft, zone, nth - 1, sku.uSize)
    const name = `${draft.zones[zone].name}-gw${nth}`
    const row = addNetworkDevice(draft, gateways, zone, at, name, draft.gatewaySkus, sku, draws.ages)
    gateways.portCount.push(portSum(groups))
    gateways.wanPorts.push(wanPorts)
    gateways.lanPorts.push(lanPorts)
    gateways.addons.push(addons)
    gateways.sockets.push(addPorts(draft, 'Gateway', row, groups))
    draft.zones[zone].gateways.push(row)
  }
}

/** Adds the scrubber at the gateways, and intrusion prevention and load balancers at the cores. */
function addOneArmAppliances(draft: TopologyDraft, sizing: Sizing, zone: number, draws: EdgeDraws): void {
  const { oneArm, firewallUplink } = sizing
  const oneArms = (count: number, gbps: number, copper: boolean): PortGroup[] => [
    { role: 'ApplianceOneArm', count, gbps, copper, label: numbered('eth') },
  ]
  const toGateways = oneArms(sizing.gatewaysPerZone + 1, firewallUplink.gbps, false)
  const toCores = oneArms(sizing.coresPerZone * oneArm.links + 1, oneArm.gbps, oneArm.gbps === 10)
  const scrubber = networkSku(
    'DdosScrubber',
    sizing.scrubberFabricGbps,
    firewallUplink.gbps,
    firewallUplink.gbps,
    4,
  )
  addAppliance(draft, zone, 'DdosScrubber', 'scrub', 1, scrubber, toGateways, draws)
  const inspection = networkSku(
    'IntrusionPrevention',
    sizing.inspectionFabricGbps,
    oneArm.gbps,
    oneArm.gbps,
    4,
  )
  addAppliance(draft, zone, 'IntrusionPrevention', 'ips', 1, inspection, toCores, draws)
  const balancer = networkSku('LoadBalancer', sizing.balancerFabricGbps, oneArm.gbps, oneArm.gbps, 4)
  for (let nth = 1; nth <= sizing.loadBalancersPerZone; nth++) {
    addAppliance(draft, zone, 'LoadBalancer', 'lb', nth, balancer, toCores, draws)
  }
}

/** Adds the carriers' ports for the WAN lines of gateways, consecutive for each carrier. Returns them by carrier. */
export function addCarrierPorts(
  draft: TopologyDraft,
  sizing: Sizing,
  gateways: readonly number[],
): SocketsByRole[] {
  const counts = draft.carriers.map(() => 0)
  for (const gateway of gateways) {
    for (let line = 0; line < sizing.wan.links; line++) counts[carrierOf(draft, gateway, line)]++
  }
  return counts.map((count, carrier) => {
    const before = linesOf(draft, carrier)
    const label = (position: number) => `line${before + position}`
    const group: PortGroup = { role: 'CarrierPort', count, gbps: sizing.wan.gbps, label }
    return addPorts(draft, 'Upstream', carrier, [group], before)
  })
}

/** Number of lines that a carrier has already. */
const linesOf = ({ ports }: TopologyDraft, carrier: number): number =>
  ports.device.filter((device, port) => device === carrier && ports.deviceKind[port] === deviceKind.Upstream)
    .length

/** The lines of a gateway are assigned to the carriers round robin; the next gateway starts with the next carrier. */
export const carrierOf = (draft: TopologyDraft, gateway: number, line: number): number =>
  (gateway + line) % draft.carriers.length
