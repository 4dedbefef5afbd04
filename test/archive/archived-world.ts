import type { ArchiveAnswer, ArchivedKind, ArchiveQuery } from '../../src/contract/archive.ts'
import { Archive } from '../../src/store/archive/archive.ts'
import { fillWords } from '../../src/store/archive/word-index.ts'
import type { FromArchive, ToArchive } from '../../src/store/archive/protocol.ts'
import type { EventRecord, IncidentRecord, WorkOrderRecord } from '../../src/contract/collections.ts'
import { EngineEventSchema, IncidentSchema, WorkOrderSchema } from '../../src/contract/records/operations.ts'
import type { Changes } from '../../src/encoding/frames/changes.ts'
import { ChangeBuilder } from '../../src/sources/change-builder.ts'
import { ownSessionFile } from '../../src/store/session-file.ts'
import type { OwnedFile } from '../../src/store/session-file.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'

export const minuteNs = 60_000_000_000n
/** Wall time of the beginning of the worlds of these tests. */
export const beganMs = Date.UTC(2026, 0, 1)

export const eventAt = (minute: number, given: Partial<EventRecord> = {}): EventRecord =>
  emptyRecord(EngineEventSchema, {
    at_ns: BigInt(minute) * minuteNs,
    kind: 'PartFailed',
    severity: 'Warning',
    msg_key: 'event.customer-reconciled',
    msg_args: [{ key: 'customer', text: `Customer of minute ${minute}`, number: 0, is_number: false }],
    ...given,
  })

/** An incident that opened at a minute, and is over at another. */
export const incidentOf = (
  id: number,
  opened: number,
  resolved: number | null,
  given: Partial<IncidentRecord> = {},
): IncidentRecord =>
  emptyRecord(IncidentSchema, {
    id,
    band: 'Major',
    symptom_kind: 'HighLatency',
    started_at_ns: BigInt(opened) * minuteNs,
    last_changed_at_ns: BigInt(resolved ?? opened) * minuteNs,
    resolved_at_ns: resolved === null ? null : BigInt(resolved) * minuteNs,
    ...given,
  })

export const orderOf = (id: number, incident: number, started: number, label: string): WorkOrderRecord =>
  emptyRecord(WorkOrderSchema, {
    id,
    incident_id: incident,
    kind_label: label,
    started_at_ns: BigInt(started) * minuteNs,
    resolved_at_ns: BigInt(started + 5) * minuteNs,
  })

interface Happened {
  readonly events?: readonly EventRecord[]
  readonly incidents?: IncidentRecord[]
  readonly resolved?: IncidentRecord[]
  readonly orders?: WorkOrderRecord[]
  readonly newestEvictedNs?: bigint
  /** Whether the world still warms up. */
  readonly isWarmUp?: boolean
}

/** A source whose simulated time runs 60 times as fast as the wall clock. */
export class FeedSource {
  readonly #builder = new ChangeBuilder()
  readonly #worldId: string | null
  readonly #seed: string

  constructor(worldId: string | null = 'w1', seed = '13') {
    this.#worldId = worldId
    this.#seed = seed
  }

  at(minute: number, told: Happened = {}): Changes {
    const {
      events = [],
      incidents = [],
      resolved = [],
      orders = [],
      newestEvictedNs = -1n,
      isWarmUp = false,
    } = told
    const simTimeNs = BigInt(minute) * minuteNs
    const parts = this.#builder.ofRecords({
      simTimeNs,
      newestEvictedNs,
      events,
      collections: { incidents, resolvedIncidents: resolved, workOrders: orders },
    })
    return {
      ...parts,
      worldId: this.#worldId,
      figures: { seed: this.#seed, scale: 'small', scenario: '', speed: 60 },
      wallMs: isWarmUp ? null : beganMs + minute * 1_000,
    }
  }
}

const wholeArchive: ArchiveQuery = {
  kind: 'incident',
  world: null,
  fromMs: null,
  toMs: null,
  text: '',
  incidents: null,
  limit: 1_000,
}

/** An archive in this thread, with what it posts. */
export class ArchiveHere {
  readonly clock = new FakeClock()
  readonly posted: FromArchive[] = []
  /** As tables read it. */
  readonly archive: Archive
  readonly #owned: OwnedFile | null

  constructor(path: string | null = null, bytesMax = 2 ** 28, wallMs = beganMs) {
    this.clock.wallOffsetMs = wallMs
    this.#owned = path === null ? null : ownSessionFile(path, fillWords)
    this.archive = new Archive({
      path: this.#owned?.path ?? null,
      session: 'test',
      bytesMax,
      isBlind: false,
      clock: this.clock,
      post: (message) => this.posted.push(message),
    })
  }

  tell(changes: Changes): void {
    this.archive.receive({ kind: 'changes', changes })
  }

  ask(query: Partial<ArchiveQuery> = {}): ArchiveAnswer {
    const answer = this.answer(query)
    if (answer === null) throw new Error('The archive has no such world.')
    return answer
  }

  /** Null if it has no such world. */
  answer(query: Partial<ArchiveQuery>): ArchiveAnswer | null {
    return this.archive.read({ ...wholeArchive, ...query })
  }

  worlds() {
    return this.archive.worlds()
  }

  /** The numbers of what is found. */
  ids(query: Partial<ArchiveQuery> = {}): number[] {
    return this.ask(query).found.map(({ id }) => Number(id))
  }

  /** The minutes of the events that are found. */
  minutes(query: Partial<ArchiveQuery> = {}): number[] {
    return this.ask({ kind: 'event', ...query }).found.map(({ id }) => Number(id / minuteNs))
  }

  records({
    kind = 'incident',
    ...query
  }: Partial<Omit<ArchiveQuery, 'kind'> & { kind: ArchivedKind }> = {}): Record<string, unknown>[] {
    const records: readonly object[] =
      kind === 'day'
        ? this.archive.days({ ...wholeArchive, ...query })
        : this.ask({ kind, ...query }).found.map(({ record }) => record)
    return records as Record<string, unknown>[]
  }

  notes(): string[] {
    const opening = this.#owned?.problem ?? null
    const later = this.posted.flatMap((message) => (message.kind === 'note' ? [message.message] : []))
    return opening === null ? later : [opening, ...later]
  }

  learn(found: Extract<ToArchive, { kind: 'entities' }>['found']): void {
    this.archive.receive({ kind: 'entities', found })
  }

  close(): void {
    this.archive.receive({ kind: 'close' })
    this.#owned?.release()
  }
}
