import { type EventRecord, eventWindow } from '../contract/collections.ts'
import { type ArgumentsOf, messageArguments, type MessageKey } from '../contract/messages/catalogue.ts'
import type { TotalsLedger } from '../contract/totals.ts'
import type { EntityKind, EventKind, Severity } from '../contract/vocabularies.ts'
import { type Micros, toNs } from './time.ts'

/** Announces what happens. `at_ns` is strictly increasing; the newest events are kept. */
export class EventLog {
  /** Oldest first. */
  readonly window: EventRecord[] = []
  newestEvictedNs = -1n
  emitted = 0
  private last: Micros = -1
  private readonly totals: TotalsLedger

  constructor(totals: TotalsLedger) {
    this.totals = totals
  }

  emit<K extends MessageKey>(
    now: Micros,
    kind: EventKind,
    severity: Severity,
    entity: { readonly kind: EntityKind; readonly id: number | null },
    key: K,
    given: ArgumentsOf<K>,
  ): void {
    this.last = Math.max(now, this.last + 1)
    this.window.push({
      at_ns: toNs(this.last),
      kind,
      msg_key: key,
      msg_args: messageArguments(key, given),
      severity,
      entity_kind: entity.kind,
      entity_id: entity.id,
    })
    this.emitted++
    this.totals.event(kind, severity)
    if (this.window.length > eventWindow) {
      const evicted = this.window.shift() as EventRecord
      this.newestEvictedNs = evicted.at_ns as bigint
    }
  }
}
