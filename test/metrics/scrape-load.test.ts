import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import type { ScrapingReport, ScrapingTask } from './scraper.ts'
import { promptlyMs } from '../fixtures/promptly.ts'

const seconds = 8
const cadenceMs = 1_000
/** Simulated seconds per wall second. */
const speed = 60
/** A busy machine delays some snapshots; a slow service delays all of them. */
const readings = 3

async function scrapedHard(port: number): Promise<ScrapingReport> {
  const scraper = fork(new URL('scraper.ts', import.meta.url), { execArgv: [] })
  scraper.send({ port, scrapesPerSecond: 1_000, seconds } satisfies ScrapingTask)
  const [report] = (await once(scraper, 'message')) as [ScrapingReport]
  return report
}

test('1,000 scrapes a second beside a polling client disturb neither cadence nor clock', {
  timeout: 180_000,
}, async ({ onTestFinished }) => {
  const service = await MirrorProcess.start(['--warmup', '1h', '--speed', String(speed)])
  onTestFinished(() => service.stop())
  let best: ScrapingReport | null = null
  for (let reading = 0; reading < readings && (best?.p99AgeMs ?? Infinity) > 1.1 * cadenceMs; reading++) {
    const report = await scrapedHard(Number(new URL(service.origin).port))
    expect(report.faults).toStrictEqual([])
    expect(report.scrapes).toBeGreaterThanOrEqual(1_000 * seconds * 0.99)
    expect(report.polls).toBeGreaterThan(10)
    if (report.p99AgeMs < (best?.p99AgeMs ?? Infinity)) best = report
  }
  console.log(`scraped hard: ${JSON.stringify(best)}`)
  expect(best!.p99AgeMs).toBeLessThan(promptlyMs)
  expect(best!.seconds).toBeLessThan(seconds * 1.25)
  expect(best!.lastSeq - best!.firstSeq).toBeGreaterThanOrEqual(Math.floor(best!.seconds) - 1)
  const simulated = best!.lastSimSeconds - best!.firstSimSeconds
  // The clock advances by one publish and one step at a time.
  expect(Math.abs(simulated - best!.seconds * speed)).toBeLessThan(speed + 10 + 0.02 * simulated)
})
