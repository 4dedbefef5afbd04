/**
 * Worlds at the end of their warm-up, so that only the first start simulates it: one that comes with the program,
 * and those of earlier starts in a folder that may be emptied at any time. A file is named by all that a world follows
 * from, and is complete under its name: processes that share a folder need no lock.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { nsPerSecond } from '../../contract/time-units.ts'
import type { Clock } from '../../contract/clock.ts'
import type { SessionReport } from '../../contract/session-report.ts'
import { writeErrorText } from '../../files/system-error.ts'
import { readWarmUpFile, writeWarmUpFile } from '../../store/warm-up-file.ts'
import { StateError } from '../../store/world-state.ts'
import { durationText } from '../../text/duration.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import type { ChangeParts } from '../change-builder.ts'
import type { CacheSpec } from './simulation-spec.ts'
import { decodeWarmUpChanges } from './warm-up-changes.ts'
import type { WarmUpChanges } from './warm-up-changes.ts'
import { decodeSections, encodeSections, stateSections } from './saved-session.ts'
import type { SavedState } from './saved-session.ts'
import { worldDigest } from './world-digest.ts'
import type { SessionState } from './world-keeper.ts'

const cachedFilesMax = 32
const cachedBytesMax = 512 * 2 ** 20
/** A warm-up that took less is simulated again. */
const keptFromMs = 250
/** A process that is killed leaves the file that it was writing. */
const unfinishedAgeMaxMs = 3_600_000

const cachedName = /^[0-9a-f]{32}\.dcsim(?:\.[0-9a-f]{8}\.tmp)?$/

/** The executable has it made, as its threads read no files of the program. */
const codeDigest = (): string =>
  isSea() ? getAsset('world-digest', 'utf8') : worldDigest(new URL('../../', import.meta.url))

/** Names a world by all that it follows from. */
function keyOf({ identity }: CacheSpec, warmupNs: bigint): string {
  const world = JSON.stringify([codeDigest(), identity, String(warmupNs)])
  return createHash('sha256').update(world).digest('hex').slice(0, 32)
}

/** A world at the end of its warm-up. */
interface CachedWarmUp extends SavedState {
  /** The changes of the warm-up, for an archive. */
  readonly warmUpChanges: readonly ChangeParts[]
  /** Called where the world turns out not to be one of this program. */
  readonly discard: (reason: string) => void
}

interface CacheOptions {
  readonly spec: CacheSpec
  readonly warmupNs: bigint
  readonly clock: Clock
  readonly report: (report: SessionReport) => void
}

export class WarmUpCache {
  readonly #options: CacheOptions
  readonly #beganMs: number
  #key = ''

  constructor(options: CacheOptions) {
    this.#options = options
    this.#beganMs = options.clock.nowMs()
  }

  /** The world at the end of its warm-up, if it is kept. */
  find(): CachedWarmUp | null {
    const { spec, warmupNs } = this.#options
    const { folder, shipped } = spec
    this.#key = keyOf(spec, warmupNs)
    return this.#read(shipped, () => {}) ?? this.#read(folder, (path) => rmSync(path, { force: true }))
  }

  #read(folder: string, remove: (path: string) => void): CachedWarmUp | null {
    const path = join(folder, `${this.#key}.dcsim`)
    const discard = (reason: string): void => {
      this.#note(`${path} is not used: ${reason}. The world simulates its warm-up.`)
      ignoringErrors(() => remove(path))
    }
    try {
      const file = readWarmUpFile(path, [...stateSections, 'changes'])
      if (file === null) return null
      const { head, sections } = file
      if (head.version !== this.#key) throw new StateError('it is of another world')
      const seconds = this.#options.clock.wallMs() / 1_000
      ignoringErrors(() => utimesSync(path, seconds, seconds))
      return { ...decodeSections(sections), warmUpChanges: decodeWarmUpChanges(sections.changes), discard }
    } catch (error) {
      discard((error as Error).message)
      return null
    }
  }

  /** Keeps a world that has just simulated its warm-up. Its bytes are made before this returns. */
  async keep(world: BuiltInWorld, state: () => SessionState, changes: WarmUpChanges): Promise<void> {
    const { spec, clock } = this.#options
    const { folder, identity } = spec
    const warmUpChanges = changes.encode()
    const { cursor } = world.actions.state
    // Actions are those of a session. Few worlds have any before their warm-up ends, and these are not kept.
    if (clock.nowMs() - this.#beganMs < keptFromMs || warmUpChanges === null || cursor.taken > 0) return
    const { rings, simTimeNs } = state()
    const { seen } = cursor
    cursor.seen = null
    const sections = { ...encodeSections(world.savedWorld(), rings), changes: warmUpChanges }
    cursor.seen = seen
    if (Object.values(sections).reduce((sum, { length }) => sum + length, 0) > cachedBytesMax) return
    const path = join(folder, `${this.#key}.dcsim`)
    const head = { ...identity, version: this.#key, worldId: '', publishSeq: 0, simTimeNs }
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await writeWarmUpFile(path, head, sections, `${path}.${randomBytes(4).toString('hex')}.tmp`)
      makeRoom(folder, clock.wallMs())
      const span = durationText(Number(simTimeNs / nsPerSecond))
      this.#note(`The first ${span} of this world are kept in ${folder}: its next start continues there.`)
    } catch (error) {
      this.#note(
        `The warm-up is not kept: ${folder}: ${writeErrorText(path, error)}. --cache names another folder.`,
      )
    }
  }

  #note(message: string): void {
    this.#options.report({ kind: 'note', isProblem: false, message })
  }
}

/** Removes what was not used for longest, beyond the bounds. Others may do the same. */
export function makeRoom(folder: string, wallMs: number): void {
  const files = readdirSync(folder)
    .filter((name) => cachedName.test(name))
    .flatMap((name) => {
      const path = join(folder, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats === undefined ? [] : [{ path, bytes: stats.size, usedMs: stats.mtimeMs }]
    })
    .toSorted((one, other) => other.usedMs - one.usedMs)
  let [count, bytes] = [0, 0]
  for (const file of files) {
    if (file.path.endsWith('.tmp')) {
      if (wallMs - file.usedMs > unfinishedAgeMaxMs) rmSync(file.path, { force: true })
      continue
    }
    count++
    bytes += file.bytes
    if (count > cachedFilesMax || bytes > cachedBytesMax) rmSync(file.path, { force: true })
  }
}

function ignoringErrors(work: () => void): void {
  try {
    work()
  } catch {
    // The folder may be read-only, or be emptied at the same time.
  }
}
