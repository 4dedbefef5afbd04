/** Answers what would follow from actions, by worlds that continue from one moment. */
import type { Snapshot } from '../../contract/collections.ts'
import type { FaultTruth } from '../../world/built-in-world.ts'
import type { ActionLine } from '../../world/scenario-language.ts'
import { compareWorlds, followCustomers } from './compare-worlds.ts'
import type { WorldDifferences } from './compare-worlds.ts'
import { compareCustomers, costOf } from './customer-harm.ts'
import type { CustomerDifference, HarmLog } from './customer-harm.ts'
import { continueFrom, injectInto, rootsOf } from './branch-point.ts'
import type { BranchPoint } from './branch-point.ts'

interface Question {
  readonly branch: BranchPoint
  readonly actions: readonly ActionLine[]
  readonly lastsSeconds: number
  readonly onProgress?: (share: number) => void
}

/** A part of the same kind that carries more than in the baseline. */
export interface Relief {
  readonly name: string
  readonly family: string
  readonly baseline: number
  readonly changed: number
}

export interface Consequences extends WorldDifferences {
  /** The names of what the actions were carried out on. */
  readonly targets: readonly string[]
  readonly reliefs: readonly Relief[]
  /** The faults that the actions began. */
  readonly faults: readonly FaultTruth[]
}

export function whatIf({ branch, actions, lastsSeconds, onProgress }: Question): Consequences {
  const faults = new Map<number, FaultTruth>()
  const note = (fault: FaultTruth): void => void faults.set(fault.fault, fault)
  const truth = { wallOf: () => 0, onComplete: note }
  const [baseline, changed] = [
    continueFrom(branch),
    continueFrom({ ...branch, options: { ...branch.options, truth } }),
  ]
  const known = new Set(changed.openFaults().map(({ fault }) => fault))
  const outcomes = injectInto(changed, actions)
  const differences = compareWorlds({
    baseline,
    changed,
    lastsSeconds,
    roots: () => rootsOf(outcomes),
    ...(onProgress !== undefined && { onProgress }),
  })
  for (const fault of changed.openFaults()) note(fault)
  const own = [...faults.values()].filter(({ fault, origin }) => origin === 'injected' && !known.has(fault))
  return {
    ...differences,
    targets: outcomes.flatMap(({ targets }) => targets),
    reliefs: reliefsOf(differences, rootsOf(outcomes)),
    faults: own.toSorted((a, b) => a.fault - b.fault),
  }
}

/** The load of each kind of part. */
const loadFamilies: ReadonlySet<string> = new Set([
  'dcsim_az_power_feed_load_watts',
  'dcsim_az_cooling_unit_load_watts',
  'dcsim_switch_fabric_load_bytes_per_second',
  'dcsim_gateway_fabric_load_bytes_per_second',
  'dcsim_appliance_fabric_load_bytes_per_second',
  'dcsim_host_cpu_used_vcpus',
])
const reliefsMax = 3
/** Less is no relief worth mention. */
const reliefShareMin = 0.05

function reliefsOf({ entities }: WorldDifferences, roots: readonly string[]): Relief[] {
  const kinds = new Set(roots.map((root) => root.split(' ')[0]))
  const found = entities
    .filter(({ key }) => kinds.has(key.split(' ')[0]) && !roots.includes(key))
    .flatMap(({ name, series }) =>
      series
        .filter(({ family, baseline, changed }) => loadFamilies.has(family) && changed > baseline)
        .map(({ family, baseline, changed }) => ({ name, family, baseline, changed })),
    )
  return found
    .filter(({ baseline, changed }) => changed - baseline > reliefShareMin * changed)
    .toSorted((a, b) => b.changed - b.baseline - (a.changed - a.baseline))
    .slice(0, reliefsMax)
}

/** The harm to customers in the end, without series: a quarter of the time of a whole comparison. */
export interface Toll {
  readonly customers: readonly CustomerDifference[]
  readonly costDollars: number
  readonly targets: readonly string[]
}

export function tollOf(
  { branch, actions, lastsSeconds, onProgress }: Question,
  baseline: HarmLog,
  everySeconds: number,
): Toll {
  const world = continueFrom(branch)
  const outcomes = injectInto(world, actions)
  const log = followCustomers(world, lastsSeconds, everySeconds, onProgress)
  const customers = compareCustomers(baseline, log)
  return {
    customers,
    costDollars: customers.reduce((sum, customer) => sum + costOf(customer), 0),
    targets: outcomes.flatMap(({ targets }) => targets),
  }
}

/** The parts of zones that can be lost, with the action that loses each. */
export const losses = {
  feed: { action: 'PowerFeedLoss', kind: 'PowerFeed' },
  cooling: { action: 'CoolingFailure', kind: 'CoolingUnit' },
  gateway: { action: 'GatewayFailure', kind: 'Gateway' },
  switch: { action: 'SwitchFailure', kind: 'Switch' },
  appliance: { action: 'ApplianceFailure', kind: 'Appliance' },
  host: { action: 'HostFailure', kind: 'Host' },
} as const

/** The ids of parts of a kind, in one zone or in all; null for a zone that does not exist. */
export function partsOf(
  { collections }: Snapshot,
  part: keyof typeof losses,
  zoneName: string,
): number[] | null {
  const isNamed = ({ id, name, display_name: displayName }: Snapshot['collections']['azs'][number]) =>
    [String(id), name, displayName].some((known) => known.toLowerCase() === zoneName.toLowerCase())
  const zones = collections.azs.filter((zone) => zoneName === '' || isNamed(zone))
  if (zones.length === 0) return null
  if (part === 'feed') return zones.flatMap((zone) => zone.power_feeds.map(({ id }) => Number(id)))
  if (part === 'cooling') return zones.flatMap((zone) => zone.cooling_units.map(({ id }) => Number(id)))
  const ids = new Set(zones.map(({ id }) => id))
  const devices = {
    gateway: collections.gateways,
    switch: collections.switches,
    appliance: collections.appliances,
    host: collections.hosts,
  }[part]
  return devices.filter(({ az_id: zone }) => ids.has(zone)).map(({ id }) => Number(id))
}
