import type { DatabaseSync } from 'node:sqlite'
import { archivedKinds } from '../contract/archive.ts'
import { ArchiveUnavailable } from '../contract/archive.ts'
import type {
  ArchiveAnswer,
  ArchivedKind,
  ArchivedWorld,
  ArchiveFigures,
  ArchiveQuery,
  ChronicleDay,
  DayQuery,
} from '../contract/archive.ts'
import type { Clock } from '../contract/clock.ts'
import type { Story } from '../encoding/frames/story.ts'
import { isDamage, openArchive, openMs, replaceArchive, sqliteCode, sqliteErrorText } from './archive-file.ts'
import type { OpenedArchive } from './archive-file.ts'
import { ArchiveReader } from './archive-reader.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { DayWriter } from './day-writer.ts'
import type { ArchiveData, FromArchive, ToArchive } from './protocol.ts'
import { expire, usedBytes } from './retention.ts'
import { WantedEntities } from './wanted-entities.ts'

/** The interval of checks whether records have to go. */
const expiryIntervalMs = 10_000
/** The interval at which the size and the number of rows are read. */
const figuresIntervalMs = 5_000

export interface ArchiveOptions extends ArchiveData {
  readonly clock: Clock
  readonly post: (message: FromArchive) => void
}

/** The archive, in the thread that alone touches the database. */
export class Archive {
  readonly #options: ArchiveOptions
  #path: string | null = null
  #database!: DatabaseSync
  #writer!: ArchiveWriter
  #reader!: ArchiveReader
  #wanted!: WantedEntities
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
  #lastStory: Story | null = null
  #stopTimer: () => void = () => {}

  constructor(options: ArchiveOptions) {
    this.#options = options
    this.#use(openArchive(options.path))
    this.#expireLater()
  }

  receive(message: ToArchive): void {
    if (message.kind === 'story') this.#write(message.story)
    else if (message.kind === 'entities') this.#guard(() => this.#wanted.learn(message.found))
    else this.#close()
  }

  #use({ database, path, problem }: OpenedArchive): void {
    this.#path = path
    this.#database = database
    this.#wanted = new WantedEntities(database)
    this.#writer = new ArchiveWriter(database, this.#options.session, this.#wanted)
    this.#reader = new ArchiveReader(database, new DayWriter(database), this.#options.isBlind)
    if (problem !== null) this.#note(problem)
  }

  #note(message: string): void {
    this.#errors++
    this.#options.post({ kind: 'note', isProblem: true, message })
  }

  #write(story: Story): void {
    const { post } = this.#options
    this.#lastStory = story
    if (this.#guard(() => this.#writer.write(story))) {
      if (this.#failure !== null)
        post({ kind: 'note', isProblem: false, message: 'The archive is written again.' })
      this.#failure = null
      if (story.wallMs !== null) {
        const entities = this.#wanted.ask()
        if (entities.length > 0) post({ kind: 'want', entities })
      }
    }
    post({ kind: 'told', figures: this.#currentFigures() })
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
      if (sqliteCode(error) === 0) throw error
      this.#errors++
      throw new ArchiveUnavailable(`The archive cannot be read: ${sqliteErrorText(error)}.`)
    }
  }

  /** Reads again, from a new file, if the file turns out to be damaged. */
  #unlessDamaged<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (!isDamage(error) || this.#path === null) throw error
      this.#fail(error)
      return read()
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
    if (sqliteCode(error) === 0) throw error
    this.#errors++
    if (isDamage(error) && this.#path !== null) {
      this.#replace(this.#path, error as Error)
      return
    }
    this.#shortenLog()
    const reason = sqliteErrorText(error)
    if (reason === this.#failure) return
    this.#failure = reason
    this.#note(`The archive cannot be written: ${reason}. It is tried again; what it has is kept.`)
  }

  /** The new file begins with what was told last. */
  #replace(path: string, damage: Error): void {
    const before = this.#writer
    this.#database.close()
    this.#use(replaceArchive(path, damage))
    if (this.#lastStory === null) return
    this.#writer.adopt(before)
    const story = { ...this.#lastStory, events: null, collections: {} }
    this.#guard(() => this.#writer.write(story))
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
    return { rows, bytes: usedBytes(this.#database), oldestSeconds: oldest === null ? null : oldest / 1_000 }
  }

  #expireLater(delayMs = expiryIntervalMs): void {
    const { clock, retention } = this.#options
    this.#stopTimer = clock.after(delayMs, () => {
      let isMore = false
      this.#guard(() => {
        isMore = expire(this.#database, retention, clock.wallMs())
      })
      this.#expireLater(isMore ? 0 : expiryIntervalMs)
    })
  }

  #close(): void {
    this.#stopTimer()
    this.#guard(() => this.#database.close())
    this.#options.post({ kind: 'closed' })
  }
}
