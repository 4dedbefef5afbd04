import { closeSync, realpathSync, statSync, unlinkSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Clock } from '../../contract/clock.ts'
import { openRegularFile, readTextFile, writeAll } from '../../files/regular-file.ts'
import { errorCode, systemErrorText, writeErrorText } from '../../files/system-error.ts'
import { processClock } from '../../process-clock.ts'
import { RecordingError } from '../../recording/recording-error.ts'

interface LockOwner {
  readonly pid: number
  readonly host: string
}

const heartbeatMs = 15_000
/** A lock that was refreshed within this long is held. */
const heartbeatAgeMaxMs = 8 * heartbeatMs
/** A lock without a heartbeat for this long was left behind, whichever host its owner runs on. */
const silenceMs = heartbeatMs + 5_000
/** Two processes that find the same stale lock may both try to replace it. */
const attemptsMax = 3
const lockBytesMax = 4_096

interface Acquisition {
  /** The activity of a process that holds the lock, for the error. */
  readonly activity?: string
  readonly clock?: Clock
  /** Logs why it takes long. */
  readonly log?: (line: string) => void
}

/** Another process holds the lock. */
export class LockHeldError extends RecordingError {}

/**
 * Advisory lock on a file: FILE.lock beside it names the owner. A lock is stale once its owner has ended on this host,
 * or has stopped refreshing it: process ids mean nothing on another host or in another container.
 */
export class FileLock {
  readonly #path: string
  readonly #content: string
  readonly #clock: Clock
  readonly #heartbeat: NodeJS.Timeout

  private constructor(path: string, content: string, clock: Clock) {
    this.#path = path
    this.#content = content
    this.#clock = clock
    this.#heartbeat = setInterval(() => this.#refresh(), heartbeatMs).unref()
  }

  /** Rejects with an error that names the owner where another process holds the lock. */
  static async acquire(file: string, acquisition: Acquisition = {}): Promise<FileLock> {
    const { activity = 'is recording to it', clock = processClock, log = () => {} } = acquisition
    const path = `${resolvedPath(file)}.lock`
    const content = JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockOwner)
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      try {
        createFile(path, content)
        return new FileLock(path, content, clock)
      } catch (error) {
        if (errorCode(error) !== 'EEXIST')
          throw new RecordingError(`Cannot create ${path}: ${writeErrorText(path, error)}.`)
      }
      if (await isStale(path, clock, log)) removeIfPresent(path)
      else break
    }
    throw new LockHeldError(
      `Cannot write to ${file}: ${ownerText(path)} ${activity}. If that process is gone, remove ${path}.`,
    )
  }

  release(): void {
    clearInterval(this.#heartbeat)
    if (this.#isHeld()) removeIfPresent(this.#path)
  }

  #refresh(): void {
    const seconds = this.#clock.wallMs() / 1000
    try {
      if (this.#isHeld()) utimesSync(this.#path, seconds, seconds)
    } catch {
      // The writer notices by the size of its file if another one replaced the lock.
    }
  }

  #isHeld(): boolean {
    return readIfPresent(this.#path) === this.#content
  }
}

function createFile(path: string, content: string): void {
  const file = openRegularFile(path, 'create')
  try {
    writeAll(file, Buffer.from(content))
  } finally {
    closeSync(file)
  }
}

/** Two names of one file share a lock. */
function resolvedPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function readIfPresent(path: string): string {
  try {
    return readTextFile(path, lockBytesMax)
  } catch {
    return ''
  }
}

function removeIfPresent(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT')
      throw new RecordingError(`Cannot remove ${path}: ${systemErrorText(error)}.`)
  }
}

function ownerOf(path: string): LockOwner | null {
  try {
    const { pid, host } = JSON.parse(readIfPresent(path)) as Partial<LockOwner>
    return typeof host === 'string' && Number.isSafeInteger(pid) && pid! > 0 ? { pid: pid!, host } : null
  } catch {
    return null
  }
}

function ownerText(path: string): string {
  const owner = ownerOf(path)
  return owner === null ? 'another process' : `process ${owner.pid} on ${JSON.stringify(owner.host)}`
}

/**
 * A lock whose last heartbeat seems to be of another hour may be held all the same, as the wall clock may have jumped.
 * Whether another heartbeat comes then tells.
 */
async function isStale(path: string, clock: Clock, log: (line: string) => void): Promise<boolean> {
  const owner = ownerOf(path)
  if (owner?.host === hostname() && !isOtherProcessAlive(owner.pid)) return true
  const refreshedMs = lastRefreshMs(path)
  if (refreshedMs === null) return true
  if (Math.abs(clock.wallMs() - refreshedMs) <= heartbeatAgeMaxMs) return false
  log(`Waiting ${silenceMs / 1000} s, whether ${ownerText(path)} still refreshes ${path}.`)
  await new Promise<void>((resolve) => void clock.after(silenceMs, resolve))
  return [refreshedMs, null].includes(lastRefreshMs(path))
}

/** Null if it was released in the meantime. */
const lastRefreshMs = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null

/** In a container that was restarted, this process may have the id that the killed one had. */
function isOtherProcessAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
