import type { Argument } from '../../../contract/messages/catalog.ts'
import type {
  Band,
  CauseKind,
  Compliance,
  RootKind,
  SymptomKind,
  Tier,
  TimelineKind,
} from '../../../contract/vocabularies.ts'
import type { Micros } from '../time.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { SignalName, Subject } from './monitors/signals.ts'

/** A signal that monitoring sees at a subject, from its first sight until it has cleared. */
export interface Symptom {
  /** Unique for each pair of signal and subject. */
  readonly key: number
  readonly signal: SignalName
  readonly subject: Subject
  readonly since: Micros
  lastSeen: Micros
  /** The last reading, in the unit of the signal's message. */
  reading: number
  /** When it began, or last got much worse than it had been. */
  worsenedAt: Micros
  /** The best reading since then. */
  bestReading: number
  /** The incident it is assigned to; null until it has lasted long enough to be reported. */
  incidentId: number | null
  /** Incidents that it was moved from because another explained it better. */
  readonly leftIncidents: number[]
}

/** A reading that was taken because of a suspected cause, and what it says about that cause. */
export interface Observation {
  /** With light markup: ** around what matters. */
  readonly label: string
  readonly value: string
  readonly detail: string
  /** The factor by which it changes the likelihood of the cause. */
  readonly likelihood: number
}

/** A suspected cause of an incident. */
export interface Cause {
  readonly kind: CauseKind
  readonly target: FaultTarget
  /** Its likelihood by experience alone, with the operator's error; further symptoms raise it. */
  prior: number
  readonly suspectedAt: Micros
  observations: readonly Observation[]
  /** Whether the timeline has an entry for its evidence. */
  isNoted: boolean
  /** When a check last supported it plainly; -Infinity for never. */
  supportedAt: Micros
  /** Percent. */
  confidence: number
  confirmed: boolean
  /** Ruled out. */
  cleared: boolean
}

interface TimelineEntry {
  readonly at: Micros
  readonly kind: TimelineKind
  readonly detail: string
}

/** The symptom that an incident is titled by: the first, or what the customer feels that is hit worst. */
export interface Headline {
  readonly symptomKey: number
  readonly signal: SignalName
  readonly kind: SymptomKind
  readonly key: string
  readonly args: readonly Argument[]
  readonly text: string
  readonly customerId: number | null
}

/** What an incident affects, and the band that follows from it. */
export interface Impact {
  band: Band
  /** Customer ids, ascending. */
  customers: readonly number[]
  /** The first of the affected host rows, ascending. */
  hosts: readonly number[]
  hostTotal: number
  revenueAtRiskPerHour: number
  /** Revenue at risk as a share of the revenue of all customers. */
  revenueShare: number
  /** Affected share of all customers; one that only waits counts for a third. */
  customerShare: number
  tier: Tier | null
  compliance: Compliance | null
  redundancyBroken: boolean
}

/**
 * The confirmed cause of an incident: a fault, as far as operators learn of it. It is the fault itself, so that its
 * end shows here; states of faults and incidents are therefore serialized together.
 */
export interface RootCause {
  readonly id: number
  readonly kind: CauseKind
  readonly target: FaultTarget
  /** When it ends by itself; null if it lasts until it is repaired. */
  readonly endsBy: Micros | null
  readonly ended: Micros | null
}

/** An open incident as operations, zones and quests see it. */
export interface IncidentSummary {
  readonly id: number
  readonly opened: Micros
  readonly band: Band
  readonly confirmed: boolean
  readonly rootKind: RootKind
  readonly revenueAtRiskPerHour: number
  /** Target of the leading cause. */
  readonly suspect: FaultTarget | null
  /** Rows of the zones of its symptoms, ascending. */
  readonly zones: readonly number[]
  readonly causes: readonly Pick<Cause, 'target'>[]
  readonly impact: Pick<Impact, 'hosts'>
  readonly workOrderIds: readonly number[]
}

/**
 * The fields of an incident, by what writes them: each group has one writer, which also marks the incident as changed.
 * Everything else sees them as `Incident`, read-only.
 */

/** Written by `writers/timeline.ts`. */
interface TimelineFields {
  timeline: TimelineEntry[]
}

/** Written by `writers/title.ts`. */
interface TitleFields {
  headline: Headline
}

/** Written by `writers/severity.ts`. */
interface SeverityFields {
  band: Band
  revenueAtRiskPerHour: number
  impact: Impact
  peakImpact: Impact
  peakBand: Band
  /** The number of affected customers in the last timeline entry about them. */
  customersNoted: number
  /** When each band last followed from the impact. */
  readonly bandSeenAt: Map<Band, Micros>
}

