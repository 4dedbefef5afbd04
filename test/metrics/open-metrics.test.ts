import { expect, test } from 'vitest'
import type { ExpositionChunk } from '../../src/contract/exposition-chunk.ts'
import { OpenMetricsText } from '../../src/metrics/exposition/open-metrics.ts'

const chunk = (family: string, text: string): ExpositionChunk => ({ family, bytes: Buffer.from(text) })
const target = { job: 'dcsim', instance: 'mirror:9740' }
const written = (text: OpenMetricsText, chunks: readonly ExpositionChunk[], atSeconds: number): string =>
  Buffer.from(text.textAt(chunks, atSeconds)).toString()

const requests = chunk(
  'dcsim_requests_total',
  `# HELP dcsim_requests_total Requests.
# TYPE dcsim_requests_total counter
dcsim_requests_total{customer="7",name="Ann } 9 \\"x\\""}   12
dcsim_requests_total{customer="8"} 1234
`,
)
const hosts = chunk('dcsim_hosts', '# HELP dcsim_hosts Hosts.\n# TYPE dcsim_hosts gauge\ndcsim_hosts 24\n')

test('samples get the labels of the target and a time, and a counter its name without an ending', () => {
  expect(written(new OpenMetricsText(target), [hosts, requests], 1_764_000_000)).toBe(
    `# TYPE dcsim_hosts gauge
dcsim_hosts{job="dcsim",instance="mirror:9740"} 24 1764000000
# TYPE dcsim_requests counter
dcsim_requests_total{customer="7",name="Ann } 9 \\"x\\"",job="dcsim",instance="mirror:9740"} 12 1764000000
dcsim_requests_total{customer="8",job="dcsim",instance="mirror:9740"} 1234 1764000000
`,
  )
})

test('a family that did not change comes with the new time all the same', () => {
  const text = new OpenMetricsText(target)
  written(text, [requests], 1_764_000_000)
  const fewer = chunk(
    'dcsim_requests_total',
    Buffer.from(requests.bytes)
      .toString()
      .replace(/\n.*"8".*/, ''),
  )
  const told = [written(text, [requests], 1_764_000_015), written(text, [fewer], 1_764_000_030)]
  expect(told.map((one) => one.split('\n').slice(1, -1))).toStrictEqual([
    [
      'dcsim_requests_total{customer="7",name="Ann } 9 \\"x\\"",job="dcsim",instance="mirror:9740"} 12 1764000015',
      'dcsim_requests_total{customer="8",job="dcsim",instance="mirror:9740"} 1234 1764000015',
    ],
    [
      'dcsim_requests_total{customer="7",name="Ann } 9 \\"x\\"",job="dcsim",instance="mirror:9740"} 12 1764000030',
    ],
  ])
})

test('where changes alone are asked for, only gauges that stand as they were are left out', () => {
  const text = new OpenMetricsText(target)
  written(text, [hosts, requests], 1_764_000_000)
  const more = chunk('dcsim_hosts', Buffer.from(hosts.bytes).toString().replace(' 24\n', ' 25\n'))
  const told = [hosts, more, more].map((gauge, index) =>
    Buffer.from(text.textAt([gauge, requests], 1_764_000_020 + index, true)).toString(),
  )
  expect(told.map((one) => one.split('\n').filter((line) => line.startsWith('#')))).toStrictEqual([
    ['# TYPE dcsim_requests counter'],
    ['# TYPE dcsim_hosts gauge', '# TYPE dcsim_requests counter'],
    ['# TYPE dcsim_requests counter'],
  ])
  expect(text.samples).toBe(3 + 2 + 3 + 2)
})

test('a histogram keeps the names of its parts, and a target without labels adds none', () => {
  const histogram = chunk(
    'dcsim_resolve_seconds',
    `# HELP dcsim_resolve_seconds Time.
# TYPE dcsim_resolve_seconds histogram
dcsim_resolve_seconds_bucket{band="Watch",le="+Inf"}  3
dcsim_resolve_seconds_sum{band="Watch"} 1.5
dcsim_resolve_seconds_count{band="Watch"}   3
`,
  )
  expect(written(new OpenMetricsText({}), [histogram], 1_764_000_000)).toBe(
    `# TYPE dcsim_resolve_seconds histogram
dcsim_resolve_seconds_bucket{band="Watch",le="+Inf"} 3 1764000000
dcsim_resolve_seconds_sum{band="Watch"} 1.5 1764000000
dcsim_resolve_seconds_count{band="Watch"} 3 1764000000
`,
  )
})

test('a family whose series have all ended is its type alone', () => {
  const ended = chunk('dcsim_hosts', '# HELP dcsim_hosts Hosts.\n# TYPE dcsim_hosts gauge\n')
  expect(written(new OpenMetricsText(target), [ended], 1_764_000_000)).toBe('# TYPE dcsim_hosts gauge\n')
})
