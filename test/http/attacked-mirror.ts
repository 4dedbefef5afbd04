import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { firstThreadMs } from '../fixtures/processor-time.ts'
import type { MirrorProcess } from '../fixtures/mirror-process.ts'
import type { PipeliningTask } from './pipelining-client.ts'

const probeEveryMs = 50
const quietHealthMs = 5
const probesBefore = 50

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]

/** How long another client waits that opens a connection and asks for the health. */
async function healthMs(port: number): Promise<number> {
  const startMs = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = get({ port, path: '/health', agent: false }, (response) => {
    response.on('end', resolve).on('error', reject).resume()
  })
  request.on('error', reject)
  await promise
  return performance.now() - startMs
}

/** How much longer everything takes than on a quiet machine. */
export async function slowdownOf({ port }: MirrorProcess): Promise<number> {
  const delaysMs: number[] = []
  for (let probe = 0; probe < probesBefore; probe++) delaysMs.push(await healthMs(port))
  return Math.max(1, median(delaysMs) / quietHealthMs)
}

interface Costs {
  readonly medianHealthMs: number
  readonly longestHealthMs: number
  /** The processor time of the service thread meanwhile, however busy the machine is with other things. */
  readonly longestHealthCpuMs: number
  /** Beyond what there was before. */
  readonly peakMb: number
  readonly peakDescriptors: number
}

/** Attacks a mirror, and measures the costs for it and for those who ask for its health meanwhile. */
export async function attack(mirror: MirrorProcess, task: Omit<PipeliningTask, 'port'>): Promise<Costs> {
  const [mb, descriptors] = [await mirror.residentMb(), await mirror.descriptors()]
  const client = fork(new URL('pipelining-client.ts', import.meta.url), { execArgv: [] })
  const ended = once(client, 'exit')
  client.send({ port: mirror.port, ...task } satisfies PipeliningTask)
  const delaysMs: number[] = []
  let [longestHealthCpuMs, peakMb, peakDescriptors] = [0, 0, 0]
  while (client.exitCode === null) {
    const cpuMs = firstThreadMs(mirror.pid)
    delaysMs.push(await healthMs(mirror.port))
    longestHealthCpuMs = Math.max(longestHealthCpuMs, firstThreadMs(mirror.pid) - cpuMs)
    peakMb = Math.max(peakMb, (await mirror.residentMb()) - mb)
    peakDescriptors = Math.max(peakDescriptors, (await mirror.descriptors()) - descriptors)
    await pause(probeEveryMs)
  }
  await ended
  const [medianHealthMs, longestHealthMs] = [median(delaysMs), Math.max(...delaysMs)]
  return { medianHealthMs, longestHealthMs, longestHealthCpuMs, peakMb, peakDescriptors }
}
