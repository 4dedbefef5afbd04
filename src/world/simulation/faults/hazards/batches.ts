import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { HazardWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { day } from '../../time.ts'
import type { DeviceTable } from '../../topology/tables.ts'
import { deviceKind } from '../../topology/tables.ts'
import type { HazardTargetKind } from './hazards.ts'
import { sizeFactor } from './hazards.ts'

/**
 * Devices of one delivery share their flaws: parts of a weak batch fail one after another within days of reaching a
 * certain age. Their replacements do not.
 */

/** Rate at which weak batches begin to fail, at the reference size of a world. */
const weakBatchesPerDay = 1 / 10
const failingDaysMin = 5
const failingDaysMax = 11
/** Factor on the failure probability of a part of a weak batch. */
const weakness = 9
/** Devices of one kind in a zone that were installed within this time form one delivery. */
const deliveryTime: Micros = 30 * day
const weakBatchesMax = 8

/** The parts that fail in batches, with their relative likelihood. */
const weakParts: readonly { readonly kind: CauseKind; readonly weight: number }[] = [
  { kind: 'DiskFailure', weight: 3 },
  { kind: 'PowerSupplyFailure', weight: 3 },
  { kind: 'FanFailure', weight: 2 },
  { kind: 'HostFailure', weight: 1.5 },
  { kind: 'TransceiverFailure', weight: 2 },
]

export interface WeakBatch {
  readonly kind: CauseKind
  readonly device: 'Host' | 'Switch'
  readonly zone: number
  readonly sku: number
  readonly installedFrom: Micros
  readonly installedUntil: Micros
  readonly failsUntil: Micros
}

/** Once a day: draws whether a batch begins to fail, and drops those that no longer do. */
export function updateWeakBatches(
  world: HazardWorld,
  batches: WeakBatch[],
  stream: RandomStream,
  rate: number,
): void {
  for (let i = batches.length - 1; i >= 0; i--) if (batches[i].failsUntil <= world.now) batches.splice(i, 1)
  const isDue = stream.chance(
    Math.min(1, weakBatchesPerDay * rate * sizeFactor(world.topology.hosts.rows.length)),
  )
  if (isDue && batches.length < weakBatchesMax) batches.push(drawBatch(world, stream))
}

function drawBatch({ topology, now }: HazardWorld, stream: RandomStream): WeakBatch {
  const { kind } = weakParts[stream.weighted(weakParts.map(({ weight }) => weight))]
  const device = kind === 'TransceiverFailure' ? 'Switch' : 'Host'
  const table: DeviceTable = device === 'Host' ? topology.hosts : topology.switches
  const row = device === 'Host' ? stream.pick(topology.hosts.rows) : stream.below(topology.switches.count)
  return {
    kind,
    device,
    zone: table.zone[row],
    sku: table.sku[row],
    installedFrom: table.installed[row] - deliveryTime,
    installedUntil: Math.min(now, table.installed[row] + deliveryTime),
    failsUntil: now + stream.between(failingDaysMin, failingDaysMax) * day,
  }
}

/** Factor on a part's failure probability from its batch. */
export function batchFactor(
  world: HazardWorld,
  batches: readonly WeakBatch[],
  kind: CauseKind,
  target: HazardTargetKind,
  row: number,
): number {
  let factor = 1
  for (const batch of batches)
    if (batch.kind === kind && isOfBatch(world, batch, target, row)) factor *= weakness
  return factor
}

function isOfBatch(
  { topology }: HazardWorld,
  batch: WeakBatch,
  target: HazardTargetKind,
  row: number,
): boolean {
  const { ports, hosts, switches } = topology
  const isPort = target === 'Port'
  if (!isPort && target !== batch.device) return false
  if (isPort && ports.deviceKind[row] !== deviceKind[batch.device]) return false
  const table: DeviceTable = batch.device === 'Host' ? hosts : switches
  const device = isPort ? ports.device[row] : row
  const installed = table.installed[device]
  return (
    table.zone[device] === batch.zone &&
    table.sku[device] === batch.sku &&
    installed >= batch.installedFrom &&
    installed <= batch.installedUntil
  )
}
