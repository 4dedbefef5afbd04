import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const startTimeoutMs = 300_000
const responseTimeoutMs = 30_000
const children = new Set<ChildProcess>()

/** However this process ends, those that it started end too. */
export function endChildrenAtExit(): void {
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
  })
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
}

/** The output of a program that ends by itself. */
export async function outputOf(program: string, words: readonly string[], cwd?: string): Promise<string> {
  const running = promisify(execFile)(program, words, { cwd })
  children.add(running.child)
  const { stdout, stderr } = await running
  return stdout + stderr
}

/** A server in a process of its own. */
export interface Server {
  readonly pid: number
  readonly port: number
}

export async function textOf({ port }: Pick<Server, 'port'>, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    signal: AbortSignal.timeout(responseTimeoutMs),
  })
  return response.text()
}

/** Starts a server, and waits until a path of it answers as expected. */
export async function startServer(
  [program, ...words]: readonly string[],
  port: number,
  path: string,
  isReady = (text: string) => text !== '',
): Promise<Server> {
  const child = spawn(program, words, { env: { ...process.env, DCSIM_CACHE: 'none' } })
  children.add(child)
  let log = ''
  child.on('error', ({ message }) => (log = message))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (log = (log + String(chunk)).slice(-2_000)))
  const deadlineMs = Date.now() + startTimeoutMs
  while (!isReady(await textOf({ port }, path).catch(() => ''))) {
    await pause(200)
    if (child.pid === undefined || child.exitCode !== null || Date.now() > deadlineMs)
      throw new Error(`${program} did not start: ${log.trim().split('\n').at(-1)}`)
  }
  return { pid: child.pid!, port }
}

/** Node's name of the threads that a program starts: the mirror's world and archive, which no request uses. */
const besides = 'WorkerThread'

/** Processor time of a process, and of those threads that requests use; /proc/PID/stat has it in steps of 10 ms only. */
export function cpuMsOf({ pid }: Server): { readonly all: number; readonly serving: number } {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => {
    const of = (file: string): string => readFileSync(`/proc/${pid}/task/${id}/${file}`, 'utf8')
    return { name: of('comm').trim(), ms: Number(of('schedstat').split(' ')[0]) / 1e6 }
  })
  const sum = (found: typeof threads): number => found.reduce((total, { ms }) => total + ms, 0)
  return { all: sum(threads), serving: sum(threads.filter(({ name }) => name !== besides)) }
}

export const residentMibOf = ({ pid }: Server): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 2 ** 10
