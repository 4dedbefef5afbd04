import type { WorldState } from '../state.ts'
import { type Micros, minute } from '../time.ts'
import type { SymptomBoard } from './board.ts'
import { deviceOfPort } from './targets.ts'

/** What monitoring sees of links: dark, flapping, losing frames, full. */

/** Share of frames, and of a link's capacity, that must be lost to be told. */
const lossShare = 0.001
const droppedShare = 0.002
/** So many flaps within the window make a link a flapping one, and it is one for as long after the last. */
const flapsTold = 2
const flapWindow: Micros = 15 * minute

export interface LinkMonitor {
  watch(board: SymptomBoard): void
  /** Flaps seen on a port within the last quarter of an hour. */
  flapsLately(port: number): number
}

export function createLinkMonitor(state: WorldState): LinkMonitor {
  const { plant } = state
  const { ports } = plant
  /** The lower port of every cable that has two ends: what monitoring polls. */
  const polled = Int32Array.from(
    Array.from({ length: ports.count }, (_, port) => port).filter(
      (port) => ports.cable[port] >= 0 && ports.peer[port] > port,
    ),
  )
  const flapsBefore = new Float64Array(ports.count)
  const flapsInWindow = new Map<number, { count: number; last: Micros }>()
  const countFlaps = (port: number): number => {
    const flaps = state.physical.portFlaps[port]
    const more = flaps - flapsBefore[port]
    flapsBefore[port] = flaps
    const known = flapsInWindow.get(port)
    if (more <= 0 && known === undefined) return 0
    if (known === undefined) flapsInWindow.set(port, { count: more, last: state.now })
    else if (more > 0) {
      known.count += more
      known.last = state.now
    } else if (state.now - known.last > flapWindow) {
      flapsInWindow.delete(port)
      return 0
    }
    return flapsInWindow.get(port)!.count
  }
  return {
    flapsLately: (port) => flapsInWindow.get(port)?.count ?? 0,
    watch(board) {
      const { physical, network, condition, now } = state
      for (let i = 0; i < polled.length; i++) {
        const a = polled[i]
        const b = ports.peer[a]
        const cable = ports.cable[a]
        const flaps = Math.max(countFlaps(a), countFlaps(b))
        if (flaps >= flapsTold) board.see('link-flapping', 'Cable', cable, flaps, now)
        if (physical.portUp[a] === 0 || physical.portUp[b] === 0) {
          if (flaps < flapsTold && deviceAnswers(state, a) && deviceAnswers(state, b)) {
            board.see('link-down', 'Cable', cable, 1, now)
          }
          continue
        }
        const loss = 1 - (1 - condition.portLoss[a]) * (1 - condition.portLoss[b])
        if (loss > lossShare) board.see('link-errors', 'Cable', cable, 100 * loss, now)
        const dropped = Math.max(network.portDroppedGbps[a], network.portDroppedGbps[b])
        if (dropped > droppedShare * ports.capacityGbps[a])
          board.see('link-full', 'Cable', cable, dropped, now)
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
