/**
 * Sizes of a world by its number of hosts, from one rule: at the evening peak a host exchanges `peakGbpsPerHost` with
 * users (in the busier direction) on average over the hosts of a zone, and every trunk gets the smallest real line
 * speeds that carry its part of that traffic within the target load stated here.
 */

/** Average Gbit/s per host to users at the evening peak. The demand of customers is calibrated to it. */
export const peakGbpsPerHost = 0.6
/** Ratio of traffic from users to traffic to users. */
export const inboundShare = 0.4
/** Ratio of traffic to other hosts of the zone to traffic to users. */
export const eastWestShare = 0.8

/** Target peak utilization of a trunk inside a zone. */
const insideTarget = 0.6
/** Target peak utilization where one device of a pair must carry the full load after a failure of the other. */
const edgeTarget = 0.5
/** Shares of user traffic through one-arm appliances. */
const balancedShare = 0.4
const inspectedShare = 0.2
/** Target peak utilization of fabrics that carry all traffic of a zone. */
const fabricTarget = 0.55

/** Parallel lines between two devices. */
export interface Trunk {
  readonly gbps: number
  readonly links: number
}

export interface Sizing {
  readonly scaleName: string
  readonly hosts: number
  readonly zones: number
  /** Number of zones with those that can be added later. */
  readonly zonesMax: number
  readonly regions: number
  /** Hosts of the fullest zone. */
  readonly zoneHosts: number
  readonly hostsPerRack: number
  readonly racksPerRow: number
  /** Maximum size of a zone relative to its initial size, for floor space and switch ports. */
  readonly growthMax: number
  readonly coresPerZone: number
  readonly gatewaysPerZone: number
  readonly loadBalancersPerZone: number
  readonly carriers: number
  readonly coolingUnitsPerZone: number
  /** Whether aggregation ports are lanes of breakout ports. */
  readonly aggregationBreakout: boolean
  /** From each edge switch to each aggregation switch of its row. */
  readonly edgeUplink: Trunk
  /** From each aggregation switch to each core of its zone. */
  readonly aggregationUplink: Trunk
  /** From each core to each firewall of its zone. */
  readonly coreUplink: Trunk
  /** From each firewall to each gateway of its zone. */
  readonly firewallUplink: Trunk
  /** From each gateway to carriers. */
  readonly wan: Trunk
  /** From a core to its counterpart in another zone. */
  readonly corePeer: Trunk
  /** From each core to each of its one-arm appliances. */
  readonly oneArm: Trunk
  readonly firewallFabricGbps: number
  readonly gatewayFabricGbps: number
  readonly scrubberFabricGbps: number
  readonly inspectionFabricGbps: number
  readonly balancerFabricGbps: number
}

const namedScales = { small: 24, medium: 120, large: 1_000 } as const
export type ScaleName = keyof typeof namedScales
export const hostsMax = 50_000

const trunks: readonly Trunk[] = [
  { gbps: 10, links: 1 },
  { gbps: 10, links: 2 },
  { gbps: 25, links: 1 },
  { gbps: 40, links: 1 },
  { gbps: 25, links: 2 },
  { gbps: 40, links: 2 },
  { gbps: 100, links: 1 },
  { gbps: 100, links: 2 },
  { gbps: 400, links: 1 },
  { gbps: 400, links: 2 },
  { gbps: 400, links: 3 },
  { gbps: 400, links: 4 },
  { gbps: 400, links: 6 },
  { gbps: 400, links: 8 },
]

const wanLines: readonly Trunk[] = [
  { gbps: 10, links: 2 },
  { gbps: 10, links: 3 },
  { gbps: 25, links: 2 },
  { gbps: 25, links: 3 },
  { gbps: 40, links: 3 },
  { gbps: 100, links: 2 },
  { gbps: 100, links: 3 },
  { gbps: 100, links: 4 },
  { gbps: 400, links: 2 },
  { gbps: 400, links: 3 },
  { gbps: 400, links: 4 },
  { gbps: 400, links: 6 },
  { gbps: 400, links: 8 },
  { gbps: 400, links: 10 },
  { gbps: 400, links: 12 },
]

const fabricSteps = [
  10, 20, 40, 60, 100, 160, 240, 400, 640, 1_000, 1_600, 2_400, 4_000, 6_400, 10_000, 16_000, 25_600,
] as const

/** The smallest available fabric size with at least this capacity. */
export function fabricFor(gbps: number): number {
  for (const step of fabricSteps) if (step >= gbps) return step
  return Math.ceil(gbps / 10_000) * 10_000
}

function trunkFor(peakGbps: number, target: number, from: readonly Trunk[] = trunks): Trunk {
  for (const trunk of from) if (trunk.gbps * trunk.links * target >= peakGbps) return trunk
  return from[from.length - 1]
}

