import type { RandomStream } from '../../random.ts'
import type { HazardWorld } from '../../state.ts'
import { minute } from '../../time.ts'
import { deviceOfPort, endsOf, rackOf, sameTarget } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { FaultSpec } from '../model.ts'
import type { PendingFault } from './aftereffects.ts'
import { rhythm } from './rhythm.ts'

/** Faults caused by work: a neighboring cable pulled, the wrong host switched off, a wrong configuration restored. */

/** Shares of finished repairs, and of upkeep on power and cooling, that cause another fault. */
const repairMishapShare = 0.03
const upkeepMishapShare = 0.06

/** Repairs of these end with a test under observation, which excludes an immediate failure. */
const testedKinds: ReadonlySet<FaultTarget['kind']> = new Set<FaultTarget['kind']>([
  'PowerFeed',
  'CoolingUnit',
])

export type FinishedWork = 'repair' | 'upkeep'

/** Draws whether work at a target causes another fault; null without a mishap. */
export function drawMishap(
  world: HazardWorld,
  work: FinishedWork,
  target: FaultTarget,
  rate: number,
  stream: RandomStream,
): PendingFault | null {
  const share = work === 'repair' ? repairMishapShare : upkeepMishapShare
  if (!stream.chance(Math.min(1, share * rate))) return null
  const isTested = work === 'repair' && testedKinds.has(target.kind)
  const mishap = target.kind === 'Customer' || isTested ? null : mishaps[target.kind]
  const spec = mishap === null ? null : mishap(world, target as RowTarget, stream)
  return spec === null ? null : { at: world.now + stream.between(1, 8) * minute, spec, whileActive: null }
}

const breakage = (kind: FaultSpec['kind'], target: FaultTarget): FaultSpec => ({
  kind,
  target,
  magnitude: 1,
  lasts: null,
})

/** A target in a table of the topology. */
type RowTarget = Extract<FaultTarget, { readonly row: number }>
type Mishap = (world: HazardWorld, target: RowTarget, stream: RandomStream) => FaultSpec | null

const wrongConfiguration: Mishap = (_, target, stream) => ({
  ...breakage('Misconfiguration', target),
  magnitude: target.kind === 'Gateway' ? 1 : stream.uniform(0.05, 0.3),
})

const loop = (target: FaultTarget, stream: RandomStream): FaultSpec => ({
  ...breakage('BroadcastStorm', target),
  lasts: stream.between(20, 60) * minute,
})

/** Possible mishaps by the kind of the work's target. */
const mishaps: Readonly<Record<FaultTarget['kind'], Mishap | null>> = {
  Host: (...at) => mishapInRack(...at),
  Switch: (world, target, stream) =>
    stream.chance(0.5) ? loop(target, stream) : mishapInRack(world, target, stream),
  Gateway: wrongConfiguration,
  Appliance: wrongConfiguration,
  Cable: (...at) => mishapAtPlug(...at),
  Port: (...at) => mishapAtPlug(...at),
  PowerFeed: (_, target, stream) => ({
    ...breakage('PowerFeedLoss', target),
    lasts: stream.between(15, 90) * minute,
  }),
  CoolingUnit: (_, target) => breakage('CoolingFailure', target),
  Customer: null,
  Pool: null,
}

/** A neighbor in the rack is switched off by mistake, or its plug is left loose. */
function mishapInRack(
  { topology }: HazardWorld,
  target: FaultTarget,
  stream: RandomStream,
): FaultSpec | null {
  const rack = rackOf(topology, target)
  const neighbors = (rack === null ? [] : topology.racks.hosts[rack]).filter(
    (row) => !sameTarget(target, { kind: 'Host', row }),
  )
  if (neighbors.length === 0) return null
  const row = stream.pick(neighbors)
  if (stream.chance(0.5)) return breakage('HostFailure', { kind: 'Host', row })
  const port = topology.hosts.firstPort[row] + stream.below(topology.hosts.portCount[row])
  if (topology.ports.cable[port] < 0) return null
  return { ...breakage('PortFlap', { kind: 'Port', row: port }), rhythm: rhythm(10, 30) }
}

/** Another cable of the device is pulled, or the new one closes a loop. */
function mishapAtPlug({ topology }: HazardWorld, target: RowTarget, stream: RandomStream): FaultSpec | null {
  const port = target.kind === 'Port' ? target.row : endsOf(topology, target.row)[1]
  const device = deviceOfPort(topology, port)
  if (device?.kind !== 'Switch') return null
  if (stream.chance(0.3)) return loop(device, stream)
  const first = topology.switches.firstPort[device.row]
  const neighbor = first + stream.below(topology.switches.portCount[device.row])
  const cable = topology.ports.cable[neighbor]
  return cable < 0 || neighbor === port ? null : breakage('CableCut', { kind: 'Cable', row: cable })
}
