import type { Band, RootKind } from '../../../src/contract/vocabularies.ts'
import type { Incident } from '../../../src/world/simulation/incidents/model.ts'
import { defaultSpeed as speed } from '../../../src/contract/thresholds.ts'
import { day, minute } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { createWorld } from '../../../src/world/simulation/world.ts'

/** The incidents of a world in its first minutes at the default speed, after the default warm-up. */
interface FirstLook {
  readonly seed: bigint
  /** Bands of the incidents open at the beginning. */
  readonly openAtStart: readonly Band[]
  /** Peak bands of the incidents opened during the first look, in order. */
  readonly opened: readonly Band[]
  /** Wall seconds from the opening of each of these to its end, or to the end of the first look. */
  readonly shown: readonly (readonly [from: number, until: number])[]
  /** Confirmed causes of all of these. */
  readonly rootKinds: ReadonlySet<RootKind>
  /** Wall time to the first incident that opens, in seconds; null without one. */
  readonly firstOpenedSeconds: number | null
  /**
   * Wall time to the end of the first Major or Critical incident with customers and money that opens during the first
   * look; null without one.
   */
  readonly livedThroughSeconds: number | null
  /** Share of the time with an open incident. */
  readonly busy: number
  readonly revenueAtRiskPerHour: number
}

const warmUp = 7 * day
export const isGrave = (band: Band): boolean => band === 'Major' || band === 'Critical'

const isFelt = ({ peakBand, peakImpact }: Incident): boolean =>
  isGrave(peakBand) && peakImpact.customers.length > 0 && peakImpact.revenueAtRiskPerHour > 0

export function firstLookAt(seed: bigint, scale: number | ScaleName = 'medium', wallMinutes = 10): FirstLook {
  const world = createWorld({ seed, scale, scenario: null, warmUp })
  const { state, parts } = world
  while (state.now < warmUp) world.step()
  const { open, resolved } = parts.incidents.state
  const openAtStart = Array.from(open.values(), ({ band }) => band)
  const seen = new Map<number, Incident>(Array.from(open))
  const span = wallMinutes * minute * speed
  let busyMinutes = 0
  let revenueAtRiskPerHour = 0
  while (state.now < warmUp + span) {
    world.step()
    if (state.now % minute !== 0) continue
    if (open.size > 0) busyMinutes++
    for (const incident of [...open.values(), ...resolved.slice(-20)]) {
      if (incident.opened >= warmUp) seen.set(incident.id, incident)
      if (incident.resolved === null)
        revenueAtRiskPerHour = Math.max(revenueAtRiskPerHour, incident.impact.revenueAtRiskPerHour)
    }
  }
  const opened = [...seen.values()].filter((incident) => incident.opened >= warmUp)
  const ends = opened.flatMap((incident) => (isFelt(incident) ? (incident.resolved ?? []) : []))
  const rootKinds = new Set(Array.from(seen.values(), ({ rootKind }) => rootKind))
  rootKinds.delete('Unknown')
  return {
    seed,
    openAtStart,
    opened: opened.map(({ peakBand }) => peakBand),
    shown: opened.map(({ opened: at, resolved: end }) => [
      wallSeconds(at),
      wallSeconds(Math.min(end ?? Infinity, warmUp + span)),
    ]),
    rootKinds,
    firstOpenedSeconds: earliest(opened.map(({ opened: at }) => at)),
    livedThroughSeconds: earliest(ends),
    busy: busyMinutes / (span / minute),
    revenueAtRiskPerHour,
  }
}

const wallSeconds = (at: Micros): number => Math.round((at - warmUp) / 1e6 / speed)

const earliest = (times: readonly Micros[]): number | null =>
  times.length === 0 ? null : wallSeconds(Math.min(...times))

/**
 * Requirements of a first look: something begins within two minutes, a Major or Critical with customers and money is lived
 * through to its end, causes differ, and something is open for most of the time.
 */
export const isPresentable = ({
  firstOpenedSeconds,
  livedThroughSeconds,
  rootKinds,
  busy,
}: FirstLook): boolean =>
  firstOpenedSeconds !== null &&
  firstOpenedSeconds <= 120 &&
  livedThroughSeconds !== null &&
  rootKinds.size >= 2 &&
  busy >= 0.6