/** Numbers of zones and regions, by the minimum number of hosts. */
const spread: readonly (readonly [hosts: number, zones: number, regions: number])[] = [
  [30_000, 8, 4],
  [15_000, 6, 3],
  [5_000, 5, 3],
  [500, 4, 2],
  [60, 3, 2],
  [6, 2, 1],
  [1, 1, 1],
]

/** The value of the first grade whose minimum number of hosts is reached. */
function graded(hosts: number, grades: readonly (readonly [from: number, value: number])[]): number {
  for (const [from, value] of grades) if (hosts >= from) return value
  return grades[grades.length - 1][1]
}

/** Zones that worlds up to a size can add later; larger ones do not fill their floor within years. */
const addedZonesMax = 2
const zonesMaxFor = (hosts: number, zones: number): number =>
  hosts >= 6 && hosts <= 300 ? zones + addedZonesMax : zones

/** Large worlds have less room for growth: its memory and time are spent from the beginning. */
const growthMaxFor = (hosts: number): number => (hosts <= 1_000 ? 2.5 : 1.25)

function hostsOf(scale: number | ScaleName): number {
  const hosts = typeof scale === 'number' ? scale : namedScales[scale]
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > hostsMax) {
    throw new RangeError(`a plant has 1 to ${hostsMax} hosts, not ${hosts}`)
  }
  return hosts
}

export function sizingFor(scale: number | ScaleName): Sizing {
  const hosts = hostsOf(scale)
  const [, zones, regions] = spread.find(([from]) => hosts >= from) ?? spread[spread.length - 1]
  const zoneHosts = Math.ceil(hosts / zones)
  const hostsPerRack = graded(hosts, [
    [5_000, 20],
    [500, 16],
    [60, 14],
    [1, 6],
  ])
  const racksPerRow = graded(hosts, [
    [5_000, 16],
    [500, 10],
    [1, 8],
  ])
  const coresPerZone = graded(zoneHosts, [
    [4_000, 8],
    [800, 4],
    [1, 2],
  ])
  const gatewaysPerZone = hosts >= 60 ? 2 : 1
  const loadBalancers = hosts >= 60 ? 2 : 1
  const racks = Math.ceil(zoneHosts / hostsPerRack)
  const rows = Math.ceil(racks / racksPerRow)

  const usersPeak = zoneHosts * peakGbpsPerHost
  const bothWays = usersPeak * (1 + inboundShare)
  const rackPeak = Math.ceil(zoneHosts / racks) * peakGbpsPerHost * (1 + eastWestShare)
  // Hosts exchange traffic with hosts of any row; in a zone with one row, part of it still passes a core.
  const leavingRow = Math.max(0.5, (rows - 1) / rows)
  const rowPeak = (usersPeak / rows) * (1 + eastWestShare * leavingRow)
  return {
    scaleName: String(scale),
    hosts,
    zones,
    zonesMax: zonesMaxFor(hosts, zones),
    regions,
    zoneHosts,
    hostsPerRack,
    racksPerRow,
    growthMax: growthMaxFor(hosts),
    coresPerZone,
    gatewaysPerZone,
    loadBalancersPerZone: loadBalancers,
    carriers: hosts >= 60 ? 3 : 2,
    coolingUnitsPerZone: graded(zoneHosts, [
      [4_000, 16],
      [1_500, 10],
      [800, 7],
      [150, 5],
      [30, 3],
      [1, 2],
    ]),
    aggregationBreakout: hosts >= 500,
    edgeUplink: trunkFor(rackPeak / 4, insideTarget),
    aggregationUplink: trunkFor(rowPeak / (2 * coresPerZone), insideTarget),
    coreUplink: trunkFor(usersPeak / (2 * coresPerZone), edgeTarget),
    firewallUplink: trunkFor(usersPeak / (2 * gatewaysPerZone), edgeTarget),
    wan: trunkFor(usersPeak / gatewaysPerZone, edgeTarget, wanLines),
    corePeer: trunkFor(usersPeak / 8, edgeTarget),
    oneArm: trunkFor((bothWays * balancedShare) / loadBalancers / coresPerZone, edgeTarget),
    firewallFabricGbps: fabricFor(bothWays / 2 / fabricTarget),
    gatewayFabricGbps: fabricFor(bothWays / gatewaysPerZone / fabricTarget),
    scrubberFabricGbps: fabricFor(usersPeak),
    inspectionFabricGbps: fabricFor((bothWays * inspectedShare) / edgeTarget),
    // One of two must carry the full load after a failure of the other.
    balancerFabricGbps: fabricFor((bothWays * balancedShare) / (loadBalancers === 1 ? edgeTarget : 0.8)),
  }
}
