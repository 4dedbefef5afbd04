import { causeKinds } from '../../../contract/messages/incident-causes.ts'
import type { CauseWords } from '../../../contract/messages/incident-causes.ts'
import type { TruthAlert, TruthIncident, TruthLine } from '../../../contract/game-days/truth-line.ts'
import { bands } from '../../../contract/vocabularies.ts'
import type { Band, CauseKind } from '../../../contract/vocabularies.ts'
import type { Fault } from '../../simulation/faults/view.ts'
import type { Incident } from '../../simulation/incidents/model.ts'
import type { Micros } from '../../simulation/time.ts'
import { second } from '../../simulation/time.ts'
import { nameOf, placeOf, targetId } from '../../simulation/topology/view.ts'
import type { FaultRecord } from '../../simulation/truth/view.ts'
import { touchedBy } from '../../simulation/truth/view.ts'
import type { RunningWorld } from '../../simulation/world.ts'

/** The truth about a fault, without the name of its world. */
export function truthLineOf(
  { state, parts, script, injected }: RunningWorld,
  record: FaultRecord,
): Omit<TruthLine, 'world' | 'session'> {
  const { fault, customers, beganWallSeconds, endedWallSeconds } = record
  const { id, kind, target, magnitude, began, ended, endsBy } = fault
  const shown = [...record.incidents].toSorted((a, b) => a.id - b.id)
  const incidents = shown.map((incident) => incidentOf(incident, fault))
  const affected = [...customers].toSorted(([a], [b]) => a - b)
  const touched = touchedBy(state, parts.blastRadius, fault)
  const listed = {
    ...touched,
    customer: [...new Set([...(target.kind === 'Customer' ? [target.id] : []), ...customers.keys()])].map(
      String,
    ),
    incident: incidents.map((incident) => String(incident.id)),
  }
  const begins = (set: ReadonlySet<number> | undefined): boolean => set?.has(id) ?? false
  const isScripted = begins(script?.state.aftermath.begun) || begins(script?.state.schedule?.aftermath.begun)
  const isOver = ended !== null
  const endedBy = endsBy !== null && ended !== null && ended >= endsBy ? 'itself' : 'repair'
  return {
    fault: id,
    kind,
    origin: begins(injected.state.aftermath.begun) ? 'injected' : isScripted ? 'scenario' : 'random',
    entity: {
      kind: target.kind,
      id: targetId(target),
      name: nameOf(state, target),
      place: placeOf(state, target),
    },
    magnitude,
    begin: { sim_s: began / second, wall_s: rounded(beganWallSeconds) },
    end: isOver ? { sim_s: ended / second, wall_s: rounded(endedWallSeconds ?? beganWallSeconds) } : null,
    ended_by: isOver ? endedBy : null,
    touched: listed,
    incidents,
    alerts: alertsOf(
      kind,
      { ...touched, customer: target.kind === 'Customer' ? [String(target.id)] : [] },
      incidents,
    ),
    customers: affected.map(([customer, name]) => ({ id: customer, name })),
    revenue_hurt_dollars: Math.round(record.revenueHurt * 100) / 100,
    noticed_after_s: earliest(incidents.map((incident) => incident.opened_after_s)),
    confirmed_after_s: earliest(incidents.map((incident) => incident.confirmed_after_s)),
    repaired_after_s: isOver && endedBy === 'repair' ? (ended - began) / second : null,
  }
}

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.max(0, Math.min(...known))
}

function incidentOf(incident: Incident, { id, began }: Fault): TruthIncident {
  const after = (at: Micros | null): number | null => (at === null ? null : (at - began) / second)
  const confirmed = incident.timeline.findLast(({ kind }) => kind === 'CauseConfirmed')
  return {
    id: incident.id,
    // The title may change later: this one was seen first.
    symptom: incident.timeline.find(({ kind }) => kind === 'Opened')?.detail ?? incident.headline.text,
    bands: bands.filter((band) => incident.bandSeenAt.has(band) || incident.peakBand === band),
    opened_after_s: after(incident.opened)!,
    confirmed_after_s: incident.root?.id === id ? after(confirmed?.at ?? null) : null,
    resolved_after_s: after(incident.resolved),
  }
}

/** The alerts that a fault justifies: about affected devices and customers, and its incidents in their bands. */
export function alertsOf(
  kind: CauseKind,
  touched: Readonly<Record<string, readonly string[]>>,
  incidents: readonly { readonly id: number; readonly bands: readonly Band[] }[],
): TruthAlert[] {
  const { alerts = [] }: CauseWords = causeKinds[kind]
  const aboutParts = alerts.flatMap(([alert, label]) =>
    (touched[label] ?? []).map((id) => ({ alert, labels: { [label]: id } })),
  )
  const aboutIncidents = incidents.flatMap(({ id, bands }) =>
    bands.map((band) => ({ alert: `DcsimIncident${band}`, labels: { incident: String(id) } })),
  )
  return [...aboutParts, ...aboutIncidents]
}
