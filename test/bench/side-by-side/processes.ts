import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const startTimeoutMs = 300_000
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
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
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

/** Processor time of all threads of a process: as in /proc/PID/stat, which has it in steps of 10 ms. */
export function cpuMsOf({ pid }: Server): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const ns = tasks.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0])
  return ns.reduce((sum, each) => sum + Number(each) / 1e6, 0)
}

export const residentMibOf = ({ pid }: Server): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 2 ** 10
