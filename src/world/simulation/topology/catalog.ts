import type { Accelerator, ApplianceKind, Arch, ServiceClass } from '../../../contract/vocabularies.ts'
import type { HostSku, NetworkSku, PoolPlan } from './tables.ts'

/** Device models. All models and vendors are invented. */

/** A pool begins with two generations of hosts: those older than `newGenerationYears`, and newer ones. */
export const newGenerationYears = 1.75

interface PoolModel extends PoolPlan {
  /** Prefix of its hosts' labels. */
  readonly tag: string
  /** Share of all hosts. */
  readonly share: number
  readonly skus: readonly [older: HostSku, newer: HostSku]
}

interface Build {
  readonly arch?: Arch
  readonly accelerator?: Accelerator
  readonly nicCount?: number
  readonly uSize: number
  readonly slots: number
  readonly mtbfHours: number
}

/**
 * vCPUs, memory in GB, disk in TB, thousand disk operations per second, idle and full-load watts, price; GPU slices
 * and memory in GB.
 */
type Figures = readonly [
  vcpu: number,
  memGb: number,
  ssdTb: number,
  kiops: number,
  idle: number,
  busy: number,
  price: number,
  slices?: number,
  gpuGb?: number,
]

function sku(name: string, build: Build, figures: Figures): HostSku {
  const [vcpu, memGb, ssdTb, kiops, idleWatts, busyWatts, priceDollars, slices = 0, gpuGb = 0] = figures
  return {
    name,
    arch: build.arch ?? 'x86_64',
    accelerator: build.accelerator ?? null,
    uSize: build.uSize,
    vcpu,
    memMb: memGb * 1024,
    ssdGb: ssdTb * 1000,
    iops: kiops * 1000,
    vgpuSlices: slices,
    gpuMemMb: gpuGb * 1024,
    nicGbps: 25,
    nicCount: build.nicCount ?? 2,
    nicModuleSlots: build.slots,
    idleWatts,
    busyWatts,
    priceDollars,
    mtbfHours: build.mtbfHours,
  }
}

const generalBuild: Build = { uSize: 1, slots: 2, mtbfHours: 62_000 }
const memoryBuild: Build = { uSize: 2, slots: 3, mtbfHours: 58_000 }
const storageBuild: Build = { uSize: 2, slots: 4, nicCount: 4, mtbfHours: 52_000 }
const armBuild: Build = { arch: 'arm64', uSize: 1, slots: 2, mtbfHours: 66_000 }
const inferenceBuild: Build = {
  accelerator: 'InferenceGpu',
  uSize: 2,
  slots: 4,
  nicCount: 4,
  mtbfHours: 44_000,
}
const trainingBuild: Build = {
  accelerator: 'TrainingGpu',
  uSize: 4,
  slots: 6,
  nicCount: 4,
  mtbfHours: 36_000,
}
const dedicatedBuild: Build = { uSize: 1, slots: 2, mtbfHours: 62_000 }

