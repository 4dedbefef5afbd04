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

/** A signal of monitoring at a subject, from its first detection until it clears. */
export interface Symptom {
  /** Unique for each pair of signal and subject. */
  readonly key: number
  readonly signal: SignalName
  readonly subject: Subject
  readonly since: Micros
  lastSeen: Micros
  /** The latest reading, in the unit of the signal's message. */
  reading: number
  /** Time of the onset or of the last marked deterioration. */
  worsenedAt: Micros
  /** The best reading since `worsenedAt`. */
  bestReading: number
  /** The assigned incident; null until the symptom is reported. */
  incidentId: number | null
  /** Earlier incidents of the symptom, left for a better explanation. */
  readonly leftIncidents: number[]
}

/** A reading prompted by a suspected cause, with its interpretation. */
export interface Observation {
  /** With light markup: `**` around the essential words. */
  readonly label: string
  readonly value: string
  readonly detail: string
  /** The factor on the cause's likelihood. */
  readonly likelihood: number
}

/** A suspected cause of an incident. */
export interface Cause {
  readonly kind: CauseKind
  readonly target: FaultTarget
  /** Prior likelihood from experience, with the operator's error; raised by further symptoms. */
  prior: number
  readonly suspectedAt: Micros
  observations: readonly Observation[]
  /** The readings that supported it most. */
  clearest: readonly Observation[]
  clearestAt: Micros
  /** Whether the timeline has an entry about the evidence. */
  isNoted: boolean
  /** Time of the last clearly supporting check; -Infinity for none. */
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
  /** Of work, the ids of the active faults that it repairs. */
  readonly repaired?: readonly number[]
}

/**
 * The title of an incident: the gravest symptom, that of the worst affected customer, or the number of hosts that are
 * down.
 */
export interface Headline {
  /** Null for several hosts. */
  readonly symptomKey: number | null
  readonly signal: SignalName
  readonly kind: SymptomKind
  readonly key: string
  readonly args: readonly Argument[]
  readonly text: string
  /** The reading in the text. */
  readonly reading: number
  /** Of a customer's impairment, from 0 to 1; of an attack 1, of one device 0.5, of many 1. */
  readonly severity: number
  readonly customerId: number | null
}

/** The impact of an incident, with the resulting band. */
export interface Impact {
  band: Band
  /** Customer ids, ascending. */
  customers: readonly number[]
  /** The first affected host rows, ascending. */
  hosts: readonly number[]
  hostTotal: number
  revenueAtRiskPerHour: number
  /** Revenue at risk as a share of the revenue of all customers. */
  revenueShare: number
  /** Weighted share of affected customers; one with waiting jobs only counts for a third. */
  customerShare: number
  tier: Tier | null
  compliance: Compliance | null
  redundancyBroken: boolean
}

/**
 * The confirmed cause of an incident: a fault, as known to operators. It references the fault itself, so that it
 * shows the fault's end; the states of faults and incidents are therefore serialized together.
 */
export interface RootCause {
  readonly id: number
  readonly kind: CauseKind
  readonly target: FaultTarget
  /** The scheduled end; null for a fault that lasts until its repair. */
  readonly endsBy: Micros | null
  readonly ended: Micros | null
}

/** An open incident for operations, zones and quests. */
export interface IncidentSummary {
  readonly id: number
  readonly opened: Micros
  readonly band: Band
  readonly confirmed: boolean
  readonly root: RootCause | null
  readonly rootKind: RootKind
  readonly revenueAtRiskPerHour: number
  /** Target of the leading cause. */
  readonly suspect: FaultTarget | null
  /** Rows of the symptoms' zones, ascending. */
  readonly zones: readonly number[]
  readonly headline: Pick<Headline, 'args' | 'customerId'>
  readonly causes: readonly Pick<Cause, 'target'>[]
  readonly impact: Pick<Impact, 'hosts' | 'customers'>
  readonly workOrderIds: readonly number[]
  /** Start of the time without symptoms; null while there are any. */
  readonly quietSince: Micros | null
}

/**
 * The fields of an incident, grouped by writer: each group has one writer, which also marks the incident as changed.
 * All other code sees them as the read-only `Incident`.
 */

/** Written by `writers/timeline.ts`. */
interface TimelineFields {
  timeline: TimelineEntry[]
}

/** Written by `writers/title.ts`. */
interface TitleFields {
  headline: Headline
  /** The gravest title so far, which a resolved incident shows. */
  peakHeadline: Headline
  /** The gravest titles about other symptoms before it, the latest last. */
  formerPeaks: Headline[]
  /** Hosts in the gravest title so far. */
  peakHostCount: number
}

