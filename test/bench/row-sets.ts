import type { RowSets } from './harness/command-line.ts'
import type { Row } from './harness/finding.ts'
import { attached } from './services/attached.ts'
import { encoding } from './rows/encoding.ts'
import { growths, longGrowths } from './services/growth.ts'
import { history } from './rows/history.ts'
import { http } from './rows/http.ts'
import { images } from './services/image.ts'
import { latencies } from './services/latency.ts'
import { longMemory, memory } from './services/memory.ts'
import { metricsExposition } from './rows/metrics-exposition.ts'
import { metricsScrape } from './rows/metrics-scrape.ts'
import { programs } from './services/programs.ts'
import { publishing } from './rows/publishing.ts'
import { recordings } from './rows/recording.ts'
import { simulation } from './rows/simulation.ts'
import { starting } from './services/start.ts'

const standard: readonly Row[] = [
  ...encoding,
  ...http,
  ...metricsExposition,
  ...metricsScrape,
  ...history,
  ...publishing,
  ...recordings,
  ...simulation,
]

const shortNames: ReadonlySet<string> = new Set([
  'changed-record',
  'read-list',
  'assembled-page',
  'http-record',
  'http-not-modified',
  'http-page',
  'exposition',
  'recording',
  'replay',
])

export const rowSets: RowSets = {
  short: standard.filter(({ name }) => shortNames.has(name)),
  standard,
  long: [
    ...starting,
    ...memory,
    ...attached,
    ...latencies,
    ...longMemory,
    ...growths,
    ...longGrowths,
    ...programs,
    ...images,
  ],
}
