import type { BlastRadius } from '../../../src/world/simulation/incidents/correlation/blast-radius.ts'
import { isPortOfCable, shareZone } from '../../../src/world/simulation/incidents/correlation/subjects.ts'
import type { Incident } from '../../../src/world/simulation/incidents/model.ts'
import type { Subject } from '../../../src/world/simulation/incidents/monitors/signals.ts'
import type { Fault } from '../../../src/world/simulation/faults/model.ts'
import { isGrave } from './first-look.ts'
import type { WorldView } from '../../../src/world/simulation/state.ts'
import { minute } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import { sameTarget } from '../../../src/world/simulation/topology/entities.ts'

/**
 * How many of the Major and Critical incidents end with their true cause, with a false one, or with none, and how many of
 * all became part of one whose cause does not reach what they were about.
 */
export interface PostMortemFigures {
  readonly trueCauses: number
  readonly falseCauses: number
  readonly unknownCauses: number
  readonly wrongMerges: number
}

/** The subjects of an incident in the minute in which it was gravest. */
interface Peak {
  readonly at: Micros
  readonly isGrave: boolean
  readonly severity: number
  readonly subjects: readonly Subject[]
  readonly hosts: ReadonlySet<number>
  readonly customers: readonly number[]
}

/** Effects outlast their cause by this time at most, heat included. */
const aftermathMax: Micros = 30 * minute
/** An incident may open shortly before the fault that makes it grave. */
const leadMax: Micros = 2 * minute
/**
 * Looks for which a customer still suffers from hosts that its units have left: a symptom is reported a minute after it
 * was first seen, and until two minutes after it was last seen, while units leave a failed host within two.
 */
const leftHostsLooks = 5

interface IncidentLists {
  readonly open: ReadonlyMap<number, Incident>
  readonly resolved: readonly Incident[]
}

/**
 * Holds the confirmed cause of every grave incident against the truth: the fault was active when the incident was
 * gravest, and reaches what suffered then.
 */
export class PostMortems {
  readonly #world: WorldView
  readonly #blastRadius: BlastRadius
  readonly #lists: IncidentLists
  readonly #peaks = new Map<number, Peak>()
  /** Hosts of each customer at the latest looks. */
  readonly #placements: ReadonlyMap<number, Int32Array>[] = []
  readonly #roots = new Map<number, Incident['root']>()
  readonly #counts = { trueCauses: 0, falseCauses: 0, unknownCauses: 0, wrongMerges: 0 }

  constructor(world: WorldView, blastRadius: BlastRadius, lists: IncidentLists) {
    this.#world = world
    this.#blastRadius = blastRadius
    this.#lists = lists
  }

  /** Once a minute. */
  look(): void {
    const { open, resolved } = this.#lists
    this.#placements.push(new Map(this.#world.tenants.active.map(({ id, hosts }) => [id, hosts])))
    if (this.#placements.length > leftHostsLooks) this.#placements.shift()
    for (const incident of open.values()) this.#notePeak(incident)
    // An incident that another became part of in the same minute comes before it.
    const judged = resolved.findLastIndex(({ id }) => this.#roots.has(id))
    for (const incident of resolved.slice(judged + 1)) this.#judge(incident)
  }

  #notePeak({ id, band, impact, symptoms }: Incident): void {
    const grave = isGrave(band)
    const peak = this.#peaks.get(id)
    const severity = impact.customerShare + impact.revenueShare
    if (peak !== undefined && (peak.isGrave !== grave ? peak.isGrave : severity < peak.severity)) return
    if (symptoms.size === 0 && !grave) return
    const hosts = new Set(impact.hosts)
    const subjects = Array.from(symptoms, ({ subject }) => subject)
    const complaining = subjects.flatMap((subject) => (subject.kind === 'Customer' ? [subject.id] : []))
    for (const placement of this.#placements)
      for (const customer of [...impact.customers, ...complaining])
        for (const host of placement.get(customer) ?? []) hosts.add(host)
    const { customers } = impact
    this.#peaks.set(id, { at: this.#world.now, isGrave: grave, severity, subjects, hosts, customers })
  }

  #judge({ id, root, partOfId }: Incident): void {
    const whole = partOfId === null ? undefined : this.#lists.open.get(partOfId)?.root
    const named = root ?? whole ?? this.#roots.get(partOfId ?? id) ?? null
    this.#roots.set(id, named)
    const peak = this.#peaks.get(id)
    this.#peaks.delete(id)
    if (peak === undefined) return
    const isMerged = root === null && partOfId !== null
    const faults = named === null ? [] : this.#namedFaults(isMerged ? partOfId : id, named as Fault)
    const isTrue = faults.some((fault) => this.#isCauseOf(fault, peak))
    if (isMerged && named !== null && !isTrue) this.#counts.wrongMerges++
    if (!peak.isGrave) return
    if (named === null) this.#counts.unknownCauses++
    else if (isTrue) this.#counts.trueCauses++
    else this.#counts.falseCauses++
  }

  /** A confirmed cause names a kind and a part, and covers further such faults there until the incident is resolved. */
  #namedFaults(incidentId: number, named: Fault): Fault[] {
    const { active, ended } = this.#world.faults
    const isNamedToo = (fault: Fault): boolean =>
      fault.incidentId === incidentId && fault.kind === named.kind && sameTarget(fault.target, named.target)
    return [named, ...active.filter(isNamedToo), ...ended.filter(isNamedToo)]
  }

  #isCauseOf({ kind, target, began, ended }: Fault, { at, subjects, hosts, customers }: Peak): boolean {
    if (began > at + leadMax || (ended !== null && ended < at - aftermathMax)) return false
    const isAtSubject = (subject: Subject): boolean =>
      subject.kind === 'Zone' || kind === 'Attack' || kind === 'DemandSurge'
        ? shareZone(this.#world, subject, target)
        : sameTarget(subject, target) || isPortOfCable(this.#world, target, subject)
    if (target.kind === 'Customer' && customers.includes(target.id)) return true
    return subjects.some(isAtSubject) || hosts.values().some(this.#blastRadius.reachOf(target))
  }

  figures(): PostMortemFigures {
    return this.#counts
  }
}
