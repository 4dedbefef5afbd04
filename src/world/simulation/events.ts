import type { EventRecord } from '../../contract/collections.ts'
import { eventWindow } from '../../contract/collections.ts'
import type { ArgumentsOf, MessageKey } from '../../contract/messages/catalog.ts'
import { messageArguments } from '../../contract/messages/catalog.ts'
import type { TotalsLedger } from '../../contract/totals.ts'
import type { EntityKind, EventKind, Severity } from '../../contract/vocabularies.ts'
import type { Micros } from './time.ts'
import { toNs } from './time.ts'

interface EventLogState {
  /** The newest events, oldest first. */
  readonly window: EventRecord[]
  newestEvictedNs: bigint
  emitted: number
  lastAt: Micros
}

/** Whether an event names a cause, counts causes, or says when a fault was injected: a blind world has none of those. */
const isRevealing: Readonly<Record<EventKind, boolean>> = {
  WorldStarted: false,
  DayStarted: false,
  CustomerSigned: false,
  CustomerGrew: false,
  CustomerShrank: false,
  DemandChanged: false,
  CustomerComplained: false,
  ComplaintAnswered: false,
  CustomerOnProbation: false,
  CustomerReconciled: false,
  CustomerLeaving: false,
  CustomerLeft: false,
  ServiceUnplaced: false,
  ServicePlaced: false,
  ProspectArrived: false,
  ProspectExpired: false,
  PartFailed: false,
  PartRestored: false,
  PowerLost: false,
  PowerRestored: false,
  LinkSaturated: false,
  LinkRecovered: false,
  AttackStarted: true,
  AttackEnded: true,
  Breach: false,
  IncidentOpened: false,
  IncidentBandChanged: false,
  CauseConfirmed: true,
  IncidentResolved: false,
  WorkStarted: false,
  WorkBlocked: false,
  WorkFinished: false,
  QuestDone: true,
  QuestOpened: true,
  SlaCredited: false,
  ScenarioStep: true,
  CapacityOrdered: false,
  CapacityDelivered: false,
  CapacityAdded: false,
  CapacityRefused: false,
  HardwareRenewed: false,
  SalePlanned: false,
  SaleCalledOff: false,
  HardwareSold: false,
  StaffHired: false,
  StaffLeft: false,
  StaffTrained: false,
  ChapterBegan: false,
  ChapterContinued: false,
  WeatherChanged: false,
}

/** Records events. `at_ns` is strictly increasing: simultaneous events are a microsecond apart. */
export class EventLog {
  readonly #state: EventLogState = { window: [], newestEvictedNs: -1n, emitted: 0, lastAt: -1 }
  readonly #totals: TotalsLedger
  readonly #isBlind: boolean

  constructor(totals: TotalsLedger, isBlind = false) {
    this.#totals = totals
    this.#isBlind = isBlind
  }

  get state(): Readonly<EventLogState> {
    return this.#state
  }

  emit<K extends MessageKey>(
    now: Micros,
    kind: EventKind,
    severity: Severity,
    entity: { readonly kind: EntityKind; readonly id: number | null },
    key: K,
    args: ArgumentsOf<K>,
  ): void {
    if (this.#isBlind && isRevealing[kind]) return
    const state = this.#state
    state.lastAt = Math.max(now, state.lastAt + 1)
    state.window.push({
      at_ns: toNs(state.lastAt),
      kind,
      msg_key: key,
      msg_args: messageArguments(key, args),
      severity,
      entity_kind: entity.kind,
      entity_id: entity.id,
    })
    state.emitted++
    this.#totals.event(kind, severity)
    if (state.window.length > eventWindow) {
      const evicted = state.window.shift() as EventRecord
      state.newestEvictedNs = evicted.at_ns as bigint
    }
  }
}
