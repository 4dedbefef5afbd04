/** Graceful shutdown of commands that run until they are interrupted. */
import { flushCompileCache } from 'node:module'
import { readTextFile } from '../files/regular-file.ts'
import { processClock } from '../process/clock.ts'

/** Windows sends SIGHUP when its window is closed, and SIGBREAK by Ctrl-Break. */
const signals: readonly NodeJS.Signals[] = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
]

/**
 * npm forwards a Ctrl-C that the terminal has already sent to the whole process group: the two signals are one request.
 */
const duplicateSignalWindowMs = 250

const npmPollIntervalMs = 500

/** Threads and requests have this long to end at a shutdown; then the process ends regardless. */
const shutdownTimeoutMs = 3_000

interface Ending {
  /** Resolves when no other thread runs. */
  readonly threads: Promise<unknown>
  readonly others?: readonly Promise<unknown>[]
  readonly beforeExit: () => void
  readonly timeoutMs?: number
}

type ShutdownHandler = (reason: string) => void

/** Until a command has resources to close, the process exits at once. */
let handleShutdown: ShutdownHandler = (reason) => {
  console.log(`Shutting down: ${reason}.`)
  process.exit(0)
}

let lastRequest = { reason: '', atMs: -Infinity }

export function requestShutdown(reason: string): void {
  const atMs = processClock.nowMs()
  if (reason === lastRequest.reason && atMs - lastRequest.atMs < duplicateSignalWindowMs) return
  lastRequest = { reason, atMs }
  handleShutdown(reason)
}

/** The parent process. npm starts this one through a shell, which may replace itself or wait. */
function launcherPid(): number {
  const parent = process.ppid
  if (process.platform !== 'linux') return parent
  try {
    const [, name, grandparent] = /\((.*)\) \S (\d+)/.exec(readTextFile(`/proc/${parent}/stat`))!
    return /^\w*sh$/.test(name) ? Number(grandparent) : parent
  } catch {
    return parent
  }
}

/** npm forwards signals to its shell only, and cannot forward SIGKILL: without this, the process would be orphaned. */
function stopWhenNpmExits(): void {
  if (!['start', 'npx'].includes(process.env['npm_lifecycle_event'] ?? '')) return
  const npm = launcherPid()
  const timer = setInterval(() => {
    if (launcherPid() === npm) return
    clearInterval(timer)
    if (lastRequest.reason === '') requestShutdown('npm exited')
  }, npmPollIntervalMs)
  timer.unref()
}

export function installSignalHandlers(): void {
  for (const signal of signals) process.on(signal, () => requestShutdown(`received ${signal}`))
  stopWhenNpmExits()
}

/** Replaces the handler, which is called for every request to shut down. */
export function setShutdownHandler(handler: ShutdownHandler): void {
  handleShutdown = handler
}

/**
 * Exits once the threads and all other work have ended, or after the timeout. An exit waits for threads, and a thread
 * that waits for the operating system, such as for a file system that no longer responds, may never end: then the
 * process kills itself.
 */
export async function exitWhenEnded(
  code: number,
  { threads, others = [], beforeExit, timeoutMs = shutdownTimeoutMs }: Ending,
): Promise<never> {
  let haveThreadsEnded = false
  const threadsEnd = async (): Promise<void> => {
    await threads
    haveThreadsEnded = true
  }
  const timeout = Promise.withResolvers<void>()
  setTimeout(timeout.resolve, timeoutMs)
  await Promise.race([Promise.all([threadsEnd(), ...others]), timeout.promise])
  beforeExit()
  if (!haveThreadsEnded) {
    // A regular exit would keep the compile cache, which the build of the image needs.
    flushCompileCache()
    process.kill(process.pid, 'SIGKILL')
  }
  process.exit(code)
}
