import { bands } from '../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import type { IncidentView, WorldState } from '../state.ts'
import { day, type Micros, second } from '../time.ts'
import { hintFor, hintTierAt } from './advice.ts'
import { causeWording, nameOfSubject, symptomKindOf, symptomWording } from './announcements.ts'
import { type Belonging, createBelonging, isCulprit, isFortune } from './belonging.ts'
import type { Symptom } from './board.ts'
import { type Case, touch } from './case.ts'
import type { Instruments } from './check.ts'
import type { Domains } from './domain.ts'
import { announceOpened, announceResolved, announceSymptom } from './incident-events.ts'
import { together, zonesOfSubject } from './kinship.ts'
import { leading, reason, suspect } from './reasoning.ts'
import { fleetRevenueOf, nothingAtStake, type Stake, stakeOf } from './stakes.ts'
import { customerOf } from './suspects.ts'
import { nameOf } from './targets.ts'
import { note } from './timeline.ts'

/** Resolved incidents are kept this long, and at most so many. */
const resolvedKeptFor: Micros = day
export const resolvedKeptMost = 500
/** Of one signal in one zone at one poll, so many are placed one by one; the rest follow the last of them. */
const placedSingly = 12
/** Customers whose fortunes are looked at anew at one poll; the others have their turn at the next. */
const reconsideredMost = 40
const toldSingly = 3
/** Symptoms of an incident for which a reason is looked for elsewhere, and how far one must explain them. */
const lookedBehindMost = 12
const barely = 0.1

/** The incidents: which symptoms belong together, and what became of them. */
export class Casebook {
  /** By id, ascending. */
  readonly open = new Map<number, Case>()
  readonly views = new Map<number, IncidentView>()
  /** Those resolved lately, in the order of their resolution. */
  readonly resolved: Case[] = []
  opened = 0
  private threads = 0
  /** At the last poll. */
  private fleetRevenue = 0
  private readonly state: WorldState
  private readonly domains: Domains
  private readonly instruments: Instruments
  private readonly belonging: Belonging
  /** How customers fare who may fare so for another reason than was thought. */
  private readonly doubtful = new Set<Symptom>()
  private readonly bias: RandomStream

  constructor(state: WorldState, domains: Domains, instruments: Instruments) {
    this.state = state
    this.domains = domains
    this.instruments = instruments
    this.belonging = createBelonging(state, domains)
    this.bias = state.random.stream('incidents.bias')
  }

  /** Takes in what monitoring tells now: each symptom goes to the incident it belongs to, or opens one. */
  take(symptoms: readonly Symptom[]): void {
    this.fleetRevenue = fleetRevenueOf(this.state)
    this.dropOld()
    this.doubt(symptoms)
    const fresh = new Set<Case>()
    const crowds = new Map<string, { placed: number; last: Case }>()
    for (const symptom of symptoms) {
      const crowd = `${symptom.signal} ${zonesOfSubject(this.state, symptom.subject).join()}`
      const before = crowds.get(crowd)
      const beyond = before !== undefined && before.placed >= placedSingly
      const at = beyond ? before.last : (this.placeOf(symptom) ?? this.begin(symptom, fresh))
      crowds.set(crowd, { placed: (before?.placed ?? 0) + 1, last: at })
      this.join(at, symptom)
      if (isFortune(symptom) && this.open.size > 1) this.doubtful.add(symptom)
    }
    for (const at of fresh) this.announce(at)
    this.reconsider()
  }

  /** What is left of an incident whose cause has ended belongs to others, or becomes one of its own. */
  part(from: Case): Case[] {
    const rest = [...from.symptoms]
    from.symptoms.clear()
    from.known.clear()
    const fresh = new Set<Case>()
    const heirs = new Set<Case>()
    let left: Case | null = null
    for (const symptom of rest) {
      // Whatever is behind it now may have come at any time.
      symptom.turned = this.state.now
      let at: Case | null =
        this.placeOf(symptom) ?? this.belonging.knownReasonFor(symptom, this.open.values()) ?? left
      if (at === null) {
        at = this.begin(symptom, fresh)
        left = at
        for (const key of from.announced) at.announced.add(key)
      }
      heirs.add(at)
      this.join(at, symptom, 'known already')
    }
    for (const at of fresh) this.announce(at)
    return [...heirs]
  }