/** In order of importance: a world with fewer hosts than pools has only the first pools. */
const poolModels: readonly PoolModel[] = [
  {
    name: 'General x86',
    tag: 'GEN',
    arch: 'x86_64',
    accelerator: null,
    dedicated: false,
    classes: ['web', 'app', 'queue', 'batch'],
    overcommitTarget: 1.6,
    overcommitMax: 2,
    share: 0.42,
    skus: [
      sku('Kestrel R1-64', generalBuild, [64, 256, 4, 250, 140, 420, 9_800]),
      sku('Kestrel R1-96', generalBuild, [96, 384, 8, 400, 160, 510, 14_200]),
    ],
  },
  {
    name: 'Memory x86',
    tag: 'MEM',
    arch: 'x86_64',
    accelerator: null,
    dedicated: false,
    classes: ['database', 'cache'],
    overcommitTarget: 1.15,
    overcommitMax: 1.3,
    share: 0.16,
    skus: [
      sku('Heron M2-64', memoryBuild, [64, 1_024, 16, 600, 230, 610, 26_500]),
      sku('Heron M2-96', memoryBuild, [96, 1_536, 24, 900, 250, 720, 34_000]),
    ],
  },
  {
    name: 'Storage',
    tag: 'STO',
    arch: 'x86_64',
    accelerator: null,
    dedicated: false,
    classes: ['object-storage', 'block-storage'],
    overcommitTarget: 1.3,
    overcommitMax: 1.6,
    share: 0.12,
    skus: [
      sku('Pelican S2-160', storageBuild, [48, 256, 160, 1_400, 260, 520, 31_000]),
      sku('Pelican S2-240', storageBuild, [64, 384, 240, 2_000, 280, 580, 38_500]),
    ],
  },
  {
    name: 'Dedicated',
    tag: 'DED',
    arch: 'x86_64',
    accelerator: null,
    dedicated: true,
    classes: ['web', 'app', 'database', 'cache', 'queue', 'object-storage', 'block-storage', 'batch'],
    overcommitTarget: 1,
    overcommitMax: 1,
    share: 0.08,
    skus: [
      sku('Kestrel D1-64', dedicatedBuild, [64, 512, 16, 500, 150, 450, 15_500]),
      sku('Kestrel D1-96', dedicatedBuild, [96, 768, 24, 700, 170, 540, 19_800]),
    ],
  },
  {
    name: 'General arm64',
    tag: 'ARM',
    arch: 'arm64',
    accelerator: null,
    dedicated: false,
    classes: ['web', 'app', 'cache', 'queue', 'batch'],
    overcommitTarget: 1.5,
    overcommitMax: 1.8,
    share: 0.12,
    skus: [
      sku('Wren A1-96', armBuild, [96, 256, 4, 300, 95, 290, 8_900]),
      sku('Wren A1-128', armBuild, [128, 512, 8, 450, 110, 340, 12_400]),
    ],
  },
  {
    name: 'GPU inference',
    tag: 'INF',
    arch: 'x86_64',
    accelerator: 'InferenceGpu',
    dedicated: false,
    classes: ['gpu-inference'],
    overcommitTarget: 1.1,
    overcommitMax: 1.25,
    share: 0.06,
    skus: [
      sku('Falcon G2-4', inferenceBuild, [64, 512, 8, 500, 380, 1_450, 58_000, 28, 192]),
      sku('Falcon G2-4L', inferenceBuild, [96, 768, 16, 700, 400, 1_600, 72_000, 28, 256]),
    ],
  },
  {
    name: 'GPU training',
    tag: 'TRN',
    arch: 'x86_64',
    accelerator: 'TrainingGpu',
    dedicated: false,
    classes: ['gpu-training'],
    overcommitTarget: 1,
    overcommitMax: 1.1,
    share: 0.04,
    skus: [
      sku('Condor T4-8', trainingBuild, [128, 2_048, 30, 1_200, 1_100, 5_200, 245_000, 56, 640]),
      sku('Condor T4-8X', trainingBuild, [192, 2_048, 60, 1_800, 1_250, 5_900, 310_000, 56, 1_120]),
    ],
  },
]

/** Generations of hosts; those after the first two appear while the world runs. */
export const hostGenerations = 5
/** CPU, memory, disk and price of a generation relative to the one before, which draws as much power. */
const denser = 1.35
const dearer = 1.18

/** The denser model that follows a model of a pool: "Kestrel R2-128" after "Kestrel R1-96". */
function successorOf(model: HostSku): HostSku {
  const vcpu = Math.round((model.vcpu * denser) / 16) * 16
  const series = (letter: string, version: string): string => `${letter}${Number(version) + 1}`
  return {
    ...model,
    name: model.name
      .replace(/([A-Z])(\d)/, (_, letter: string, version: string) => series(letter, version))
      .replace(`-${model.vcpu}`, `-${vcpu}`),
    vcpu,
    memMb: Math.round((model.memMb * denser) / 65_536) * 65_536,
    ssdGb: Math.round((model.ssdGb * denser) / 1_000) * 1_000,
    iops: Math.round((model.iops * denser) / 50_000) * 50_000,
    vgpuSlices: Math.round(model.vgpuSlices * denser),
    gpuMemMb: Math.round((model.gpuMemMb * denser) / 32_768) * 32_768,
    priceDollars: Math.round((model.priceDollars * dearer) / 100) * 100,
  }
}

/** Row in `hostSkus` is pool model × `hostGenerations` + generation. */
export const hostSkus: readonly HostSku[] = poolModels.flatMap(({ skus }) => {
  const all: HostSku[] = [...skus]
  while (all.length < hostGenerations) all.push(successorOf(all.at(-1)!))
  return all
})

/** Whether a model is of a generation that appears while the world runs. */
export const isDenser = (sku: number): boolean => sku % hostGenerations > 1

export interface PoolShare {
  readonly plan: PoolPlan
  readonly tag: string
  readonly hosts: number
  /** Row in `hostSkus` of the oldest generation; the newer ones follow. */
  readonly firstSku: number
}

/**
 * The pools of a world with their number of hosts: at least one each, the remainder by share. With fewer hosts than
 * pools, the first pool also takes the service classes of the missing ones.
 */
