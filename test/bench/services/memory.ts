import { setTimeout as pause } from 'node:timers/promises'
import { routes, type Route } from '../../../src/contract/routes.ts'
import type { Row } from '../harness/finding.ts'
import { estimateOf, median } from '../harness/statistics.ts'
import { get, metaOf } from '../support/http-client.ts'
import { residentMib } from '../support/process-usage.ts'
import { startService } from '../support/service.ts'

const fleetHosts = 10_000
const pageSize = 1_000
const bytesPerMib = 2 ** 20

interface Page {
  readonly total: number
}

/** The bytes of everything that a service has to hold to answer: all records as JSON, and the exposition. */
async function answerMib(origin: string): Promise<number> {
  let bytes = (await get(`${origin}/metrics`)).length
  for (const { path, answer } of Object.values<Route>(routes)) {
    if (answer.kind !== 'page') continue
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const body = await get(`${origin}${path}?limit=${pageSize}&offset=${offset}`)
      bytes += body.length
      total = (JSON.parse(body.toString()) as Page).total
    }
  }
  return bytes / bytesPerMib
}

const fleetMemory: Row = {
  name: 'memory',
  async measure(progress) {
    progress(`starting the service with ${fleetHosts} hosts`)
    const { origin, process: service } = await startService(['--scale', String(fleetHosts), '--warmup', '1h'])
    try {
      const heldMib = await answerMib(origin)
      progress('polling it for 20 seconds')
      const resident: number[] = []
      for (let poll = 0; poll < 40; poll++) {
        await get(`${origin}/api/v1/hosts?limit=${pageSize}&offset=${(poll % 10) * pageSize}`)
        await get(`${origin}/metrics`)
        resident.push(residentMib(service.pid!))
        await pause(500)
      }
      const shares = resident.slice(10).map((mib) => mib / heldMib)
      const most = residentMib(service.pid!, 'VmHWM')
      return {
        measured: 'resident memory, 10,000 hosts, polled and scraped',
        against: 'the bytes of its records and exposition',
        ...estimateOf(shares),
        unit: '× them',
        better: 'lower',
        floor: 10.5,
        aim: null,
        medians: `${(median(resident) / 1_024).toFixed(2)} GiB, at most ${(most / 1_024).toFixed(2)} : ${heldMib.toFixed(0)} MiB`,
      }
    } finally {
      service.kill()
    }
  },
}

/** At the shortest cadence an hour's publishes take three minutes. */
const cadenceMs = 50
const publishesOfFiveMinutes = 300
const publishesOfAnHour = 3_600

const memoryOfAnHour: Row = {
  name: 'memory-hour',
  async measure(progress) {
    progress(`${publishesOfAnHour} publishes of 120 hosts, one each ${cadenceMs} ms`)
    const flags = ['--scale', 'medium', '--warmup', '1h', '--cadence-ms', String(cadenceMs)]
    const { origin, process: service } = await startService(flags)
    try {
      const first = (await metaOf(origin)).publish_seq
      const early: number[] = []
      const late: number[] = []
      for (;;) {
        const publishes = (await metaOf(origin)).publish_seq - first
        if (publishes >= publishesOfAnHour) break
        await get(`${origin}/metrics`)
        await get(`${origin}/api/v1/hosts?limit=120`)
        const mib = residentMib(service.pid!)
        if (publishes >= publishesOfFiveMinutes && publishes < 2 * publishesOfFiveMinutes) early.push(mib)
        if (publishes >= publishesOfAnHour - publishesOfFiveMinutes) late.push(mib)
        await pause(100)
      }
      const before = median(early)
      return {
        measured: "resident memory after an hour's publishes, 120 hosts",
        against: "after five minutes' publishes",
        ...estimateOf(late.map((mib) => mib / before)),
        unit: '×',
        better: 'lower',
        floor: 1.35,
        aim: null,
        medians: `${median(late).toFixed(0)} MiB : ${before.toFixed(0)} MiB`,
      }
    } finally {
      service.kill()
    }
  },
}

export const memory: readonly Row[] = [fleetMemory]
export const longMemory: readonly Row[] = [memoryOfAnHour]
