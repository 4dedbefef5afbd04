import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach } from 'vitest'

const root = new URL('../..', import.meta.url)
const directly = [process.execPath, 'src/main.ts']
const longestWaitMs = 60_000

/** A command as `npm start` runs it, or by another launcher, which then has a process group of its own. */
export class Run {
  out = ''
  err = ''
  readonly child: ChildProcess
  readonly ended: Promise<[code: number | null, signal: string | null]>

  constructor(words: readonly string[], environment: Record<string, string> = {}, launcher = directly) {
    const [program, ...first] = launcher
    // Mirrors of other tests read the file of the checkout.
    const env = { DCSIM_ACTIONS: 'none', ...process.env, ...environment }
    this.child = spawn(program, [...first, ...words], { cwd: root, env, detached: launcher !== directly })
    this.child.stdout!.on('data', (chunk) => (this.out += String(chunk)))
    this.child.stderr!.on('data', (chunk) => (this.err += String(chunk)))
    this.ended = once(this.child, 'close') as Promise<[number | null, string | null]>
  }

  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const until = Date.now() + longestWaitMs
    for (;;) {
      const found = pattern.exec(this.out)
      if (found !== null) return found
      if (Date.now() > until || this.child.exitCode !== null) {
        throw new Error(`It never logged ${String(pattern)}.\n${this.out}\n${this.err}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async origin(): Promise<string> {
    return (await this.says(/listens on (http:\/\/\S+)/))[1]
  }

  /** Sends signals and waits for the exit. */
  async end(...signals: NodeJS.Signals[]): Promise<{ code: number | null; ms: number }> {
    const began = Date.now()
    for (const signal of signals) this.child.kill(signal)
    const [code] = await this.ended
    return { code, ms: Date.now() - began }
  }
}

const runs: Run[] = []

/** Runs a command until it exits, or the test ends. */
export const run = (
  words: readonly string[],
  environment?: Record<string, string>,
  launcher?: string[],
): Run => {
  const started = new Run(words, environment, launcher)
  runs.push(started)
  return started
}

afterEach(async () => {
  for (const { child, ended } of runs.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
