import { survivingShare } from '../../network/links/frame-loss.ts'
import { overflowGbps } from '../../network/links/saturation.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { minute } from '../../time.ts'
import { deviceOfPort } from '../../topology/entities.ts'
import type { SymptomTracker } from './symptom-tracker.ts'

/** Monitoring of links: down, flapping, frame loss, saturation. */

/** Minimum frame loss for a report, and minimum dropped traffic as a share of the link's capacity. */
const lossShareMin = 0.001
const droppedShareMin = 0.002
/** Minimum number of flaps of a flapping link, and the steady time that ends the episode. */
const flapsMin = 2
const steadyTime: Micros = 4 * minute

export interface LinkMonitorState {
  /** Flap counter of each port at the last poll. */
  readonly polledFlaps: Float64Array
  /** Flaps in the current episode of each flapping port. */
  readonly flapping: Map<number, { count: number; last: Micros }>
  /** Indexes of the down links, as of `connectivityVersion` of the network. */
  down: number[]
  downVersion: number
}

export const createLinkMonitorState = ({ topology }: ObservedWorld): LinkMonitorState => ({
  polledFlaps: new Float64Array(topology.ports.capacity),
  flapping: new Map(),
  down: [],
  downVersion: -1,
})

export interface LinkMonitor {
  watch(tracker: SymptomTracker): void
  /** Whether links flap, or did a moment ago. */
  isFlapping(): boolean
  recentFlaps(port: number): number
}

/** Links with a port at both ends, as columns: the lower port row, the upper one, the cable, drops to report. */
interface Links {
  readonly lower: Int32Array
  readonly upper: Int32Array
  readonly cable: Int32Array
  readonly droppedGbpsMin: Float64Array
}

function linksOf({ topology }: ObservedWorld): Links {
  const { ports } = topology
  const lower = Int32Array.from(
    Array.from({ length: ports.count }, (_, port) => port).filter(
      (port) => ports.cable[port] >= 0 && ports.peer[port] > port,
    ),
  )
  return {
    lower,
    upper: lower.map((port) => ports.peer[port]),
    cable: lower.map((port) => ports.cable[port]),
    droppedGbpsMin: Float64Array.from(lower, (port) => droppedShareMin * ports.capacityGbps[port]),
  }
}

export function createLinkMonitor(world: ObservedWorld, state: LinkMonitorState): LinkMonitor {
  let links = linksOf(world)
  let version = world.topology.version
  const recentFlaps = (port: number): number => state.flapping.get(port)?.count ?? 0
  return {
    recentFlaps,
    isFlapping: () => world.network.flappingLinks > 0 || state.flapping.size > 0,
    watch(tracker) {
      if (version !== world.topology.version) {
        version = world.topology.version
        links = linksOf(world)
        state.downVersion = -1
      }
      watchFlaps(world, state, tracker)
      findDown(world, state, links)
      for (const link of state.down) {
        const port = links.lower[link]
        const isReachable = deviceAnswers(world, port) && deviceAnswers(world, links.upper[link])
        if (recentFlaps(port) < flapsMin && isReachable) {
          tracker.report('link-down', 'Cable', links.cable[link], 1, world.now)
        }
      }
      if (world.network.lossyLinks > 0) watchLoss(world, links, tracker)
      if (world.network.droppingPorts > 0) watchDrops(world, links, tracker)
    },
  }
}

/** Searches only after a change of connectivity. */
function findDown({ network }: ObservedWorld, state: LinkMonitorState, { lower }: Links): void {
  if (state.downVersion === network.connectivityVersion) return
  state.downVersion = network.connectivityVersion
  state.down = []
  for (let link = 0; link < lower.length; link++) {
    if (network.portUp[lower[link]] === 0) state.down.push(link)
  }
}

function watchLoss(world: ObservedWorld, { lower, upper, cable }: Links, tracker: SymptomTracker): void {
  for (let link = 0; link < lower.length; link++) {
    const loss = 1 - survivingShare(world, lower[link], upper[link])
    if (loss > lossShareMin && world.network.portUp[lower[link]] > 0) {
      tracker.report('link-errors', 'Cable', cable[link], 100 * loss, world.now)
    }
  }
}

function watchDrops(
  world: ObservedWorld,
  { lower, upper, cable, droppedGbpsMin }: Links,
  tracker: SymptomTracker,
): void {
  for (let link = 0; link < lower.length; link++) {
    const dropped = Math.max(overflowGbps(world, lower[link]), overflowGbps(world, upper[link]))
    if (dropped > droppedGbpsMin[link]) tracker.report('link-full', 'Cable', cable[link], dropped, world.now)
  }
}

function watchFlaps(world: ObservedWorld, state: LinkMonitorState, tracker: SymptomTracker): void {
  const { flapping } = state
  const { now, network, topology } = world
  if (network.flappingLinks > 0 || flapping.size > 0) countFlaps(world, state)
  for (const [port, { count, last }] of flapping) {
    if (now - last > steadyTime) flapping.delete(port)
    else if (count >= flapsMin)
      tracker.report('link-flapping', 'Cable', topology.ports.cable[port], count, now)
  }
}

function countFlaps({ now, network }: ObservedWorld, { polledFlaps, flapping }: LinkMonitorState): void {
  const { portFlaps } = network
  for (let port = 0; port < portFlaps.length; port++) {
    const added = portFlaps[port] - polledFlaps[port]
    if (added === 0) continue
    polledFlaps[port] = portFlaps[port]
    flapping.set(port, { count: (flapping.get(port)?.count ?? 0) + added, last: now })
  }
}

/** Whether the device of a port is up to report a down link. A carrier always is. */
function deviceAnswers({ topology, facility }: ObservedWorld, port: number): boolean {
  const device = deviceOfPort(topology, port)
  if (device === null) return true
  if (device.kind === 'Host') return facility.hostRunning[device.row] > 0
  if (device.kind === 'Switch') return facility.switchUp[device.row] > 0
  return (device.kind === 'Gateway' ? facility.gatewayUp : facility.applianceUp)[device.row] > 0
}
