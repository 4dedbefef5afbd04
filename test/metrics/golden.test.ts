import { expect, test } from 'vitest'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import { numberedSnapshot } from '../fixtures/numbered-snapshot.ts'
import { textOf } from './parsed-exposition.ts'

/** They change with the contract and the families only, never with the simulation. */
test('the samples of a world in which every field has a value of its own', async () => {
  const exposition = createExposition({ collectors: collectorNames })
  const samples = textOf(exposition.render(numberedSnapshot()))
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  expect(samples.length).toBeGreaterThan(Object.keys(families).length)
  await expect(samples.join('\n')).toMatchFileSnapshot('golden/numbered-world.prom')
})
