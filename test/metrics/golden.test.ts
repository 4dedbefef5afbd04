import { expect, test } from 'vitest'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { numberedSnapshot } from '../fixtures/numbered-snapshot.ts'
import { textOf } from './parsed-exposition.ts'

/** They change with the contract and the families alone, never with the simulation. Zeros are left out. */
test('the samples of a world in which every field has a value of its own', async () => {
  const exposition = createExposition({ collectors: collectorNames })
  const samples = textOf(exposition.render(numberedSnapshot()))
    .split('\n')
    .filter((line) => !line.startsWith('#') && !line.endsWith(' 0'))
  await expect(samples.join('\n')).toMatchFileSnapshot('golden/numbered-world.prom')
})
