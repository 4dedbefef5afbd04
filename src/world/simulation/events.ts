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

/** Events that name a cause, count causes, or say when a fault was injected: a blind world has none. */
const revealingKinds: ReadonlySet<EventKind> = new Set<EventKind>([
  'CauseConfirmed',
  'ScenarioStep',
  'AttackStarted',
  'AttackEnded',
  'QuestDone',
  'QuestOpened',
])

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
    if (this.#isBlind && revealingKinds.has(kind)) return
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