/** Written by `writers/symptoms.ts`. */
interface SymptomFields {
  readonly symptoms: Set<Symptom>
  /** Keys of all symptoms it ever had: one that recurs is assigned to it again. */
  readonly symptomKeys: Set<number>
  /** Timeline entries about symptoms, by signal. */
  readonly symptomsNoted: Map<SignalName, number>
  zones: readonly number[]
  /** When its last symptom cleared; null while it has any. */
  quietSince: Micros | null
  /** The incident that turned out to be the cause of all of this one's symptoms. */
  partOfId: number | null
}

/** Written by `diagnosis/confidence.ts`. */
interface CauseFields {
  causes: Cause[]
  /** Causes that were ruled out and displaced by likelier ones; they are not suspected again. */
  readonly ruledOut: { readonly kind: CauseKind; readonly target: FaultTarget }[]
  suspect: FaultTarget | null
  root: RootCause | null
  confirmed: boolean
  rootKind: RootKind
  /** A confirmed incident that may explain what customers feel in this one. */
  explainedBy: { readonly incidentId: number; readonly root: RootCause } | null
}

/** Written by `writers/work.ts`. */
interface WorkFields {
  readonly workOrderIds: number[]
  /** Work orders that its record shows. */
  workOrdersShown: number
  /** Whether work other than a diagnosis was done for it. */
  isRemedied: boolean
}

/** Written by `writers/hint.ts`. */
interface HintFields {
  hintTier: number
  hint: string | null
  /** The version from which the hint was derived. */
  hintVersion: number
}

/** Written by `incident-events.ts`. */
interface AnnouncementFields {
  /** Keys of the symptoms whose parts were announced as failed. */
  readonly announcedParts: Set<number>
}

/** Written by `incident-lifecycle.ts`. */
interface LifecycleFields {
  channelThreadId: number | null
  resolved: Micros | null
}

/** Written by `touch`. */
interface ChangeFields {
  /** Increases with every change. */
  version: number
  lastChanged: Micros
}

interface FieldGroups {
  timeline: TimelineFields
  title: TitleFields
  severity: SeverityFields
  symptoms: SymptomFields
  causes: CauseFields
  work: WorkFields
  hint: HintFields
  announcements: AnnouncementFields
  lifecycle: LifecycleFields
  change: ChangeFields
}

type Shown<Value> =
  Value extends Map<infer Key, infer Entry>
    ? ReadonlyMap<Key, Entry>
    : Value extends Set<infer Entry>
      ? ReadonlySet<Entry>
      : Value extends (infer Entry)[]
        ? readonly Entry[]
        : Value

type ReadonlyFields<Fields> = { readonly [Name in keyof Fields]: Shown<Fields[Name]> }

export interface Incident
  extends IncidentSummary,
    ReadonlyFields<
      TimelineFields &
        TitleFields &
        SeverityFields &
        SymptomFields &
        CauseFields &
        WorkFields &
        HintFields &
        AnnouncementFields &
        LifecycleFields &
        ChangeFields
    > {
  readonly causes: readonly Cause[]
  readonly impact: Impact
}

/** A group of fields, for its writer. */
export const writable = <Group extends keyof FieldGroups>(
  incident: Incident,
  _group: Group,
): FieldGroups[Group] => incident as unknown as FieldGroups[Group]

/** Records that an incident has changed. For the writers of its fields. */
export function touch(incident: Incident, now: Micros): void {
  const fields = writable(incident, 'change')
  fields.version++
  fields.lastChanged = now
}

/** A new incident for which operations is to order a diagnosis, as it was when it opened. */
export interface DiagnosisRequest {
  readonly id: number
  readonly band: Band
  readonly suspect: FaultTarget | null
}

type WorkProgress = 'WorkStarted' | 'WorkBlocked' | 'WorkDone' | 'WorkCalledOff'

/** What operations does to incidents. */
export interface IncidentControl {
  /** Removes and returns the requests since the last call, oldest first. */
  takeDiagnosisRequests(): readonly DiagnosisRequest[]
  /** Where another diagnosis of an incident begins; null if nothing is suspected. */
  nextSuspect(incidentId: number): FaultTarget | null
  /** Records that a diagnosis has found a fault besides the confirmed cause of an incident, if that is still open. */
  noteFinding(incidentId: number, fault: RootCause): void
  attachWorkOrder(incidentId: number, workOrderId: number): void
  /** Takes a work order off an incident, open or resolved: it serves another one. */
  detachWorkOrder(incidentId: number, workOrderId: number): void
  /** Records that work other than a diagnosis was done for an incident, if that is still open. */
  noteRemedy(incidentId: number): void
  /**
   * Inspects an incident: the cause that it establishes becomes the confirmed one. An inspection of `from` alone may
   * find that the cause is elsewhere; `from` is then ruled out. Null if there is nothing to find.
   */
  diagnose(incidentId: number, from: FaultTarget | null): RootCause | 'elsewhere' | null
  /** Adds the progress of a work order to the timeline of its incident, if that is still open. */
  noteWork(incidentId: number, workOrderId: number, progress: WorkProgress, detail: string): void
}
