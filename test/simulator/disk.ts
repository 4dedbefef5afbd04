import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { unpacked } from '../../src/store/archive/record-body.ts'
import { fillWords } from '../../src/store/archive/word-index.ts'
import { openReadOnly } from '../../src/store/open-read-only.ts'
import { openSession, ownSessionFile } from '../../src/store/session-file.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'
import { eventsIn } from './world.ts'

const [pagesOfFull, pagesOfUsual] = [1, 2 ** 30]
const sharedMemory = '/dev/shm'

const diskFull = (): Error => Object.assign(new Error('database or disk is full'), { errcode: 13 })

/**
 * The disk with the file of a session. SQLite has no file system of its own here: a full one is a bound of its pages, and
 * a loss of power a copy that lacks an end of the log of changes, of which nothing is synced before it is copied back.
 */
export class Disk {
  readonly #folder: string | null
  readonly #random: SeededRandom
  #copies = 0
  #database: DatabaseSync | null = null
  #isFull = false
  #openedBytes = 0
  isSlow = false

  /** In memory if nothing is kept. */
  constructor(isKept: boolean, random: SeededRandom) {
    this.#random = random
    const parent = existsSync(sharedMemory) ? sharedMemory : tmpdir()
    this.#folder = isKept ? mkdtempSync(join(parent, 'dcsim-simulated-')) : null
    if (this.path !== null) ownSessionFile(this.path, fillWords).release()
  }

  get path(): string | null {
    return this.#folder === null ? null : join(this.#folder, `${this.#copies}.dcsim`)
  }

  readonly open = (path: string | null): DatabaseSync => {
    this.#openedBytes = path === null ? 0 : statSync(path).size
    const database = openSession(path)
    const execute = database.exec.bind(database)
    // A transaction may find its disk full at its end only.
    database.exec = (sql) => {
      if (sql === 'COMMIT' && this.#isFull && this.#random.oneIn(2)) throw diskFull()
      execute(sql)
    }
    this.#database = database
    this.setFull(this.#isFull)
    return database
  }

  setFull(isFull: boolean): void {
    this.#isFull = isFull
    if (this.#database?.isOpen === true)
      this.#database.exec(
        `PRAGMA max_page_count = ${isFull && this.#random.oneIn(2) ? pagesOfFull : pagesOfUsual}`,
      )
  }

  /** The thread that had the file open has ended. */
  release(): void {
    if (this.#database?.isOpen === true) this.#database.close()
  }

  /** Drops an end of the log, which has not been synced. Returns the events that are left, or a sentence about damage. */
  losePower(): ReadonlySet<string> | string {
    const [from, log] = [this.path!, `${this.path}-wal`]
    this.#copies++
    copyFileSync(from, this.path!)
    if (existsSync(log)) {
      copyFileSync(log, `${this.path}-wal`)
      // A file that has grown was synced after its log.
      if (statSync(from).size === this.#openedBytes)
        truncateSync(`${this.path}-wal`, this.#random.below(1 + statSync(log).size))
    }
    this.release()
    const { problem, release } = ownSessionFile(this.path!, fillWords)
    release()
    return problem ?? this.#events()
  }

  #events(): ReadonlySet<string> {
    const database = openReadOnly(this.path!)
    const rows = database.prepare(`SELECT body FROM record WHERE kind = 'event'`).all()
    database.close()
    const texts = rows.map(({ body }) => unpacked(body as Uint8Array).toString('latin1'))
    return new Set(texts.flatMap((text) => eventsIn(text).map((event) => event.join('#'))))
  }

  remove(): void {
    this.release()
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true })
  }
}