  /**
   * Keeps in mind another incident of which the cause is known and may explain what customers feel in this one, where
   * nothing else is seen that does.
   */
  lookBehind(at: Case): void {
    if (at.symptoms.values().some(isCulprit)) return
    for (const symptom of at.symptoms.values().take(lookedBehindMost)) {
      const known = this.belonging.knownReasonFor(symptom, this.open.values(), barely)
      if (known === null) continue
      at.behind = known
      return
    }
  }

  /** What an incident shows comes from what another one has been found to come from: it is a part of that one. */
  merge(from: Case, into: Case): void {
    const rest = [...from.symptoms]
    from.symptoms.clear()
    from.known.clear()
    for (const symptom of rest) this.join(into, symptom, 'known already')
    from.partOf = into.id
    note(this.state, from, 'EvidenceFound', `All of it comes from what is behind incident ${into.id}`)
    touch(from, this.state.now)
  }

  /** Something new may be behind what customers have felt since it can have begun, and so may something known. */
  private doubt(symptoms: readonly Symptom[]): void {
    const { now } = this.state
    const culprit = symptoms.some(isCulprit)
    if (this.open.size + (culprit ? 1 : 0) < 2) return
    for (const at of this.open.values()) {
      for (const symptom of at.symptoms) {
        const turnedAt = symptom.turned === now || (culprit && now - symptom.turned <= together)
        if (turnedAt && isFortune(symptom)) this.doubtful.add(symptom)
      }
    }
  }

  /** What customers feel is counted where it comes from, as far as can be seen now. */
  private reconsider(): void {
    const moves = new Map<
      string,
      { readonly from: Case; readonly to: Case; customers: number; first: string }
    >()
    for (const symptom of this.doubtful.values().take(reconsideredMost).toArray()) {
      this.doubtful.delete(symptom)
      const from = symptom.case
      if (from === null || !from.symptoms.has(symptom)) continue
      const to = this.belonging.betterPlaceOf(symptom, this.open.values())
      if (to === null) continue
      from.symptoms.delete(symptom)
      this.join(to, symptom, 'known already')
      const way = `${from.id} ${to.id}`
      const move = moves.get(way)
      const first = move?.first ?? nameOfSubject(this.state, symptom.subject)
      moves.set(way, { from, to, customers: (move?.customers ?? 0) + 1, first })
    }
    for (const { from, to, customers, first } of moves.values()) {
      const who = customers === 1 ? first : `${first} and of others`
      note(this.state, from, 'EvidenceFound', `What users of ${who} feel now comes from incident ${to.id}`)
      if (from.symptoms.size === 0) from.partOf = to.id
    }
  }

  /** Brings hint, suspect, zones and thread up to date. */
  refresh(at: Case): void {
    const { state } = this
    const first = leading(at)
    const tier = at.root === null ? hintTierAt(state.now - at.opened) : 3
    if (tier !== at.hintTier || at.version !== at.hintedVersion) {
      const hint = this.hintOf(at, tier)
      if (tier !== at.hintTier || hint !== at.hint) touch(at, state.now)
      at.hintTier = tier
      at.hint = hint
      at.hintedVersion = at.version
    }
    at.view.suspect = first?.target ?? null
    if (at.thread === null && at.view.band !== 'Watch') {
      at.thread = ++this.threads
      touch(at, state.now)
    }
    if (at.view.workOrderIds.length !== at.ordersShown) {
      at.ordersShown = at.view.workOrderIds.length
      touch(at, state.now)
    }
  }

  stakeOf(at: Case): Stake {
    return stakeOf(this.state, this.domains, at.symptoms, this.fleetRevenue)
  }

  /** It is over; from now on it shows what it was at its worst. */
  close(at: Case): void {
    const { state } = this
    at.resolved = state.now
    at.stake = at.worst
    at.view.band = at.highest
    this.open.delete(at.id)
    this.views.delete(at.id)
    this.resolved.push(at)
    note(state, at, 'Resolved', endingOf(at))
    const seconds = (state.now - at.opened) / second
    state.totals.incidentResolved(at.highest, at.view.rootKind, seconds)
    announceResolved(state, at)
  }

  private placeOf(symptom: Symptom): Case | null {
    return this.belonging.placeOf(symptom, this.open.values())
  }

