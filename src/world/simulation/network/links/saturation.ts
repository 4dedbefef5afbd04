import { cableName } from '../../topology/entities.ts'
import { round } from '../../numeric.ts'
import { idOf } from '../../topology/tables.ts'
import { survivingShare } from './frame-loss.ts'
import type { ObservedWorld } from '../../state.ts'
import type { NetworkWorld } from '../../state.ts'

/** Hysteresis: a dropping link is saturated from the first share of its capacity on, and recovers below the second. */
const saturatedShareMin = 0.985
const recoveredShareMax = 0.93
/** Minutes of saturation, or of recovery, before its announcement. */
const announceAfterMinutes = 2
/** Bounds the announcements of a storm, which saturates hundreds of links. */
const announcementsPerMinuteMax = 4

/** Traffic in the busier direction of a cable. */
function busierGbps(state: ObservedWorld, cable: number): number {
  const { portTxGbps } = state.network
  const { a, b } = state.topology.cables
  return Math.max(portTxGbps[a[cable]], portTxGbps[b[cable]])
}

/** Smaller traffic is a rounding error. */
const minMeaningfulGbps = 1e-6

/** Traffic beyond the capacity of a port's link. Excludes frames lost on the wire. */
export function overflowGbps(state: ObservedWorld, port: number): number {
  const { topology, network } = state
  const dropped = network.portDroppedGbps[port]
  const peer = topology.ports.peer[port]
  if (dropped === 0 || network.lossyLinks === 0 || peer < 0) return dropped
  const survives = survivingShare(state, port, peer)
  if (survives === 0) return 0
  const lost = network.portTxGbps[port] * (1 / survives - 1)
  return dropped - lost > minMeaningfulGbps ? dropped - lost : 0
}

const overflows = (state: ObservedWorld, cable: number): boolean => {
  const { a, b } = state.topology.cables
  return overflowGbps(state, a[cable]) > 0 || overflowGbps(state, b[cable]) > 0
}

/** Once a minute: announces newly saturated links, and recovered ones. */
export function announceSaturation(state: NetworkWorld): void {
  const { cables, ports } = state.topology
  const { saturation, droppingPorts } = state.network
  if (droppingPorts === 0 && saturation.watched === 0) return
  const { minutes, announced } = saturation
  saturation.watched = 0
  let left = announcementsPerMinuteMax
  for (const cable of cables.rows) {
    const busier = busierGbps(state, cable)
    const capacity = Math.min(ports.capacityGbps[cables.a[cable]], ports.capacityGbps[cables.b[cable]])
    const full = busier >= capacity * saturatedShareMin && overflows(state, cable)
    const turning = announced[cable] ? busier < capacity * recoveredShareMax : full
    minutes[cable] = turning ? Math.min(minutes[cable] + 1, announceAfterMinutes) : 0
    if (minutes[cable] >= announceAfterMinutes && left > 0) {
      left--
      minutes[cable] = 0
      announced[cable] = announced[cable] ? 0 : 1
      announce(state, cable, busier, capacity)
    }
    if (minutes[cable] + announced[cable] > 0) saturation.watched++
  }
}

function announce(state: NetworkWorld, cable: number, busier: number, capacity: number): void {
  const entity = { kind: 'Cable', id: idOf(cable) } as const
  const link = cableName(state.topology, cable)
  const load = round(busier, 1)
  if (state.network.saturation.announced[cable]) {
    const args = { link, load, capacity }
    state.events.emit(state.now, 'LinkSaturated', 'Warning', entity, 'event.link-saturated', args)
    // A link that is down is not full, nor has it recovered.
  } else if (state.network.portUp[state.topology.cables.a[cable]] > 0)
    state.events.emit(state.now, 'LinkRecovered', 'Info', entity, 'event.link-recovered', { link, load })
}
