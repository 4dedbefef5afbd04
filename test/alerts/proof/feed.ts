import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { Run } from './runs.ts'
import type { Span } from '../../../src/practice/grading/firing.ts'
import { isSkipped, programChunks, programTroubles, troubledWorld } from './programs.ts'

/**
 * The content of scrapes besides the world's families: series that Prometheus adds for a target, and the mirror's own
 * families. Altered runs contain conditions that the built-in world cannot have.
 */

/** Injected faults of monitoring itself, in wall seconds of the run. */
const troubles = {
  DcsimMirrorDown: [[600, 700]],
  DcsimMirrorScrapeEmpty: [[900, 1100]],
  DcsimMirrorSnapshotStale: [[1300, 1600]],
  DcsimMirrorSourceDown: [[1300, 1600]],
  DcsimWorldStalled: [[1300, 1600]],
  DcsimMirrorCollectorFails: [[2000, 2100]],
  DcsimMirrorSlow: [[2300, 3100]],
  DcsimWorldLags: [[3300, 3500]],
  DcsimWorldPaused: [[3700, 4500]],
} as const satisfies Partial<Record<AlertName, readonly Span[]>>
type Trouble = keyof typeof troubles

/** Foreign worlds may have other names of bands, disabled firewalls, and very old switches. */
const foreignSpan: Span = [0, 100_000]

const within = (spans: readonly Span[], at: number): boolean =>
  spans.some(([from, to]) => at >= from && at < to)

const chunk = (family: string, type: string, samples: Readonly<Record<string, number>>): ExpositionChunk => ({
  family,
  bytes: Buffer.from(
    `# HELP ${family} .\n# TYPE ${family} ${type}\n` +
      Object.entries(samples)
        .map(([suffix, value]) => `${family}${suffix} ${value}\n`)
        .join(''),
  ),
})

const replaced = (given: ExpositionChunk, from: string | RegExp, to: string): ExpositionChunk => ({
  family: given.family,
  bytes: Buffer.from(Buffer.from(given.bytes).toString().replaceAll(from, to)),
})

const rewritten = (given: ExpositionChunk, from: RegExp, to: (found: string) => string): ExpositionChunk => ({
  family: given.family,
  bytes: Buffer.from(
    Buffer.from(given.bytes)
      .toString()
      .replaceAll(from, (found) => to(found)),
  ),
})

interface Feed {
  /** Whether the world is paused at this second. */
  standsStill(at: number): boolean
  /** The content of a scrape at this second. */
  scrape(at: number, world: readonly ExpositionChunk[]): readonly ExpositionChunk[]
  /** The alerts that alterations justify, with their spans. */
  readonly troubles: Readonly<Partial<Record<AlertName, readonly Span[]>>>
}

/** The mirror's own families, without errors by default. */
function ownChunks(at: number, has: (trouble: Trouble) => boolean, slowSince: number): ExpositionChunk[] {
  const publishes = at + 1
  const slow = Math.max(0, Math.min(at, troubles.DcsimMirrorSlow[0][1]) - troubles.DcsimMirrorSlow[0][0])
  const spent = 0.004 * publishes + (at >= slowSince ? 1.5 * slow : 0)
  const age = has('DcsimMirrorSnapshotStale') ? at - troubles.DcsimMirrorSnapshotStale[0][0] : 0.5
  const duration = 'dcsim_mirror_publish_duration_seconds'
  return [
    chunk('up', 'gauge', { '': 1 }),
    chunk('dcsim_mirror_snapshot_age_seconds', 'gauge', { '': age }),
    chunk('dcsim_mirror_source_up', 'gauge', { '': has('DcsimMirrorSourceDown') ? 0 : 1 }),
    chunk(duration, 'histogram', { '_bucket{le="+Inf"}': publishes, _sum: spent, _count: publishes }),
  ]
}

