import { overflowGbps } from '../network/saturation.ts'
import type { WorldState } from '../state.ts'
import { type Micros, minute } from '../time.ts'
import type { SymptomBoard } from './board.ts'
import { deviceOfPort } from './targets.ts'

/** What monitoring sees of links: dark, flapping, losing frames, full. */

/** Share of frames, and of a link's capacity, that must be lost to be told. */
const lossShare = 0.001
const droppedShare = 0.002
/** So many flaps make a link a flapping one, until none has come for so long. */
const flapsTold = 2
const flapsForgotten: Micros = 4 * minute

export interface LinkMonitor {
  watch(board: SymptomBoard): void
  /** Flaps of a port since it began to flap; 0 once it is steady. */
  flapsLately(port: number): number
}

export function createLinkMonitor(state: WorldState): LinkMonitor {
  const { ports } = state.plant
  /** The lower port of every cable that has two ends. */
  const lower = Int32Array.from(
    Array.from({ length: ports.count }, (_, port) => port).filter(
      (port) => ports.cable[port] >= 0 && ports.peer[port] > port,
    ),
  )
  const upper = lower.map((port) => ports.peer[port])
  const cables = lower.map((port) => ports.cable[port])
  const dropsTold = Float64Array.from(lower, (port) => droppedShare * ports.capacityGbps[port])
  const flaps = createFlapCounter(state)
  /** Links that are dark, by position in `lower`; found again whenever a link has come up or gone down. */
  let dark: number[] = []
  let darkAt = -1
  const findDark = (): void => {
    const { portUp, topologyVersion } = state.physical
    if (darkAt === topologyVersion) return
    darkAt = topologyVersion
    dark = []
    for (let i = 0; i < lower.length; i++) if (portUp[lower[i]] === 0) dark.push(i)
  }
  const watchDark = (board: SymptomBoard): void => {
    for (const i of dark) {
      if (flaps.lately(lower[i]) >= flapsTold) continue
      if (deviceAnswers(state, lower[i]) && deviceAnswers(state, upper[i])) {
        board.see('link-down', 'Cable', cables[i], 1, state.now)
      }
    }
  }
  const watchLoss = (board: SymptomBoard): void => {
    const { portLoss } = state.condition
    for (let i = 0; i < lower.length; i++) {
      const loss = 1 - (1 - portLoss[lower[i]]) * (1 - portLoss[upper[i]])
      if (loss > lossShare && state.physical.portUp[lower[i]] > 0) {
        board.see('link-errors', 'Cable', cables[i], 100 * loss, state.now)
      }
    }
  }
  return {
    flapsLately: (port) => flaps.lately(port),
    watch(board) {
      flaps.count(board)
      findDark()
      watchDark(board)
      if (state.physical.lossyPorts > 0) watchLoss(board)
      for (let i = 0; i < lower.length; i++) {
        const dropped = Math.max(overflowGbps(state, lower[i]), overflowGbps(state, upper[i]))
        if (dropped > dropsTold[i]) board.see('link-full', 'Cable', cables[i], dropped, state.now)
      }
    },
  }
}

interface FlapCounter {
  count(board: SymptomBoard): void
  lately(port: number): number
}

/** Counts flaps of ports that have begun to flap, until they are steady again. */
function createFlapCounter(state: WorldState): FlapCounter {
  const { ports } = state.plant
  const before = new Float64Array(ports.count)
  const flapping = new Map<number, { count: number; last: Micros }>()
  const find = (): void => {
    const { portFlaps } = state.physical
    for (let port = 0; port < ports.count; port++) {
      const more = portFlaps[port] - before[port]
      if (more === 0) continue
      before[port] = portFlaps[port]
      const count = (flapping.get(port)?.count ?? 0) + more
      flapping.set(port, { count, last: state.now })
    }
  }
  return {
    lately: (port) => flapping.get(port)?.count ?? 0,
    count(board) {
      if (state.physical.wiring.flappingCount > 0 || flapping.size > 0) find()
      for (const [port, { count, last }] of flapping) {
        if (state.now - last > flapsForgotten) flapping.delete(port)
        else if (count >= flapsTold) board.see('link-flapping', 'Cable', ports.cable[port], count, state.now)
      }
    },
  }
}

/** Whether the device of a port is there to say that its link is dark. A carrier always is. */
function deviceAnswers({ plant, physical }: WorldState, port: number): boolean {
  const device = deviceOfPort(plant, port)
  if (device === null) return true
  if (device.kind === 'Host') return physical.hostRunning[device.row] > 0
  if (device.kind === 'Switch') return physical.switchUp[device.row] > 0
  return (device.kind === 'Gateway' ? physical.gatewayUp : physical.applianceUp)[device.row] > 0
}
