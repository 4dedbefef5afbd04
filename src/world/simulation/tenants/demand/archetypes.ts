import type { Archetype, Compliance, Durability, ServiceClass } from '../../../../contract/vocabularies.ts'
import type { CurveName } from './curves.ts'

interface MixEntry {
  readonly class: ServiceClass
  /** Probability that a customer of the archetype runs the class. */
  readonly chance: number
  /** Weight among the customer's services, by units. */
  readonly share: number
  readonly durability: Durability
}

export interface ArchetypeTraits {
  readonly kindLabels: readonly string[]
  /** Weight among the archetypes. */
  readonly weight: number
  /** Size relative to the mean. */
  readonly size: number
  readonly demandCurve: CurveName
  /** Weights of the tiers, from Bronze to Platinum. */
  readonly tiers: readonly [number, number, number, number]
  readonly mix: readonly MixEntry[]
  readonly compliance: readonly { readonly rule: Compliance; readonly chance: number }[]
  readonly chances: {
    readonly multiZone: number
    readonly privateSegment: number
    readonly auditLogs: number
    readonly airGap: number
    readonly dedicatedHosts: number
    readonly uncontended: number
    readonly faultIsolation: number
    readonly fixedRegion: number
    readonly fixedArch: number
  }
  /** Factor on the drift of demand. */
  readonly volatility: number
  /** Mean days between launches or sales, and the demand factor at their peak. */
  readonly daysBetweenLaunches: number
  readonly launchFactor: number
  /** Mean days between size changes. */
  readonly daysBetweenGrowth: number
}

const mix = (
  name: ServiceClass,
  chance: number,
  share: number,
  durability: Durability = 'Ephemeral',
): MixEntry => ({ class: name, chance, share, durability })

const relaxed = {
  multiZone: 0.1,
  privateSegment: 0.05,
  auditLogs: 0.05,
  airGap: 0,
  dedicatedHosts: 0,
  uncontended: 0.02,
  faultIsolation: 0.15,
  fixedRegion: 0.2,
  fixedArch: 0.15,
}

