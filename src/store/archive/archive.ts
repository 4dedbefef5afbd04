import type { DatabaseSync } from 'node:sqlite'
import { archivedKinds, ArchiveUnavailable } from '../../contract/archive.ts'
import type {
  ArchiveAnswer,
  ArchivedKind,
  ArchivedWorld,
  ArchiveFigures,
  ArchiveQuery,
  ChronicleDay,
  DayQuery,
} from '../../contract/archive.ts'
import type { Clock } from '../../contract/clock.ts'
import type { Changes } from '../../encoding/frames/changes.ts'
import { ArchiveReader } from './archive-reader.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { DayWriter } from './day-writer.ts'
import { learnNames, unnamedEntities } from './mentioned-entities.ts'
import type { FoundEntity } from './mentioned-entities.ts'
import type { ArchiveData, FromArchive, ToArchive } from './protocol.ts'
import { expire, recordedBytes, usedBytes } from './retention.ts'
import { hideGameDays } from '../game-day-rows.ts'
import { openMs } from '../schema.ts'
import { openSession } from '../session-file.ts'
import { isConstraint, isDamage, isSqliteError, sqliteErrorText } from '../sqlite-error.ts'
import { fillWords } from './word-index.ts'

/** The interval of checks whether records have to go. */
const expiryIntervalMs = 10_000
/** The interval at which the size and the number of rows are read. */
const figuresIntervalMs = 5_000

export interface ArchiveOptions extends ArchiveData {
  readonly clock: Clock
  readonly open?: typeof openSession
  readonly post: (message: FromArchive) => void
}