  private begin(symptom: Symptom, fresh: Set<Case>): Case {
    const { state } = this
    const { key, args, text } = symptomWording(state, symptom)
    const id = ++this.opened
    const view: IncidentView = {
      id,
      opened: state.now,
      band: 'Watch',
      confirmed: false,
      rootKind: 'Unknown',
      revenueAtRiskPerHour: 0,
      suspect: null,
      zones: [],
      workOrderIds: [],
    }
    const at: Case = {
      id,
      opened: state.now,
      headline: { kind: symptomKindOf(symptom), key, args, text, customerId: customerOf(symptom.subject) },
      view,
      symptoms: new Set(),
      known: new Set(),
      causes: [],
      ruledOut: [],
      timeline: [],
      stake: nothingAtStake,
      worst: nothingAtStake,
      customersTold: 0,
      symptomsTold: new Map(),
      highest: bands[0],
      bandSeen: new Map(),
      quietSince: null,
      hintTier: 0,
      hint: null,
      hintedVersion: -1,
      root: null,
      behind: null,
      partOf: null,
      ordersShown: 0,
      thread: null,
      announced: new Set(),
      version: 0,
      lastChanged: state.now,
      resolved: null,
    }
    this.open.set(id, at)
    this.views.set(id, view)
    fresh.add(at)
    note(state, at, 'Opened', text)
    return at
  }

  private join(at: Case, symptom: Symptom, how?: 'known already'): void {
    const { state } = this
    symptom.case = at
    at.partOf = null
    if (at.known.size > 0 && !at.known.has(symptom.key)) this.tell(at, symptom)
    at.symptoms.add(symptom)
    at.known.add(symptom.key)
    at.quietSince = null
    if (at.root === null) suspect(state, at, symptom, this.bias)
    const further = zonesOfSubject(state, symptom.subject).filter((zone) => !at.view.zones.includes(zone))
    if (further.length > 0) setZones(at.view, [...at.view.zones, ...further])
    if (how === undefined) announceSymptom(state, at, symptom)
    touch(at, state.now)
  }

  /** Of many symptoms of one kind, the timeline tells the first few, and that there are more. */
  private tell(at: Case, symptom: Symptom): void {
    const told = (at.symptomsTold.get(symptom.signal) ?? 0) + 1
    at.symptomsTold.set(symptom.signal, told)
    if (told > toldSingly + 1) return
    const { text } = symptomWording(this.state, symptom)
    note(this.state, at, 'SymptomSeen', told > toldSingly ? `${text} And more like it.` : text)
  }

  /** A new incident is weighed, counted, told, and somebody is sent. */
  private announce(at: Case): void {
    const { state } = this
    at.stake = this.stakeOf(at)
    at.view.band = at.stake.band
    at.bandSeen.set(at.stake.band, state.now)
    at.highest = at.stake.band
    at.worst = at.stake
    at.customersTold = at.stake.customers.length
    at.view.revenueAtRiskPerHour = at.stake.revenueAtRiskPerHour
    reason(state, at, this.instruments)
    this.refresh(at)
    state.totals.incidentOpened(at.view.band, at.headline.kind)
    announceOpened(state, at)
    const order = state.work.orderForIncident(at.view)
    if (!at.view.workOrderIds.includes(order)) at.view.workOrderIds.push(order)
    this.refresh(at)
  }

  private hintOf(at: Case, tier: number): string | null {
    const { state } = this
    const first = leading(at)
    if (first === null) return tier === 0 ? null : hintFor(1, 'Unknown', '', '')
    const claim = causeWording(state, first.kind, first.target).text
    if (at.root !== null) return `${claim} The work orders tell how its repair goes.`
    return hintFor(tier, first.kind, nameOf(state, first.target), claim)
  }

  private dropOld(): void {
    const { now } = this.state
    let old = Math.max(0, this.resolved.length - resolvedKeptMost)
    while (old < this.resolved.length && now - this.resolved[old].resolved! > resolvedKeptFor) old++
    if (old > 0) this.resolved.splice(0, old)
  }
}

function endingOf({ root, partOf }: Case): string {
  if (root !== null) return 'Its consequences have ended'
  return partOf === null ? 'Over without anybody knowing why' : `It was part of incident ${partOf}`
}

/** Zone rows, ascending, in a new list. */
function setZones(view: IncidentView, zones: readonly number[]): void {
  ;(view as { zones: readonly number[] }).zones = zones.toSorted((a, b) => a - b)
}
