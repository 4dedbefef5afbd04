import { buildTopology } from '../../../../src/world/simulation/topology/construction/site.ts'
import type { ScaleName } from '../../../../src/world/simulation/topology/sizing.ts'
import type { DeviceTable, Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { RandomStreams } from '../../../../src/world/simulation/random.ts'

interface TopologyCase {
  /** Parameters that reproduce the topology, for messages. */
  readonly name: string
  readonly seed: bigint
  readonly scale: number | ScaleName
}

const topologyCase = (seed: number, scale: number | ScaleName): TopologyCase => ({
  name: `seed ${seed}, scale ${scale}`,
  seed: BigInt(seed),
  scale,
})

const seeds = Array.from({ length: 50 }, (_, index) => 1 + index * 7919)

/** Fifty seeds at every named scale, and sizes at the limits of sizing grades. */
const topologyCases: readonly TopologyCase[] = [
  ...(['small', 'medium', 'large'] as const).flatMap((scale) =>
    seeds.map((seed) => topologyCase(seed, scale)),
  ),
  ...[1, 2, 3, 5, 6, 7, 23, 24, 25, 59, 60, 61, 333, 499, 500, 4_999, 5_000].map((hosts) =>
    topologyCase(hosts, hosts),
  ),
]

export const topologyOf = ({ seed, scale }: TopologyCase): Topology =>
  buildTopology(new RandomStreams(seed), scale)

/** Each rule, and what breaks it in any topology, with the parameters that reproduce that. */
export function violations(
  finders: Readonly<Record<string, (topology: Topology) => readonly string[]>>,
): [rule: string, found: string[]][] {
  const found = Object.keys(finders).map((rule): [string, string[]] => [rule, []])
  for (const one of topologyCases) {
    const topology = topologyOf(one)
    for (const [rule, list] of found)
      for (const violation of finders[rule](topology)) list.push(`${one.name}: ${violation}`)
  }
  return found
}

export const deviceTables = (topology: Topology): Record<string, DeviceTable> => ({
  host: topology.hosts,
  switch: topology.switches,
  gateway: topology.gateways,
  appliance: topology.appliances,
  panel: topology.panels,
})