export function poolShares(hosts: number): PoolShare[] {
  const models = poolModels.slice(0, Math.min(hosts, poolModels.length))
  const counts = models.map(() => 1)
  for (let rest = hosts - models.length; rest > 0; rest--) {
    let neediest = 0
    let most = Number.NEGATIVE_INFINITY
    for (let i = 0; i < models.length; i++) {
      const missing = models[i].share * hosts - counts[i]
      if (missing > most) {
        most = missing
        neediest = i
      }
    }
    counts[neediest]++
  }
  const unassigned = poolModels
    .slice(models.length)
    .flatMap((model) => (model.accelerator ? [] : model.classes))
  const served = new Set(models.flatMap((model) => (model.dedicated ? [] : model.classes)))
  const adopted = [...new Set<ServiceClass>(unassigned)].filter((name) => !served.has(name))
  return models.map((model, index) => ({
    plan: {
      name: model.name,
      arch: model.arch,
      accelerator: model.accelerator,
      dedicated: model.dedicated,
      classes: index === 0 ? [...model.classes, ...adopted] : model.classes,
      overcommitTarget: model.overcommitTarget,
      overcommitMax: model.overcommitMax,
    },
    tag: model.tag,
    hosts: counts[index],
    firstSku: index * hostGenerations,
  }))
}

interface Line {
  readonly series: string
  readonly uSize: (fabricGbps: number) => number
  readonly wattsPerGbps: number
  readonly baseWatts: number
  readonly dollarsPerGbps: number
  readonly mtbfHours: number
}

const rackOrChassis = (fabricGbps: number): number =>
  fabricGbps <= 400 ? 1 : fabricGbps <= 4_000 ? 2 : fabricGbps <= 16_000 ? 4 : 8

const lines = {
  edge: {
    series: 'Lattice E',
    uSize: () => 1,
    wattsPerGbps: 0.35,
    baseWatts: 110,
    dollarsPerGbps: 45,
    mtbfHours: 95_000,
  },
  aggregation: {
    series: 'Lattice A',
    uSize: rackOrChassis,
    wattsPerGbps: 0.25,
    baseWatts: 180,
    dollarsPerGbps: 32,
    mtbfHours: 88_000,
  },
  core: {
    series: 'Lattice C',
    uSize: rackOrChassis,
    wattsPerGbps: 0.22,
    baseWatts: 240,
    dollarsPerGbps: 38,
    mtbfHours: 82_000,
  },
  gateway: {
    series: 'Portcullis G',
    uSize: rackOrChassis,
    wattsPerGbps: 0.8,
    baseWatts: 160,
    dollarsPerGbps: 170,
    mtbfHours: 70_000,
  },
  Firewall: {
    series: 'Bastion F',
    uSize: rackOrChassis,
    wattsPerGbps: 1.1,
    baseWatts: 190,
    dollarsPerGbps: 240,
    mtbfHours: 68_000,
  },
  DdosScrubber: {
    series: 'Sieve D',
    uSize: rackOrChassis,
    wattsPerGbps: 1.2,
    baseWatts: 210,
    dollarsPerGbps: 260,
    mtbfHours: 64_000,
  },
  IntrusionPrevention: {
    series: 'Sentry I',
    uSize: rackOrChassis,
    wattsPerGbps: 1.4,
    baseWatts: 200,
    dollarsPerGbps: 280,
    mtbfHours: 66_000,
  },
  LoadBalancer: {
    series: 'Tiller B',
    uSize: rackOrChassis,
    wattsPerGbps: 0.9,
    baseWatts: 150,
    dollarsPerGbps: 150,
    mtbfHours: 74_000,
  },
} as const satisfies Record<'edge' | 'aggregation' | 'core' | 'gateway' | ApplianceKind, Line>

/** The network device model with this fabric capacity and these port speeds. */
export function networkSku(
  kind: keyof typeof lines,
  fabricGbps: number,
  downGbps: number,
  upGbps: number,
  ports: number,
): NetworkSku {
  const line: Line = lines[kind]
  const isSwitch = kind === 'edge' || kind === 'aggregation' || kind === 'core'
  const price = Math.round((fabricGbps * line.dollarsPerGbps + 2_400 + ports * 40) / 100) * 100
  return {
    name: `${line.series}${isSwitch ? `${ports}-${upGbps}` : fabricGbps}`,
    uSize: line.uSize(fabricGbps),
    fabricGbps,
    downGbps,
    upGbps,
    watts: Math.round(line.baseWatts + fabricGbps * line.wattsPerGbps),
    priceDollars: price,
    opexDollars: Math.round(price * 0.012 + 35),
    mtbfHours: line.mtbfHours,
  }
}

export const patchPanelPorts = [24, 48] as const

export const panelSkus: readonly NetworkSku[] = patchPanelPorts.map((ports) => ({
  name: `Weft P${ports}-LC`,
  uSize: 1,
  fabricGbps: 0,
  downGbps: 0,
  upGbps: 0,
  watts: 0,
  priceDollars: ports * 9 + 60,
  opexDollars: 1,
  mtbfHours: 400_000,
}))
