import { closeSync, realpathSync, statSync, unlinkSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { openRegularFile, readTextFile, writeAll } from '../../files/regular-file.ts'
import { errorCode, systemErrorText, writeErrorText } from '../../files/system-error.ts'
import { RecordingError } from '../../recording/recording-error.ts'

interface LockOwner {
  readonly pid: number
  readonly host: string
}

const heartbeatMs = 15_000
/** A lock without a heartbeat for this long is stale, whichever host its owner ran on. */
const heartbeatAgeMaxMs = 8 * heartbeatMs
/** Two processes that find the same stale lock may both try to replace it. */
const attemptsMax = 3
const lockBytesMax = 4_096

/** Another process holds the lock. */
export class LockHeldError extends RecordingError {}

/**
 * Advisory lock on a file: FILE.lock beside it names the owner. A lock is stale once its owner has ended on this host,
 * or has stopped refreshing it: process ids mean nothing on another host or in another container.
 */
export class FileLock {
  readonly #path: string
  readonly #content: string
  readonly #heartbeat: NodeJS.Timeout

  private constructor(path: string, content: string) {
    this.#path = path
    this.#content = content
    this.#heartbeat = setInterval(() => this.#refresh(), heartbeatMs).unref()
  }

  /** Throws an error that names the owner if another process holds the lock. `activity` is what that process does. */
  static acquire(file: string, activity = 'is recording to it'): FileLock {
    const path = `${resolvedPath(file)}.lock`
    const content = JSON.stringify({ pid: process.pid, host: hostname() } satisfies LockOwner)
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      try {
        createFile(path, content)
        return new FileLock(path, content)
      } catch (error) {
        if (errorCode(error) !== 'EEXIST')
          throw new RecordingError(`Cannot create ${path}: ${writeErrorText(path, error)}.`)
      }
      if (isStale(path)) removeIfPresent(path)
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
    const now = new Date()
    try {
      if (this.#isHeld()) utimesSync(this.#path, now, now)
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

function isStale(path: string): boolean {
  const owner = ownerOf(path)
  if (owner?.host === hostname() && !isOtherProcessAlive(owner.pid)) return true
  try {
    return Date.now() - statSync(path).mtimeMs > heartbeatAgeMaxMs
  } catch (error) {
    // Released in the meantime.
    return errorCode(error) === 'ENOENT'
  }
}

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