export const archetypeTraits: Readonly<Record<Archetype, ArchetypeTraits>> = {
  Shop: {
    kindLabels: ['Online shop', 'Fashion retailer', 'Marketplace', 'Grocery delivery'],
    weight: 16,
    size: 1,
    demandCurve: 'evening',
    tiers: [20, 40, 30, 10],
    mix: [
      mix('web', 1, 4),
      mix('app', 0.8, 3),
      mix('database', 1, 2, 'Replicated2'),
      mix('cache', 0.8, 1.5),
      mix('queue', 0.4, 1, 'Replicated2'),
      mix('object-storage', 0.4, 1, 'ErasureCoded'),
    ],
    compliance: [{ rule: 'PCI-DSS', chance: 0.45 }],
    chances: { ...relaxed, multiZone: 0.25, auditLogs: 0.25, faultIsolation: 0.3 },
    volatility: 1,
    daysBetweenLaunches: 21,
    launchFactor: 1.19,
    daysBetweenGrowth: 10,
  },
  Saas: {
    kindLabels: [
      'Bookkeeping software',
      'Project tracker',
      'Mail service',
      'Document store',
      'Payroll software',
    ],
    weight: 18,
    size: 1,
    demandCurve: 'office',
    tiers: [15, 40, 33, 12],
    mix: [
      mix('web', 0.9, 3),
      mix('app', 1, 4),
      mix('database', 1, 3, 'Replicated3'),
      mix('cache', 0.7, 1),
      mix('queue', 0.6, 1, 'Replicated2'),
      mix('block-storage', 0.4, 1, 'Replicated2'),
      mix('batch', 0.35, 1),
    ],
    compliance: [
      { rule: 'SOC-2', chance: 0.4 },
      { rule: 'ISO-27001', chance: 0.25 },
    ],
    chances: { ...relaxed, multiZone: 0.3, auditLogs: 0.3, faultIsolation: 0.35, privateSegment: 0.1 },
    volatility: 0.7,
    daysBetweenLaunches: 45,
    launchFactor: 1.09,
    daysBetweenGrowth: 8,
  },
  GameStudio: {
    kindLabels: ['Online games', 'Mobile games', 'Match servers'],
    weight: 10,
    size: 1.2,
    demandCurve: 'leisure',
    tiers: [20, 45, 28, 7],
    mix: [
      mix('app', 1, 6),
      mix('web', 0.6, 1.5),
      mix('cache', 0.9, 1.5),
      mix('database', 0.9, 1.5, 'Replicated2'),
      mix('object-storage', 0.35, 1, 'ErasureCoded'),
    ],
    compliance: [],
    chances: { ...relaxed, uncontended: 0.12, fixedArch: 0.3 },
    volatility: 1.3,
    daysBetweenLaunches: 30,
    launchFactor: 1.22,
    daysBetweenGrowth: 9,
  },
  Media: {
    kindLabels: ['Video streaming', 'News site', 'Podcast host', 'Photo archive'],
    weight: 10,
    size: 1.3,
    demandCurve: 'leisure',
    tiers: [15, 45, 32, 8],
    mix: [
      mix('web', 1, 4),
      mix('object-storage', 1, 4, 'ErasureCoded'),
      mix('cache', 0.8, 2),
      mix('database', 0.6, 1, 'Replicated2'),
      mix('batch', 0.5, 1.5),
    ],
    compliance: [],
    chances: { ...relaxed, multiZone: 0.2 },
    volatility: 1.1,
    daysBetweenLaunches: 25,
    launchFactor: 1.16,
    daysBetweenGrowth: 9,
  },
  Bank: {
    kindLabels: ['Retail bank', 'Card payments', 'Brokerage'],
    weight: 7,
    size: 1.3,
    demandCurve: 'office',
    tiers: [0, 5, 40, 55],
    mix: [
      mix('web', 1, 2),
      mix('app', 1, 4),
      mix('database', 1, 3, 'Replicated3'),
      mix('queue', 0.8, 1.5, 'Replicated3'),
      mix('block-storage', 0.6, 1.5, 'Replicated3'),
      mix('batch', 0.6, 1.5),
    ],
    compliance: [
      { rule: 'PCI-DSS', chance: 0.7 },
      { rule: 'ISO-27001', chance: 0.3 },
    ],
    chances: {
      multiZone: 0.7,
      privateSegment: 0.8,
      auditLogs: 0.9,
      airGap: 0.05,
      dedicatedHosts: 0.35,
      uncontended: 0.2,
      faultIsolation: 0.8,
      fixedRegion: 0.7,
      fixedArch: 0.5,
    },
    volatility: 0.5,
    daysBetweenLaunches: 90,
    launchFactor: 1.06,
    daysBetweenGrowth: 14,
  },
  Hospital: {
    kindLabels: ['Hospital records', 'Clinic network', 'Medical imaging'],
    weight: 6,
    size: 0.9,
    demandCurve: 'ward',
    tiers: [0, 20, 45, 35],
    mix: [
      mix('app', 1, 3),
      mix('web', 0.6, 1.5),
      mix('database', 1, 3, 'Replicated3'),
      mix('object-storage', 0.7, 2, 'ErasureCoded'),
      mix('block-storage', 0.5, 1.5, 'Replicated2'),
      mix('gpu-inference', 0.12, 1),
    ],
    compliance: [{ rule: 'HIPAA', chance: 0.95 }],
    chances: {
      multiZone: 0.5,
      privateSegment: 0.6,
      auditLogs: 0.8,
      airGap: 0.03,
      dedicatedHosts: 0.12,
      uncontended: 0.05,
      faultIsolation: 0.6,
      fixedRegion: 0.8,
      fixedArch: 0.2,
    },
    volatility: 0.5,
    daysBetweenLaunches: 120,
    launchFactor: 1.06,
    daysBetweenGrowth: 18,
  },
  PublicOffice: {
    kindLabels: ['Citizen services', 'Registers and records', 'Tax returns'],
    weight: 5,
    size: 0.9,
    demandCurve: 'office',
    tiers: [5, 30, 45, 20],
    mix: [
      mix('web', 1, 2.5),
      mix('app', 1, 3),
      mix('database', 1, 2.5, 'Replicated2'),
      mix('object-storage', 0.5, 1.5, 'ErasureCoded'),
      mix('batch', 0.4, 1),
    ],
    compliance: [
      { rule: 'Government', chance: 0.7 },
      { rule: 'ISO-27001', chance: 0.3 },
    ],
    chances: {
      multiZone: 0.35,
      privateSegment: 0.6,
      auditLogs: 0.9,
      airGap: 0.2,
      dedicatedHosts: 0.2,
      uncontended: 0.03,
      faultIsolation: 0.5,
      fixedRegion: 1,
      fixedArch: 0.3,
    },
    volatility: 0.5,
    daysBetweenLaunches: 90,
    launchFactor: 1.19,
    daysBetweenGrowth: 25,
  },
  MlLab: {
    kindLabels: ['Language models', 'Protein folding', 'Image models', 'Robotics'],
    weight: 7,
    size: 1.2,
    demandCurve: 'research',
    tiers: [10, 40, 38, 12],
    mix: [
      mix('gpu-training', 0.8, 4, 'Single'),
      mix('gpu-inference', 0.7, 3),
      mix('app', 0.8, 1),
      mix('object-storage', 0.7, 1.5, 'ErasureCoded'),
      mix('queue', 0.4, 0.7, 'Replicated2'),
    ],
    compliance: [{ rule: 'SOC-2', chance: 0.2 }],
    chances: { ...relaxed, multiZone: 0, fixedArch: 0 },
    volatility: 1.2,
    daysBetweenLaunches: 28,
    launchFactor: 1.19,
    daysBetweenGrowth: 10,
  },
  Startup: {
    kindLabels: ['Social app', 'Recipe app', 'Fitness tracker', 'Travel planner', 'Chat app'],
    weight: 14,
    size: 0.6,
    demandCurve: 'evening',
    tiers: [60, 32, 8, 0],
    mix: [
      mix('web', 0.8, 3),
      mix('app', 1, 3),
      mix('database', 0.9, 1.5, 'Single'),
      mix('cache', 0.5, 1),
      mix('gpu-inference', 0.1, 1),
    ],
    compliance: [{ rule: 'SOC-2', chance: 0.1 }],
    chances: { ...relaxed, multiZone: 0.03, fixedRegion: 0.05, fixedArch: 0.1 },
    volatility: 1.6,
    daysBetweenLaunches: 18,
    launchFactor: 1.22,
    daysBetweenGrowth: 6,
  },
  Logistics: {
    kindLabels: ['Parcel tracking', 'Fleet control', 'Warehouse control', 'Freight exchange'],
    weight: 6,
    size: 0.9,
    demandCurve: 'early',
    tiers: [15, 42, 33, 10],
    mix: [
      mix('app', 1, 4),
      mix('web', 0.6, 1.5),
      mix('database', 1, 2, 'Replicated2'),
      mix('queue', 0.9, 2, 'Replicated2'),
      mix('batch', 0.5, 1),
    ],
    compliance: [{ rule: 'ISO-27001', chance: 0.3 }],
    chances: { ...relaxed, multiZone: 0.25, faultIsolation: 0.35 },
    volatility: 0.7,
    daysBetweenLaunches: 40,
    launchFactor: 1.12,
    daysBetweenGrowth: 14,
  },
  University: {
    kindLabels: ['Campus systems', 'Course platform', 'Library and archive'],
    weight: 6,
    size: 0.9,
    demandCurve: 'campus',
    tiers: [35, 45, 18, 2],
    mix: [
      mix('web', 1, 3),
      mix('app', 0.8, 2),
      mix('database', 0.9, 1.5, 'Replicated2'),
      mix('batch', 0.7, 2),
      mix('block-storage', 0.5, 1, 'Single'),
      mix('gpu-training', 0.15, 1, 'Single'),
    ],
    compliance: [{ rule: 'ISO-27001', chance: 0.15 }],
    chances: { ...relaxed, fixedRegion: 0.5 },
    volatility: 0.8,
    daysBetweenLaunches: 60,
    launchFactor: 1.16,
    daysBetweenGrowth: 20,
  },
}
