/** Graceful shutdown of commands that run until they are interrupted. */
import { readFileSync } from 'node:fs'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** npm forwards a Ctrl-C that the terminal has already sent to the whole process group: one request, not two. */
const duplicateSignalWindowMs = 250

const npmPollIntervalMs = 500

type ShutdownHandler = (reason: string) => void

/** Until a command has something to close, the process just exits. */
let handleShutdown: ShutdownHandler = (reason) => {
  console.log(`Shutting down: ${reason}.`)
  process.exit(0)
}

let lastRequest = { reason: '', atMs: -Infinity }

export function requestShutdown(reason: string): void {
  const atMs = performance.now()
  if (reason === lastRequest.reason && atMs - lastRequest.atMs < duplicateSignalWindowMs) return
  lastRequest = { reason, atMs }
  handleShutdown(reason)
}

/** The process that started this one. npm does so through a shell, which may replace itself or wait. */
function launcherPid(): number {
  const parent = process.ppid
  if (process.platform !== 'linux') return parent
  try {
    const [, name, grandparent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'))!
    return /^\w*sh$/.test(name) ? Number(grandparent) : parent
  } catch {
    return parent
  }
}

/** npm forwards signals to its shell only, and cannot forward SIGKILL: this process would be orphaned. */
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

/** Replaces what a request to shut down does. The handler is called for every request. */
export function setShutdownHandler(handler: ShutdownHandler): void {
  handleShutdown = handler
}
