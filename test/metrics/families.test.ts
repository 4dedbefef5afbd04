import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'
import { ServiceMetrics } from '../../src/metrics/service-metrics.ts'
import { hasTool } from '../fixtures/tools.ts'
import { parseChunks, textOf } from './parsed-exposition.ts'
import { worldWithEverything } from './world-with-everything.ts'

const declared: Readonly<Record<string, Family>> = families

test('the help of a family speaks of its own unit, not of the unit of the record field', () => {
  const contradictions = Object.entries(declared).filter(
    ([name, { help }]) =>
      (name.endsWith('_ratio') && /\b100\b|percent|%/i.test(help)) ||
      (/_seconds(?:_total)?$/.test(name) && /\b(?:hours?|milliseconds?|nanoseconds?|ms|ns)\b/i.test(help)),
  )
  expect(contradictions.map(([name, { help }]) => `${name}: ${help}`)).toStrictEqual([])
})

test('samples carry no labels but those declared', () => {
  const parsed = parseChunks(createExposition({ collectors: collectorNames }).render(worldWithEverything()))
  for (const [name, { labels }] of Object.entries(declared)) {
    const used = [...parsed.get(name)!.samples.keys()].flatMap((sample) =>
      [...sample.matchAll(/[{,](?<label>\w+)="/g)].map((match) => match.groups!['label']),
    )
    expect([name, new Set(labels)]).toStrictEqual([name, new Set(used)])
  }
})

const hasPromtool = hasTool('promtool')

test.skipIf(!hasPromtool)('promtool has nothing to say about any family (needs promtool)', async () => {
  const service = new ServiceMetrics({
    version: '0.0.0',
    gauges: () => ({ worldReady: true, paused: false, ageSeconds: 0.5, frameBytes: 9, sourceUp: true }),
    nowMs: () => 0,
  })
  service.requestAnswered('hosts', 200, 0.001, 512)
  service.published(0.004)
  service.sourceFailed('unreachable')
  const world = textOf(
    createExposition({ collectors: collectorNames, clock: () => 0 }).render(worldWithEverything()),
  )
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: world + textOf(await service.exposition()),
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toStrictEqual({ status: 0, stdout: '', stderr: '' })
})
