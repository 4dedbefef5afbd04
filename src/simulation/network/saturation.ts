import { cableName } from '../faults/targets.ts'
import { round } from '../numeric.ts'
import { idOf } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'

/** Links that carry all they can and drop the rest, as announced. */

/** A link that carries this share of its capacity and drops something is full; below the other it has room again. */
const fullFrom = 0.985
const roomBelow = 0.93
/** It must have been so for so many minutes. */
const minutesUntilTold = 2
/** Links announced in a minute; a storm fills hundreds, and a few tell the story. */
const announcedAMinute = 4

export interface SaturationWatch {
  /** By cable: minutes that it has been full, or, where it was announced, that it has had room. */
  readonly minutes: Uint8Array
  readonly announced: Uint8Array
}

export const createSaturationWatch = (cables: number): SaturationWatch => ({
  minutes: new Uint8Array(cables),
  announced: new Uint8Array(cables),
})

/** Gbit/s in the busier direction of a cable. */
function busierGbps(state: WorldState, cable: number): number {
  const { portTxGbps } = state.network
  const { a, b } = state.plant.cables
  return Math.max(portTxGbps[a[cable]], portTxGbps[b[cable]])
}

/** Less than this is rounding. */
export const anyGbps = 1e-6

/** What a port was to send and did not fit on its link, without what the wires of the link lose. */
export function overflowGbps({ plant, condition, physical, network }: WorldState, port: number): number {
  const dropped = network.portDroppedGbps[port]
  const peer = plant.ports.peer[port]
  if (dropped === 0 || physical.lossyPorts === 0 || peer < 0) return dropped
  const survives = (1 - condition.portLoss[port]) * (1 - condition.portLoss[peer])
  if (survives === 0) return 0
  const lost = network.portTxGbps[port] * (1 / survives - 1)
  return dropped - lost > anyGbps ? dropped - lost : 0
}

const overflows = (state: WorldState, cable: number): boolean => {
  const { a, b } = state.plant.cables
  return overflowGbps(state, a[cable]) > 0 || overflowGbps(state, b[cable]) > 0
}

/** Once a minute: announces links that have filled up, and those of them that have room again. */
export function watchSaturation(state: WorldState): void {
  const { cables, ports } = state.plant
  const { minutes, announced } = state.network.saturation
  let left = announcedAMinute
  for (let cable = 0; cable < cables.count; cable++) {
    const busier = busierGbps(state, cable)
    const capacity = Math.min(ports.capacityGbps[cables.a[cable]], ports.capacityGbps[cables.b[cable]])
    const full = busier >= capacity * fullFrom && overflows(state, cable)
    const turning = announced[cable] ? busier < capacity * roomBelow : full
    minutes[cable] = turning ? Math.min(minutes[cable] + 1, minutesUntilTold) : 0
    if (minutes[cable] < minutesUntilTold || left === 0) continue
    left--
    minutes[cable] = 0
    announced[cable] = announced[cable] ? 0 : 1
    announce(state, cable, busier, capacity)
  }
}

function announce(state: WorldState, cable: number, busier: number, capacity: number): void {
  const entity = { kind: 'Cable', id: idOf(cable) } as const
  const link = cableName(state.plant, cable)
  const load = round(busier, 1)
  if (state.network.saturation.announced[cable]) {
    const given = { link, load, capacity }
    state.events.emit(state.now, 'LinkSaturated', 'Warning', entity, 'event.link-saturated', given)
  } else state.events.emit(state.now, 'LinkRecovered', 'Info', entity, 'event.link-recovered', { link, load })
}
