import type { ApplianceKind, RootKind, SwitchRole, ThreatClass, Tier } from '../../contract/vocabularies.ts'
import type { FaultTarget } from '../state.ts'
import { day, type Micros } from '../time.ts'

/** A scenario: what happens in a world besides what happens by itself. Bounds of what a file may ask for. */

export const longestText = 200_000
export const mostSteps = 200
export const mostTargets = 1_000
export const longestSpan: Micros = 400 * day
export const highestSpontaneity = 20

/** From what moment on the times of a scenario count. */
export const clocks = ['warm-up', 'beginning'] as const

/** What a link is for, by what it leads to. */
export const linkRoles = [
  'host',
  'edge-uplink',
  'aggregation-uplink',
  'core-uplink',
  'zone-link',
  'appliance',
  'wan',
] as const
export type LinkRole = (typeof linkRoles)[number]

/** Causes that cannot be brought about: they follow from demand and from what is there. */
const following = ['Unknown', 'LinkSaturation', 'FabricSaturation', 'CapacityExhaustion'] as const
export type InjectedKind = Exclude<RootKind, (typeof following)[number]>
export type Deed = InjectedKind | 'Repair' | 'Drain'

export type TargetKind = Exclude<FaultTarget['kind'], 'Pool'>

/** What each kind of deed may be done to, and how strong it may be: lowest, highest, and where nothing is said. */
export interface DeedRule {
  readonly targets: readonly TargetKind[]
  readonly magnitude: readonly [lowest: number, highest: number, usual: number] | null
  /** Whether it lasts for a time, and whether that has to be said. */
  readonly lasts: 'never' | 'may' | 'must'
}

const anything: readonly TargetKind[] = [
  'Host',
  'Switch',
  'Gateway',
  'Appliance',
  'Cable',
  'Port',
  'PowerFeed',
  'CoolingUnit',
  'Customer',
]
const breaks = (...targets: TargetKind[]): DeedRule => ({ targets, magnitude: null, lasts: 'may' })
const weakens = (magnitude: readonly [number, number, number], ...targets: TargetKind[]): DeedRule => ({
  targets,
  magnitude,
  lasts: 'may',
})

export const deeds: Readonly<Record<Deed, DeedRule>> = {
  HostFailure: breaks('Host'),
  DiskFailure: breaks('Host'),
  PowerSupplyFailure: weakens([1, 3, 1], 'Host', 'Switch'),
  PowerFeedLoss: breaks('PowerFeed'),
  FanFailure: breaks('Host'),
  CoolingFailure: breaks('CoolingUnit'),
  SwitchFailure: breaks('Switch'),
  GatewayFailure: breaks('Gateway'),
  ApplianceFailure: breaks('Appliance'),
  PortFlap: breaks('Port'),
  CableCut: breaks('Cable'),
  TransceiverFailure: weakens([0.001, 1, 0.2], 'Port'),
  FirmwareFault: weakens([0.05, 1, 0.6], 'Switch'),
  BroadcastStorm: weakens([0.05, 1, 0.8], 'Switch'),
  Misconfiguration: weakens([0.001, 1, 0.3], 'Gateway', 'Appliance'),
  AddonThrottling: weakens([0.05, 1, 0.6], 'Gateway'),
  DemandSurge: { targets: ['Customer'], magnitude: [1, 20, 2], lasts: 'must' },
  Attack: { targets: ['Customer'], magnitude: [0.01, 100, 1.5], lasts: 'must' },
  Repair: { targets: anything, magnitude: null, lasts: 'never' },
  Drain: { targets: ['Host'], magnitude: null, lasts: 'must' },
}

export type Pick = 'first' | 'last' | 'busiest' | 'random'
export const picks: readonly Pick[] = ['first', 'last', 'busiest', 'random']

export interface TargetChoice {
  readonly kind: TargetKind
  readonly id: number | null
  /** Id of the zone in which it stands. */
  readonly zone: number | null
  readonly role: SwitchRole | ApplianceKind | LinkRole | null
  readonly side: 'A' | 'B' | null
  readonly tier: Tier | null
  /** Which of those that fit; a number counts them from 1. */
  readonly pick: Pick | number
  /** How many, at most. */
  readonly count: number
  /** What share of those that fit; goes before the count. */
  readonly share: number | null
}

export interface ScenarioStep {
  readonly at: Micros
  readonly deed: Deed
  readonly target: TargetChoice
  readonly magnitude: number
  readonly lasts: Micros | null
  readonly attackClass: ThreatClass | null
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly spontaneity: number
  readonly timesCountFrom: (typeof clocks)[number]
  /** The warm-up that suits it, where nobody asks for another one. */
  readonly warmup: Micros | null
  /** In order of time; those of the same time in the order of the file. */
  readonly steps: readonly ScenarioStep[]
}
