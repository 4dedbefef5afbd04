import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const main = new URL('../../../src/main.ts', import.meta.url).pathname
const readyWithinMs = 300_000

interface Service {
  readonly origin: string
  readonly process: ChildProcess
}

/** Starts the service as its users do. */
export async function startService(flags: readonly string[]): Promise<Service> {
  const service = spawn(process.execPath, [main, '--listen', '127.0.0.1:0', ...flags])
  let output = ''
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  service.on('error', ({ message }) => (output += message))
  const address = /Browser: (?<url>http:\S+?)\/ /
  const endMs = performance.now() + readyWithinMs
  while (!address.test(output) && service.exitCode === null && performance.now() < endMs) await pause(100)
  const origin = address.exec(output)?.groups?.['url']
  if (origin === undefined) {
    service.kill()
    throw new Error(`The service was not ready within ${readyWithinMs / 1_000} s. It said: ${output}`)
  }
  return { origin, process: service }
}

export const get = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())

interface Meta {
  readonly publish_seq: number
  readonly age_ms: number
}

export const metaOf = async (origin: string): Promise<Meta> =>
  (JSON.parse((await get(`${origin}/health`)).toString()) as { meta: Meta }).meta

const kibPerMib = 1_024

/** Resident memory of a process, in MiB: the current or the peak value. */
export function residentMib(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const line = new RegExp(String.raw`^${which}:\s+(?<kib>\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Number(line!.groups!['kib']) / kibPerMib
}

function threadMs(pid: number, thread: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    // It has ended since it was listed.
    return 0
  }
}

/** Processor time of a process, all its threads, in milliseconds. */
export function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number)
  return threads.reduce((sum, thread) => sum + threadMs(pid, thread), 0)
}

/** Processor time of a process's first thread, in milliseconds. */
export const firstThreadMs = (pid: number): number => threadMs(pid, pid)
