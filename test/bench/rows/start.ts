import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { estimateOf, median } from '../harness/turns.ts'

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
export const start: Row = {
  name: 'start',
  async measure() {
    const cache = mkdtempSync(join(tmpdir(), 'dcsim-bench-start-'))
    try {
      const firstMs = await startMs(cache, true)
      const laterMs: number[] = []
      for (let count = 0; count < later; count++) laterMs.push(await startMs(cache, false))
      const measured = 'a start of the checkout, against the first one, which lives through its week'
      const estimate = estimateOf(laterMs.map((ms) => ms / firstMs))
      const sides = `${(median(laterMs) / 1_000).toFixed(2)} : ${(firstMs / 1_000).toFixed(1)} s`
      return [finding('start', measured, atMost(0.15), estimate, sides)]
    } finally {
      rmSync(cache, { recursive: true })
    }
  },
}
