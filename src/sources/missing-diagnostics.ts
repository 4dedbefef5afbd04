import type { CollectionName, Collections, DiagnosticsRecord } from '../contract/collections.ts'
import { nothingUnknown } from '../contract/collections.ts'
import type { UnknownParts } from '../contract/collections.ts'

/** Counts that follow from the records; NaN where these are unknown. */
export function countsOf(
  records: Collections,
  unknown: UnknownParts = nothingUnknown,
): Partial<DiagnosticsRecord['counts']> {
  const count = (name: CollectionName): number =>
    unknown[name] === undefined ? records[name].length : Number.NaN
  return {
    azs: count('azs'),
    hosts: count('hosts'),
    hosts_online: sumOf(records.hosts, unknown.hosts, ({ online }) => online),
    switches: count('switches'),
    gateways: count('gateways'),
    appliances: count('appliances'),
    patch_panels: count('patchPanels'),
    cables: count('cables'),
    cables_failed: sumOf(records.cables, unknown.cables, ({ is_failed: isFailed }) => isFailed),
    host_pools: count('hostPools'),
    segments: count('segments'),
    subnets: count('subnets'),
    customers: count('customers'),
    prospects: count('prospects'),
    incidents_active: count('incidents'),
    incidents_resolved: count('resolvedIncidents'),
    work_orders: count('workOrders'),
    quests: count('quests'),
  }
}

/** The number of records for which something is true; NaN if it is unknown of one of them. */
function sumOf<T>(
  records: readonly T[],
  unknown: string | undefined,
  isTrue: (record: T) => boolean,
): number {
  if (unknown !== undefined) return Number.NaN
  const truths: readonly (boolean | null)[] = records.map(isTrue)
  return truths.includes(null) ? Number.NaN : truths.filter(Boolean).length
}

/**
 * The shape of diagnostics is left open, so another server's may lack fields. Those that follow from other records and
 * from the publish are filled in; the rest stays unknown.
 */
export function fillMissingDiagnostics(
  diagnostics: DiagnosticsRecord,
  simTimeNs: bigint,
  records: Collections,
  unknown: UnknownParts = nothingUnknown,
): DiagnosticsRecord {
  const { simulation, counts } = diagnostics
  const knownCounts = Object.entries(counts).filter(
    ([, count]) => count !== null && !Number.isNaN(Number(count)),
  )
  const isWhole = knownCounts.length === Object.keys(counts).length && simulation.sim_time_ns !== null
  if (isWhole) return diagnostics
  return {
    ...diagnostics,
    simulation: { ...simulation, sim_time_ns: simulation.sim_time_ns ?? simTimeNs },
    counts: { ...counts, ...countsOf(records, unknown), ...Object.fromEntries(knownCounts) },
  }
}