/** Written by `writers/severity.ts`. */
interface SeverityFields {
  band: Band
  revenueAtRiskPerHour: number
  impact: Impact
  peakImpact: Impact
  peakBand: Band
  /** Number of affected customers in the latest timeline entry about them. */
  customersNoted: number
  /** Time of the last impact in each band. */
  readonly bandSeenAt: Map<Band, Micros>
}

/** Written by `writers/symptoms.ts`. */
interface SymptomFields {
  readonly symptoms: Set<Symptom>
  /** Keys of all symptoms to date: a recurring symptom is reassigned to the incident. */
  readonly symptomKeys: Set<number>
  /** Number of timeline entries about symptoms, by signal. */
  readonly symptomsNoted: Map<SignalName, number>
  zones: readonly number[]
  /** Start of the time without symptoms; null while there are any. */
  quietSince: Micros | null
  /** The incident that turned out to be the cause of all symptoms. */
  partOfId: number | null
}

/** Written by `diagnosis/confidence.ts`. */
interface CauseFields {
  causes: Cause[]
  /** Causes ruled out and displaced by likelier ones; they are not suspected again. */
  readonly ruledOut: { readonly kind: CauseKind; readonly target: FaultTarget }[]
  suspect: FaultTarget | null
  root: RootCause | null
  confirmed: boolean
  rootKind: RootKind
  /** A confirmed incident that may explain the customer symptoms. */
  explainedBy: { readonly incidentId: number; readonly root: RootCause } | null
}

/** Written by `writers/work.ts`. */
interface WorkFields {
  readonly workOrderIds: number[]
  /** Number of work orders in the record. */
  workOrdersShown: number
  /** Whether any work other than a diagnosis was done. */
  isRemedied: boolean
}

/** Written by `writers/hint.ts`. */
interface HintFields {
  hintTier: number
  hint: string | null
}

/** Written by `incident-events.ts`. */
interface AnnouncementFields {
  /** The announced part failures whose end is not announced yet, by the key of the symptom. */
  readonly announcedParts: Map<number, Subject>
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
  readonly causes: readonly Readonly<Cause>[]
  readonly impact: Impact
  readonly headline: Headline
}

/** A group of fields for its writer. */
export const writable = <Group extends keyof FieldGroups>(
  incident: Incident,
  _group: Group,
): FieldGroups[Group] => incident as unknown as FieldGroups[Group]

/** Marks an incident as changed; called by the writers of its fields. */
export function touch(incident: Incident, now: Micros): void {
  const fields = writable(incident, 'change')
  fields.version++
  fields.lastChanged = now
}

/** A new incident that needs a diagnosis order, as of its opening. */
export interface DiagnosisRequest {
  readonly id: number
  readonly band: Band
  readonly suspect: FaultTarget | null
}

/** A work order, with the ids of the active faults that it repairs. */
interface NotedOrder {
  readonly id: number
  readonly repaired: readonly number[]
}

type WorkProgress = 'WorkStarted' | 'WorkBlocked' | 'WorkDone' | 'WorkCalledOff'

/** The interface to incidents for operations. */
export interface IncidentControl {
  /** Removes and returns all pending requests, oldest first. */
  takeDiagnosisRequests(): readonly DiagnosisRequest[]
  /** Records why a confirmed incident is diagnosed again; returns where that starts, null without a suspect. */
  diagnoseAgain(incidentId: number): FaultTarget | null
  /** The symptom of a suspect, or else the title of the incident, as a sentence. */
  symptomOf(incidentId: number, suspect: FaultTarget | null): string
  /** An open incident with a symptom of a target, or with a reading of it that is out of the ordinary. */
  about(target: FaultTarget): number | null
  /**
   * Records another fault found by a diagnosis besides the confirmed cause of an open incident; one whose repair is ordered is
   * no news if it was found before.
   */
  noteFinding(incidentId: number, fault: RootCause, isOrdered: boolean): void
  attachWorkOrder(incidentId: number, workOrderId: number): void
  /** Removes a work order from an open or resolved incident: it now belongs to another one. */
  detachWorkOrder(incidentId: number, workOrderId: number): void
  /** Records work other than a diagnosis on an open incident. */
  noteRemedy(incidentId: number): void
  /**
   * Inspects an incident and confirms the cause found. An inspection of `from` alone may find that the cause is
   * elsewhere and rule `from` out. Null if there is no fault to find.
   */
  diagnose(incidentId: number, from: FaultTarget | null): RootCause | 'elsewhere' | null
  /** Adds the progress of a work order to the timeline of its open incident. */
  noteWork(incidentId: number, order: NotedOrder, progress: WorkProgress, detail: string): void
}
