import type { CauseKind } from '../../../contract/vocabularies.ts'
import type { WorldView } from '../state.ts'
import { isDue, schedule } from '../schedule.ts'
import type { Micros } from '../time.ts'
import { minute } from '../time.ts'
import type { TargetSelector } from './scenario.ts'
import { selectTargets } from './target-selection.ts'

/**
 * A world without a scenario has a troubled first night after its warm-up, to show at once what it does: something
 * small within minutes, then something that many customers feel, and more kinds of trouble beside it. Which night it
 * is follows from the seed; what comes of it, from the simulation.
 */

interface Trouble {
  /** Minutes after the end of the warm-up. */
  readonly at: number
  readonly kind: CauseKind
  readonly on: Partial<TargetSelector> & Pick<TargetSelector, 'kind'>
  readonly magnitude?: number
  /** Minutes until it ends by itself; until its repair if omitted. */
  readonly lasts?: number
}

const anywhere = {
  id: null,
  zone: null,
  name: null,
  role: null,
  side: null,
  tier: null,
  share: null,
  count: 1,
} as const
const busiest = (kind: TargetSelector['kind']) => ({ kind, pick: 'busiest' }) as const
const first = (kind: TargetSelector['kind']) => ({ kind, pick: 'first' }) as const
const firewall = { ...busiest('Appliance'), role: 'Firewall' } as const
const uplink = { ...busiest('Port'), role: 'edge-uplink' } as const
const carrierLine = { ...busiest('Cable'), role: 'wan' } as const
const feed = (side: 'A' | 'B') => ({ kind: 'PowerFeed', zone: 1, side, pick: 'first' }) as const

const nights: readonly (readonly Trouble[])[] = [
  // A change of the firewall, after a release that failed for another reason: in the default world, one at a time.
  [
    { at: 6, kind: 'FailedRelease', on: busiest('Customer'), magnitude: 0.22, lasts: 95 },
    { at: 59, kind: 'Misconfiguration', on: firewall, magnitude: 0.34, lasts: 260 },
    { at: 128, kind: 'DiskFailure', on: busiest('Host') },
    { at: 190, kind: 'CarrierOutage', on: carrierLine, lasts: 130 },
    { at: 330, kind: 'TransceiverFailure', on: uplink, magnitude: 0.12 },
  ],
  // One power feed, and then the other under the load of both.
  [
    { at: 5, kind: 'MemoryErrors', on: busiest('Host'), magnitude: 0.3 },
    { at: 24, kind: 'PowerFeedLoss', on: feed('B'), lasts: 300 },
    { at: 57, kind: 'PowerFeedLoss', on: feed('A'), magnitude: 1.08, lasts: 80 },
    { at: 240, kind: 'ExpiredCertificate', on: busiest('Customer'), magnitude: 0.85, lasts: 260 },
    { at: 350, kind: 'WaterLeak', on: first('CoolingUnit') },
  ],
  // A certificate at midnight, and strangers at the gateway.
  [
    { at: 4, kind: 'ExpiredCertificate', on: busiest('Customer'), magnitude: 0.9, lasts: 400 },
    { at: 36, kind: 'ClockDrift', on: busiest('Host'), magnitude: 0.15, lasts: 240 },
    { at: 80, kind: 'RouteLeak', on: busiest('Gateway'), magnitude: 0.95, lasts: 150 },
    { at: 170, kind: 'FanFailure', on: busiest('Host'), magnitude: 1 },
    { at: 300, kind: 'Misconfiguration', on: firewall, magnitude: 0.2, lasts: 200 },
  ],
]

interface OpeningState {
  /** When the night begins; null in a world that began without a warm-up. */
  readonly origin: Micros | null
  readonly night: number
  next: number
}

export interface Opening {
  readonly state: OpeningState
  step(): void
}

/** Begins the trouble of the first night after a warm-up. */
export function createOpening(world: WorldView, warmUp: Micros): Opening {
  const night = world.random.stream('opening').below(nights.length)
  const state: OpeningState = { origin: warmUp > 0 ? warmUp : null, night, next: 0 }
  return {
    state,
    step() {
      if (state.origin === null || !isDue(schedule.opening, world.tick)) return
      const trouble = nights[state.night].at(state.next)
      if (trouble === undefined || world.now < state.origin + trouble.at * minute) return
      state.next++
      const { kind, on, magnitude = 1, lasts } = trouble
      for (const target of selectTargets(world, { ...anywhere, pick: 'first', ...on }, () => true))
        world.faults.inject({ kind, target, magnitude, lasts: lasts === undefined ? null : lasts * minute })
    },
  }
}
