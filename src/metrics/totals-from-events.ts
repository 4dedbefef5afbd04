import { nothingUnknown } from '../contract/collections.ts'
import type { IncidentRecord, Snapshot } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { createTotalsLedger } from '../contract/totals.ts'
import type { WorldTotals } from '../contract/totals.ts'
import { bands } from '../contract/vocabularies.ts'

interface OpenIncident {
  highestBand: string
}

/** Counters for a world without totals: events observed since its first snapshot. */
interface TotalsFromEvents {
  readonly totals: WorldTotals
  /** Counts changes since the last snapshot. An incident that began and ended between two snapshots is missed. */
  observe(snapshot: Omit<Snapshot, 'totals'>): void
}

const rank = (band: string): number => (bands as readonly string[]).indexOf(band)

/** An upstream may leave out the start of an incident: its duration is then zero. */
function startOf({ started_at_ns, resolved_at_ns: resolvedNs }: IncidentRecord): bigint {
  const startedNs: Int64 | null = started_at_ns
  return BigInt(startedNs ?? resolvedNs ?? 0)
}

export function createTotalsFromEvents(): TotalsFromEvents {
  const totals = createTotalsLedger()
  const open = new Map<string, OpenIncident>()
  let newestNs = -1n
  /** The number of events at the newest time, by kind and severity: the next snapshot may have more of that time. */
  let atNewest = new Map<string, number>()
  /** Events and incidents of the first list that is known are not new. */
  let areEventsKnown = false
  let areIncidentsKnown = false

  const seeEvents = ({ events }: Pick<Snapshot, 'events'>): void => {
    const knownNs = newestNs
    const known = new Map(atNewest)
    for (const { at_ns: int64, kind, severity } of events) {
      const atNs = BigInt(int64)
      if (atNs < knownNs) continue
      const key = JSON.stringify([kind, severity])
      const knownCount = atNs === knownNs ? (known.get(key) ?? 0) : 0
      if (knownCount > 0) {
        known.set(key, knownCount - 1)
        continue
      }
      if (atNs > newestNs) {
        newestNs = atNs
        atNewest = new Map()
      }
      if (atNs === newestNs) atNewest.set(key, (atNewest.get(key) ?? 0) + 1)
      if (areEventsKnown) totals.event(kind, severity)
    }
    areEventsKnown = true
  }
  const seeActive = ({ id, band, symptom_kind: symptomKind }: IncidentRecord): void => {
    const known = open.get(String(id))
    if (known !== undefined) {
      // An unknown band ranks lowest, so that it never replaces a known one.
      if (rank(band) > rank(known.highestBand)) known.highestBand = band
      return
    }
    open.set(String(id), { highestBand: band })
    if (areIncidentsKnown) totals.incidentOpened(band, symptomKind)
  }
  const seeResolved = (incident: IncidentRecord): void => {
    const known = open.get(String(incident.id))
    if (known === undefined || incident.resolved_at_ns === null) return
    open.delete(String(incident.id))
    const tookSeconds = Number(BigInt(incident.resolved_at_ns) - startOf(incident)) / 1e9
    totals.incidentResolved(known.highestBand, incident.root_kind, Math.max(0, tookSeconds))
  }
  const seeIncidents = ({ incidents, resolvedIncidents }: Snapshot['collections']): void => {
    for (const incident of incidents) seeActive(incident)
    for (const incident of resolvedIncidents) seeResolved(incident)
    const active = new Set(incidents.map(({ id }) => String(id)))
    for (const id of open.keys()) if (!active.has(id)) open.delete(id)
    areIncidentsKnown = true
  }
  return {
    totals,
    observe({ events, collections, unknown = nothingUnknown }) {
      if (unknown.events === undefined) seeEvents({ events })
      if (unknown.incidents === undefined) seeIncidents(collections)
    },
  }
}
