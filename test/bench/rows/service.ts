import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { routes } from '../../../src/contract/routes.ts'
import type { Route } from '../../../src/contract/routes.ts'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { estimateOf, median } from '../harness/turns.ts'

const fleetFlags = ['--scale', '10000', '--warmup', '1h']
const pageSize = 1_000

/** Every page of every collection. */
async function pagesOf(mirror: MirrorProcess): Promise<string[]> {
  const pages: string[] = []
  for (const { path, answer } of Object.values<Route>(routes)) {
    if (answer.kind !== 'page') continue
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const page = await mirror.text(`${path}?limit=${pageSize}&offset=${offset}`)
      pages.push(page)
      total = (JSON.parse(page) as { readonly total: number }).total
    }
  }
  return pages
}

const memory: Row = {
  name: 'memory',
  async measure() {
    const mirror = await MirrorProcess.start(fleetFlags)
    try {
      const heldMib =
        Buffer.byteLength([...(await pagesOf(mirror)), await mirror.text('/metrics')].join('')) / 2 ** 20
      const resident: number[] = []
      for (let poll = 0; poll < 40; poll++) {
        await mirror.text(`/api/v1/hosts?limit=${pageSize}&offset=${(poll % 10) * pageSize}`)
        await mirror.text('/metrics')
        resident.push(await mirror.residentMb())
        await pause(500)
      }
      const measured =
        'resident memory, 10,000 hosts, polled and scraped, against the bytes of its records and exposition'
      const estimate = estimateOf(resident.slice(10).map((mib) => mib / heldMib))
      const sides = `${(median(resident) / 1_024).toFixed(2)} GiB : ${heldMib.toFixed(0)} MiB`
      return [finding('memory', measured, atMost(10.5), estimate, sides)]
    } finally {
      await mirror.stop()
    }
  },
}

const later = 5

/** From the command to the first world that is served. */
async function startMs(cache: string, isFirst: boolean): Promise<number> {
  const beganMs = performance.now()
  const mirror = await MirrorProcess.start(['--cache', cache])
  const tookMs = performance.now() - beganMs
  try {
    if (isFirst) while (!mirror.log.includes(' are kept in ')) await pause(100)
    return tookMs
  } finally {
    await mirror.stop()
  }
}

/** `npm start` for the first time, and later. */
const start: Row = {
  name: 'start',
  async measure() {
    const cache = mkdtempSync(join(tmpdir(), 'dcsim-bench-start-'))
    try {
      const firstMs = await startMs(cache, true)
      const laterMs: number[] = []
      for (let count = 0; count < later; count++) laterMs.push(await startMs(cache, false))
      const measured = 'a start of the checkout, against the first one, which simulates its week'
      const estimate = estimateOf(laterMs.map((ms) => ms / firstMs))
      const sides = `${(median(laterMs) / 1_000).toFixed(2)} : ${(firstMs / 1_000).toFixed(1)} s`
      return [finding('start', measured, atMost(0.15), estimate, sides)]
    } finally {
      rmSync(cache, { recursive: true })
    }
  },
}

export const service: readonly Row[] = [memory, start]
