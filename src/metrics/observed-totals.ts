import type { IncidentRecord, Snapshot } from '../contract/collections.ts'
import { createTotalsLedger } from '../contract/totals.ts'
import type { WorldTotals } from '../contract/totals.ts'
import { bands } from '../contract/vocabularies.ts'

interface OpenIncident {
  highestBand: string
}

/** Totals of a world that does not count by itself: what was seen to happen since it was first looked at. */
export interface ObservedTotals {
  readonly totals: WorldTotals
  /** Takes what changed since the last snapshot. What came and went between two of them is not known. */
  observe(snapshot: Omit<Snapshot, 'totals'>): void
}

const rank = (band: string): number => (bands as readonly string[]).indexOf(band)

export function createObservedTotals(): ObservedTotals {
  const totals = createTotalsLedger()
  const open = new Map<string, OpenIncident>()
  let newestNs = -1n
  let isFirst = true

  const seeEvents = ({ events }: Pick<Snapshot, 'events'>): void => {
    for (const { at_ns: atNs, kind, severity } of events) {
      if (BigInt(atNs) <= newestNs) continue
      newestNs = BigInt(atNs)
      if (!isFirst) totals.event(kind, severity)
    }
  }
  const seeActive = ({ id, band, symptom_kind: symptomKind }: IncidentRecord): void => {
    const known = open.get(String(id))
    if (known !== undefined) {
      // A band that is not known ranks lowest, so that one that is known is not lost to it.
      if (rank(band) > rank(known.highestBand)) known.highestBand = band
      return
    }
    open.set(String(id), { highestBand: band })
    if (!isFirst) totals.incidentOpened(band, symptomKind)
  }
  const seeResolved = (incident: IncidentRecord): void => {
    const known = open.get(String(incident.id))
    if (known === undefined || incident.resolved_at_ns === null) return
    open.delete(String(incident.id))
    const tookNs = BigInt(incident.resolved_at_ns) - BigInt(incident.started_at_ns)
    totals.incidentResolved(known.highestBand, incident.root_kind, Number(tookNs) / 1e9)
  }
  return {
    totals,
    observe({ events, collections }) {
      seeEvents({ events })
      for (const incident of collections.incidents) seeActive(incident)
      for (const incident of collections.resolvedIncidents) seeResolved(incident)
      const active = new Set(collections.incidents.map(({ id }) => String(id)))
      for (const id of open.keys()) if (!active.has(id)) open.delete(id)
      isFirst = false
    },
  }
}
