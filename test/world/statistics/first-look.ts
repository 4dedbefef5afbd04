import type { Band, RootKind } from '../../../src/contract/vocabularies.ts'
import { higherBand } from '../../../src/world/simulation/incidents/impact.ts'
import type { Incident } from '../../../src/world/simulation/incidents/model.ts'
import { day, hour, minute } from '../../../src/world/simulation/time.ts'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { createWorld } from '../../../src/world/simulation/world.ts'

/** The incidents of a world in the first ten minutes at the default speed, after the default warm-up. */
export interface FirstLook {
  readonly seed: bigint
  /** Bands of the incidents open at the beginning. */
  readonly openAtStart: readonly Band[]
  /** Peak bands of the incidents opened during the first look, in order. */
  readonly opened: readonly Band[]
  /** Peak bands during the first look of all incidents, open at the beginning or opened later. */
  readonly bandsSeen: readonly Band[]
  /** Confirmed causes of all of these. */
  readonly rootKinds: ReadonlySet<RootKind>
  /** Wall time to the first Major or Critical incident, in seconds; null without one. */
  readonly firstGraveSeconds: number | null
  /** Share of the time with an open incident. */
  readonly busy: number
  readonly revenueAtRiskPerHour: number
}

const warmUp = 7 * day
const speed = 60
const span = 10 * hour
const isGrave = (band: Band): boolean => band === 'Major' || band === 'Critical'

export function firstLookAt(seed: bigint, scale: number | ScaleName = 'medium'): FirstLook {
  const world = createWorld({ seed, scale, scenario: null, warmUp })
  const { state, parts } = world
  while (state.now < warmUp) world.step()
  const { open, resolved } = parts.incidents.state
  const openAtStart = Array.from(open.values(), ({ band }) => band)
  const seen = new Map<number, Incident>(Array.from(open))
  const bandsSeen = new Map<number, Band>()
  let firstGrave: number | null = null
  let busyMinutes = 0
  let revenueAtRiskPerHour = 0
  while (state.now < warmUp + span) {
    world.step()
    if (state.now % minute !== 0) continue
    if (open.size > 0) busyMinutes++
    for (const incident of [...open.values(), ...resolved.slice(-20)]) {
      if (incident.opened >= warmUp) seen.set(incident.id, incident)
      if (incident.resolved !== null) continue
      bandsSeen.set(incident.id, higherBand(incident.band, bandsSeen.get(incident.id) ?? 'Watch'))
      revenueAtRiskPerHour = Math.max(revenueAtRiskPerHour, incident.impact.revenueAtRiskPerHour)
      if (isGrave(incident.band)) firstGrave ??= state.now
    }
  }
  const opened = seen.values().filter((incident) => incident.opened >= warmUp)
  const rootKinds = seen.values().map(({ rootKind }) => rootKind)
  return {
    seed,
    openAtStart,
    opened: opened.map(({ peakBand }) => peakBand).toArray(),
    bandsSeen: [...bandsSeen.values()],
    rootKinds: new Set(rootKinds.filter((kind) => kind !== 'Unknown')),
    firstGraveSeconds: firstGrave === null ? null : Math.round((firstGrave - warmUp) / 1e6 / speed),
    busy: busyMinutes / (span / minute),
    revenueAtRiskPerHour,
  }
}

/** Minimum requirements of a first look: an open incident, a grave one soon, and several kinds of causes. */
export const isPresentable = ({ openAtStart, bandsSeen, rootKinds }: FirstLook): boolean =>
  openAtStart.length > 0 &&
  bandsSeen.includes('Critical') &&
  bandsSeen.includes('Major') &&
  rootKinds.size >= 4

/**
 * Higher is better: variety first, then the time to the first grave incident; uninterrupted crises count against it.
 */
export const scoreOf = (look: FirstLook): number =>
  (isPresentable(look) ? 10 : 0) +
  Math.min(6, look.rootKinds.size) +
  Math.min(2, look.bandsSeen.filter((band) => band === 'Major').length) +
  Math.min(2, look.bandsSeen.filter((band) => band === 'Critical').length) -
  Math.max(0, look.bandsSeen.filter(isGrave).length - 5) +
  (look.firstGraveSeconds === null ? 0 : 3 * (1 - look.firstGraveSeconds / (span / 1e6 / speed)))
