import { expect, test } from 'vitest'
import { collectorNames, collectors } from '../../src/metrics/declaration/collectors.ts'
import type { CollectorName } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { parseChunks } from './parsed-exposition.ts'

const scales = ['small', 'medium', 'large'] as const
const declared: Readonly<Record<string, Family>> = families

/** Samples of a new world by collector. */
function samplesAt(scale: (typeof scales)[number]): Map<CollectorName, number> {
  const world = createSimulation({ seed: 1n, scale, warmUp: 0, scenario: null, speed: 60 })
  for (let step = 0; step < 60; step++) world.step()
  const parsed = parseChunks(createExposition({ collectors: collectorNames }).render(world.snapshot()))
  const counts = new Map<CollectorName, number>()
  for (const [name, { samples }] of parsed) {
    const collector = declared[name]?.collector
    if (collector !== undefined) counts.set(collector, (counts.get(collector) ?? 0) + samples.size)
  }
  return counts
}

/** A number rounded to two digits, as it varies with the world. */
const about = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en-US')

test('docs/cardinality.md lists the number of series of each collector', { timeout: 120_000 }, async () => {
  const counts = scales.map(samplesAt)
  const row = (name: string, byDefault: string, numbers: readonly number[]): string =>
    `| ${name} | ${byDefault} | ${numbers.map(about).join(' | ')} |`
  const rows = collectorNames.map((name) =>
    row(
      `\`${name}\``,
      collectors[name].byDefault ? 'yes' : 'no',
      counts.map((count) => count.get(name) ?? 0),
    ),
  )
  const sum = (only: readonly CollectorName[]): number[] =>
    counts.map((count) => only.reduce((total, name) => total + (count.get(name) ?? 0), 0))
  const text = [
    '# Cardinality\n\nSeries that each collector makes, to two digits, for a world that has just been built. They grow with',
    'what there is: a host makes 34, a port 9, a customer with its services about 70.\n',
    '| Collector | On by default | small (24 hosts) | medium (120) | large (1,000) |\n| --- | --- | --- | --- | --- |',
    ...rows,
    row('**by default**', '', sum(collectorNames.filter((name) => collectors[name].byDefault))),
    row('**all**', '', sum(collectorNames)),
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/cardinality.md')
})
