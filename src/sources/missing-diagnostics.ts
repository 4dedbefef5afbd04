import type { Collections, DiagnosticsRecord } from '../contract/collections.ts'

/** Counts that follow from the records. */
export function countsOf(records: Collections): Partial<DiagnosticsRecord['counts']> {
  return {
    azs: records.azs.length,
    hosts: records.hosts.length,
    hosts_online: records.hosts.filter(({ online }) => online).length,
    switches: records.switches.length,
    gateways: records.gateways.length,
    appliances: records.appliances.length,
    patch_panels: records.patchPanels.length,
    cables: records.cables.length,
    cables_failed: records.cables.filter(({ is_failed: isFailed }) => isFailed).length,
    host_pools: records.hostPools.length,
    segments: records.segments.length,
    subnets: records.subnets.length,
    customers: records.customers.length,
    prospects: records.prospects.length,
    incidents_active: records.incidents.length,
    incidents_resolved: records.resolvedIncidents.length,
    work_orders: records.workOrders.length,
    quests: records.quests.length,
  }
}

/**
 * The shape of diagnostics is left open, so another server's may lack fields. Those that follow from other records and
 * from the publish are filled in; the rest stays unknown.
 */
export function fillMissingDiagnostics(
  diagnostics: DiagnosticsRecord,
  simTimeNs: bigint,
  records: Collections,
): DiagnosticsRecord {
  const { simulation, counts } = diagnostics
  if (!Number.isNaN(counts.hosts) && simulation.sim_time_ns !== null) return diagnostics
  const knownCounts = Object.entries(counts).filter(
    ([, count]) => count !== null && !Number.isNaN(Number(count)),
  )
  return {
    ...diagnostics,
    simulation: { ...simulation, sim_time_ns: simulation.sim_time_ns ?? simTimeNs },
    counts: { ...counts, ...countsOf(records), ...Object.fromEntries(knownCounts) },
  }
}
