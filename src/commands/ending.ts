import { readFileSync } from 'node:fs'

/** How a command that goes on until it is told to end is told. */

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** npm passes a Ctrl-C on that the terminal has sent to everybody already: that is one request, not two. */
const echoWithinMs = 250

const npmLookedAtEveryMs = 500

type End = (why: string) => void

/** As long as a command has nothing to close, it just ends. */
let end: End = (why) => {
  console.log(`Ending, ${why}.`)
  process.exit(0)
}

let last = { why: '', atMs: -Infinity }

function ask(why: string): void {
  const atMs = performance.now()
  if (why === last.why && atMs - last.atMs < echoWithinMs) return
  last = { why, atMs }
  end(why)
}

/** The process that waits for this one, or for the shell that does: some shells become what they run, others wait. */
function whoWaits(): number {
  const parent = process.ppid
  if (process.platform !== 'linux') return parent
  try {
    const [, name, itsParent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'))!
    return /^\w*sh$/.test(name) ? Number(itsParent) : parent
  } catch {
    return parent
  }
}

/** npm passes signals to a shell at most, and not that it was killed: what it started would live on. */
function heedNpm(): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return
  const npm = whoWaits()
  const watch = setInterval(() => {
    if (whoWaits() === npm) return
    clearInterval(watch)
    if (last.why === '') ask('as npm has ended')
  }, npmLookedAtEveryMs)
  watch.unref()
}

/** Hears from now on when the process is asked to end. */
export function heedEnding(): void {
  for (const signal of signals) process.on(signal, () => ask(`as ${signal} asked`))
  heedNpm()
}

/** Has the command end its own way, each time that it is asked to. */
export function onEnding(ends: End): void {
  end = ends
}
