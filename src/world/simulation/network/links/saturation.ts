import { cableName, endsOf } from '../../topology/entities.ts'
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

/** Traffic in the busier direction of a cable. */
function busierGbps(state: ObservedWorld, cable: number): number {
  const { portTxGbps } = state.network
  const { a, b } = state.topology.cables
  return Math.max(portTxGbps[a[cable]], portTxGbps[b[cable]])
}

/** Capacity of a cable in each direction. */
const capacityGbps = ({ topology: { cables, ports } }: ObservedWorld, cable: number): number =>
  Math.min(ports.capacityGbps[cables.a[cable]], ports.capacityGbps[cables.b[cable]])

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

/** Once a minute: announces newly saturated links, and recovered ones, which a storm or an attack makes many. */
export function announceSaturation(state: NetworkWorld): void {
  const { cables } = state.topology
  const { saturation, droppingPorts, portUp } = state.network
  if (droppingPorts === 0 && saturation.watched === 0) return
  const { minutes, announced } = saturation
  saturation.watched = 0
  const turned: number[] = []
  for (const cable of cables.rows) {
    const share = busierGbps(state, cable) / capacityGbps(state, cable)
    const overflows = (): boolean =>
      endsOf(state.topology, cable).some((port) => overflowGbps(state, port) > 0)
    const full = share >= saturatedShareMin && overflows()
    const turning = announced[cable] ? share < recoveredShareMax : full
    minutes[cable] = turning ? Math.min(minutes[cable] + 1, announceAfterMinutes) : 0
    if (minutes[cable] >= announceAfterMinutes) {
      minutes[cable] = 0
      announced[cable] = announced[cable] ? 0 : 1
      turned.push(cable)
    }
    if (minutes[cable] + announced[cable] > 0) saturation.watched++
  }
  const saturated = turned.filter((cable) => announced[cable])
  announce(state, saturated, 'saturated')
  // A link that is down is not full, nor has it recovered.
  const recovered = turned.filter((cable) => !announced[cable] && portUp[cables.a[cable]] > 0)
  announce(state, recovered, 'recovered')
}

const turns = {
  saturated: ['LinkSaturated', 'Warning', 'event.link-saturated', 'event.links-saturated'],
  recovered: ['LinkRecovered', 'Info', 'event.link-recovered', 'event.links-recovered'],
} as const

/** Names the busiest of the links. */
function announce(state: NetworkWorld, links: readonly number[], turn: keyof typeof turns): void {
  if (links.length === 0) return
  const [cable] = links.toSorted((a, b) => busierGbps(state, b) - busierGbps(state, a))
  const [kind, severity, one, several] = turns[turn]
  const key = links.length === 1 ? one : several
  state.events.emit(state.now, kind, severity, { kind: 'Cable', id: idOf(cable) }, key, {
    link: cableName(state.topology, cable),
    load: round(busierGbps(state, cable), 1),
    capacity: capacityGbps(state, cable),
    links: links.length,
  })
}
