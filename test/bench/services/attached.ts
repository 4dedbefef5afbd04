import { setTimeout as pause } from 'node:timers/promises'
import { routes, type Route } from '../../../src/contract/routes.ts'
import type { Row } from '../harness/finding.ts'
import { estimateOf, median } from '../harness/statistics.ts'
import { roundsMin, threadCpuMs } from '../harness/turns.ts'
import { get, metaOf } from '../support/http-client.ts'
import { processorMs } from '../support/process-usage.ts'
import { startService } from '../support/service.ts'

const fleetHosts = 10_000
const pageSize = 1_000
const publishesPerRound = 2
const roundMsMax = 300_000
const settledPublishes = 5

/** Waits for a first world: one of 10,000 hosts takes half a minute on a busy machine. */
async function published(origin: string): Promise<void> {
  const endMs = performance.now() + roundMsMax
  while ((await metaOf(origin)).publish_seq === 0) {
    if (performance.now() > endMs) throw new Error(`There is no world after ${roundMsMax / 1_000} s.`)
    await pause(200)
  }
}

/** Every page of every collection, as a mirror reads them at each publish. */
async function pagesOf(origin: string): Promise<string[]> {
  const pages: string[] = []
  for (const { path, answer } of Object.values<Route>(routes)) {
    if (answer.kind !== 'page') continue
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const page = (await get(`${origin}${path}?limit=${pageSize}&offset=${offset}`)).toString()
      pages.push(page)
      total = (JSON.parse(page) as { readonly total: number }).total
    }
  }
  return pages
}

function parseMs(pages: readonly string[]): number {
  const began = threadCpuMs()
  let members = 0
  for (const page of pages) members += Object.keys(JSON.parse(page) as object).length
  if (members === 0) throw new Error('There is nothing to parse.')
  return threadCpuMs() - began
}

/** Waits for some publishes. Returns how many there were. */
async function publishes(origin: string, from: number, count: number): Promise<number> {
  const endMs = performance.now() + roundMsMax
  for (;;) {
    const done = (await metaOf(origin)).publish_seq - from
    if (done >= count) return done
    if (performance.now() > endMs)
      throw new Error(`Only ${done} of ${count} publishes within ${roundMsMax / 1_000} s.`)
    await pause(50)
  }
}

const attachedPublish: Row = {
  name: 'attached',
  async measure(progress) {
    progress(`starting a server with ${fleetHosts} hosts, and a mirror of it`)
    const server = await startService(['--scale', String(fleetHosts), '--warmup', '1h'])
    await published(server.origin)
    const mirror = await startService(['--source', server.origin])
    try {
      await published(mirror.origin)
      const pages = await pagesOf(server.origin)
      const pid = mirror.process.pid!
      await publishes(mirror.origin, (await metaOf(mirror.origin)).publish_seq, settledPublishes)
      progress(`${roundsMin} rounds of ${publishesPerRound} publishes`)
      const ratios: number[] = []
      const costs: number[] = []
      const parses: number[] = []
      const beganMs = performance.now()
      const first = (await metaOf(mirror.origin)).publish_seq
      for (let round = 0; round < roundsMin; round++) {
        const from = (await metaOf(mirror.origin)).publish_seq
        const before = processorMs(pid)
        const done = await publishes(mirror.origin, from, publishesPerRound)
        const costMs = (processorMs(pid) - before) / done
        const parsedMs = parseMs(pages)
        ratios.push(costMs / parsedMs)
        costs.push(costMs)
        parses.push(parsedMs)
      }
      const { publish_seq: last } = await metaOf(mirror.origin)
      const perSecond = (1_000 * (last - first)) / (performance.now() - beganMs)
      return {
        measured: 'processor time of a publish of a mirror of 10,000 hosts',
        against: 'JSON.parse of the pages that it reads',
        ...estimateOf(ratios),
        unit: 'of it',
        better: 'lower',
        floor: 3,
        aim: null,
        medians: `${median(costs).toFixed(0)} ms : ${median(parses).toFixed(0)} ms, ${perSecond.toFixed(2)} publishes/s`,
      }
    } finally {
      mirror.process.kill()
      server.process.kill()
    }
  },
}

export const attached: readonly Row[] = [attachedPublish]
