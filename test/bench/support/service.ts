import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

const main = new URL('../../../src/main.ts', import.meta.url).pathname
const readyWithinMs = 300_000

export interface Service {
  readonly origin: string
  readonly process: ChildProcess
}

/** Starts the service as its users do, on one processor alone where one is named. */
export async function startService(flags: readonly string[], processor?: number): Promise<Service> {
  const pinned = processor === undefined ? [] : ['taskset', '-c', String(processor)]
  const [command, ...rest] = [...pinned, process.execPath, main, '--listen', '127.0.0.1:0', ...flags]
  const service = spawn(command, rest)
  let told = ''
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk: Buffer) => (told += chunk.toString()))
  }
  service.on('error', ({ message }) => (told += message))
  const address = /Browser: (?<url>http:\S+?)\/ /
  const endMs = performance.now() + readyWithinMs
  while (!address.test(told) && service.exitCode === null && performance.now() < endMs) await pause(100)
  const origin = address.exec(told)?.groups?.['url']
  if (origin === undefined) {
    service.kill()
    throw new Error(`The service was not ready within ${readyWithinMs / 1_000} s. It said: ${told}`)
  }
  return { origin, process: service }
}