function watchingFeed(): Feed {
  return {
    troubles: { ...troubles, ...programTroubles },
    standsStill: (at) => within(troubles.DcsimWorldPaused, at) || within(troubles.DcsimWorldStalled, at),
    scrape(at, world) {
      const has = (trouble: Trouble): boolean => within(troubles[trouble], at)
      if (isSkipped(at)) return []
      if (has('DcsimMirrorDown')) return [chunk('up', 'gauge', { '': 0 })]
      const own = [...ownChunks(at, has, troubles.DcsimMirrorSlow[0][0]), ...programChunks(chunk, at)]
      if (has('DcsimMirrorScrapeEmpty')) return own
      const changes = troubledWorld(at)
      const scraped = world.map((given) => {
        const change = changes.find(([family]) => family === given.family)
        if (change !== undefined) return rewritten(given, change[1], change[2])
        if (has('DcsimWorldPaused') && given.family === 'dcsim_sim_paused')
          return replaced(given, / 0$/gm, ' 1')
        if (has('DcsimWorldLags') && given.family === 'dcsim_mirror_sim_lag_seconds') {
          return replaced(given, / [\d.]+$/gm, ' 12')
        }
        if (has('DcsimMirrorCollectorFails') && given.family === 'dcsim_mirror_collector_success') {
          return replaced(given, /(collector="hosts"\}) 1/g, '$1 0')
        }
        return given
      })
      const isLost = ({ family }: ExpositionChunk): boolean =>
        has('DcsimMirrorCollectorFails') && family.startsWith('dcsim_host_')
      return [...own, ...scraped.filter((given) => !isLost(given))]
    },
  }
}

type Alteration = (given: ExpositionChunk, at: number) => ExpositionChunk

const plainFeed = (troubled: Feed['troubles'], alter: Alteration = (given) => given): Feed => ({
  troubles: troubled,
  standsStill: () => false,
  scrape: (at, world) => [
    ...ownChunks(at, () => false, Number.POSITIVE_INFINITY),
    ...(within([foreignSpan], at) ? world.map((given) => alter(given, at)) : world),
  ],
})

/** Increases the used GPU slices of the first pool and zone until all hundred are used within a simulated day. */
function withFewerGpus(given: ExpositionChunk, at: number): ExpositionChunk {
  const slices = given.family.endsWith('_used') ? (60 + 0.03 * at).toFixed(2) : '100'
  return replaced(given, /(\{(?:pool|az)="1".*\}) +[\d.e+]+/g, `$1 ${slices}`)
}

/** The trend is known after six simulated hours. */
const gpusRunOut: Span = [365, 100_000]

const foreignTroubles = {
  DcsimPoolGpuFillsUp: [gpusRunOut],
  DcsimZoneGpuFillsUp: [gpusRunOut],
  DcsimGatewayFirewallOff: [foreignSpan],
  DcsimSwitchWornOut: [foreignSpan],
  DcsimRackHot: [foreignSpan],
  DcsimRackOnOneFeed: [foreignSpan],
  DcsimDiskWearHigh: [foreignSpan],
} as const

const foreignFeed = (): Feed =>
  plainFeed(foreignTroubles, (given, at) => {
    if (given.family.startsWith('dcsim_incident')) return replaced(given, 'band="Critical"', 'band="Ruinous"')
    if (given.family === 'dcsim_switch_condition_ratio') {
      return replaced(given, /(switch="1",.*\}) +[\d.]+/g, '$1 0.15')
    }
    if (/^dcsim_(pool|az)_gpu_slices(_used)?$/.test(given.family)) return withFewerGpus(given, at)
    if (given.family === 'dcsim_rack_inlet_celsius')
      return replaced(given, /(rack="1".*\}) +[\d.]+/g, '$1 35')
    if (given.family === 'dcsim_rack_power_feeds_live') return replaced(given, /(rack="1".*\}) +2/g, '$1 1')
    if (given.family === 'dcsim_host_disk_wear_ratio')
      return replaced(given, /(host="1".*\}) +[\d.e-]+/g, '$1 0.95')
    if (given.family !== 'dcsim_gateway_firewall_enabled') return given
    return replaced(given, /(gateway="1".*\}) +1/g, '$1 0')
  })

export function feedOf({ altered }: Run): Feed {
  if (altered === 'watching') return watchingFeed()
  return altered === 'foreign' ? foreignFeed() : plainFeed({})
}
