import { expect, test } from 'vitest'
import { metricsReference } from './metrics-reference.ts'

test('docs/metrics.md lists the families as they are declared', async () => {
  await expect(metricsReference()).toMatchFileSnapshot('../../docs/metrics.md')
})
