import { expect, test } from 'vitest'
import { defaultCollectors } from '../../src/metrics/collectors.ts'
import { createExposition } from '../../src/metrics/exposition.ts'
import { textOf } from './parsed-exposition.ts'
import { worldAfter } from './small-world.ts'

test('the exposition of the small world of seed 1 after 12 hours is the one that is kept', async () => {
  const exposition = createExposition({ collectors: defaultCollectors })
  const text = textOf(exposition.render(worldAfter(12, 1n).snapshot()))
  await expect(text).toMatchFileSnapshot('golden/small-world.prom')
})