/** The archive, in one thread. Others have connections of their own to the file. */
export class Archive {
  readonly #options: ArchiveOptions
  readonly #database: DatabaseSync
  readonly #writer: ArchiveWriter
  readonly #reader: ArchiveReader
  readonly #recordedBytes: number
  /** Whether the index of words was made again, which is done once. */
  #hasMended = false
  #errors = 0
  /** The reason of the last failure; null after a success. */
  #failure: string | null = null
  #figures: ArchiveFigures = {
    rows: { event: 0, incident: 0, order: 0, day: 0 },
    bytes: 0,
    oldestSeconds: null,
    errors: 0,
  }
  #countedMs = -Infinity
  #stopTimer: () => void = () => {}

  constructor(options: ArchiveOptions) {
    this.#options = options
    const { path, session, clock, isBlind, open = openSession } = options
    this.#database = open(path)
    hideGameDays(this.#database)
    this.#recordedBytes = recordedBytes(this.#database)
    this.#writer = new ArchiveWriter(this.#database, session, clock.wallMs)
    this.#reader = new ArchiveReader(this.#database, new DayWriter(this.#database), isBlind)
    this.#expireLater()
  }

  receive(message: ToArchive): void {
    if (message.kind === 'changes') this.#write(message.changes)
    else if (message.kind === 'entities') this.#learn(message.found)
    else this.#close()
  }

  #note(message: string): void {
    this.#errors++
    this.#options.post({ kind: 'note', isProblem: true, message })
  }

  #write(changes: Changes): void {
    const { post } = this.#options
    const isStored = this.#guard(() => this.#unlessDamaged(() => this.#writer.write(changes)))
    if (isStored) {
      if (this.#failure !== null)
        post({ kind: 'note', isProblem: false, message: 'The archive is written again.' })
      this.#failure = null
      if (changes.wallMs !== null) this.#guard(() => this.#askForNames())
    }
    post({ kind: 'stored', figures: this.#currentFigures() })
  }

  #askForNames(): void {
    if (!this.#writer.hasUnnamed) return
    const entities = unnamedEntities(this.#database, this.#world)
    this.#writer.hasUnnamed = entities.length > 0
    if (this.#writer.hasUnnamed) this.#options.post({ kind: 'want', entities })
  }

  #learn(found: readonly FoundEntity[]): void {
    this.#guard(() => learnNames(this.#database, this.#world, found))
  }

  /** The number of the current world; 0 before there is one. */
  get #world(): number {
    return this.#writer.world?.number ?? 0
  }

  /** Null if there is no such world. Throws `ArchiveUnavailable` if the database cannot be read. */
  read(query: ArchiveQuery): ArchiveAnswer | null {
    return this.#answer((world) => this.#reader.answer(query, world))
  }

  days(query: DayQuery): readonly ChronicleDay[] {
    return this.#answer((world) => this.#reader.days(query, world))
  }

  worlds(): readonly ArchivedWorld[] {
    return this.#answer((world) => this.#reader.worlds(world))
  }

  #answer<T>(read: (world: ArchiveWriter['world']) => T): T {
    try {
      return this.#unlessDamaged(() => read(this.#writer.world))
    } catch (error) {
      if (!isSqliteError(error)) throw error
      this.#errors++
      throw new ArchiveUnavailable(`The archive cannot be read: ${sqliteErrorText(error)}.`)
    }
  }

  /** Makes the index of words again, and tries again: SQLite does not find all damage to it when it checks a file. */
  #unlessDamaged<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (this.#hasMended || !(isConstraint(error) || isDamage(error))) throw error
      this.#hasMended = true
      fillWords(this.#database)
      this.#note('The index of words was damaged, and is made again from the records.')
      return work()
    }
  }

  /** Returns whether it succeeded. */
  #guard(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#fail(error)
      return false
    }
  }

  /** Errors of the database are expected: disks fill up and fail. Any other is a bug and ends the thread. */
  #fail(error: unknown): void {
    if (!isSqliteError(error)) throw error
    this.#errors++
    this.#shortenLog()
    const reason = sqliteErrorText(error)
    if (reason === this.#failure) return
    this.#failure = reason
    this.#note(`The archive cannot be written: ${reason}. It is tried again; what it has is kept.`)
  }

  /** On a full disk, the log of changes may take the room that the database needs. */
  #shortenLog(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The reason of the failure stands.
    }
  }

  #currentFigures(): ArchiveFigures {
    const nowMs = this.#options.clock.nowMs()
    const errors = this.#errors + this.#writer.invalid + this.#reader.damaged
    if (nowMs - this.#countedMs < figuresIntervalMs) return { ...this.#figures, errors }
    this.#countedMs = nowMs
    this.#guard(() => {
      this.#figures = { ...this.#counted(), errors }
    })
    return this.#figures
  }

  #counted(): Omit<ArchiveFigures, 'errors'> {
    const count = this.#database.prepare('SELECT count(*) AS count FROM record WHERE kind = ?')
    const rows = Object.fromEntries(
      archivedKinds.map((kind) => [kind, (count.get(kind) as { count: number }).count]),
    ) as Record<ArchivedKind, number>
    const { oldest } = this.#database
      .prepare('SELECT min(to_ms) AS oldest FROM record WHERE to_ms < ?')
      .get(openMs) as { oldest: number | null }
    const bytes = usedBytes(this.#database) - this.#recordedBytes
    return { rows, bytes, oldestSeconds: oldest === null ? null : oldest / 1_000 }
  }

  #expireLater(delayMs = expiryIntervalMs): void {
    const { clock, bytesMax } = this.#options
    this.#stopTimer = clock.after(delayMs, () => {
      let isMore = false
      this.#guard(() => {
        isMore = expire(this.#database, bytesMax + this.#recordedBytes, this.#world)
      })
      this.#expireLater(isMore ? 0 : expiryIntervalMs)
    })
  }

  #close(): void {
    this.#guard(() => this.#writer.close())
    this.abandon()
    this.#options.post({ kind: 'closed' })
  }

  /** Lets go of the file after a fault. */
  abandon(): void {
    this.#stopTimer()
    this.#guard(() => this.#database.close())
  }
}
