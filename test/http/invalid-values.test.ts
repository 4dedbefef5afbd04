/** Invalid values of a source never become a body that no client can parse. */
import { afterAll, expect, test } from 'vitest'
import { recordRepresentation } from '../../src/http/resources/record.ts'
import { PublishedFrame } from '../../src/http/responses/published-frame.ts'
import { sliceBytes } from '../../src/http/responses/representation.ts'
import { unknownText } from '../../src/http/responses/unknown-parts.ts'
import { TestService } from './test-service.ts'

const good = { values: [1], scale: 'linear', unit: 'count', stepNs: 1e10, lastNs: 5n } as const
const bad = {
  'a step that is not finite': { ...good, stepNs: NaN },
  'a fractional step': { ...good, stepNs: 0.5 },
  'a value that is not finite': { ...good, values: [1, Infinity] },
}

const service = await TestService.start({
  series: {
    paths: () => ({ paths: [], total: NaN }),
    series: (path) => ({
      ...bad[path as keyof typeof bad],
      values: [...bad[path as keyof typeof bad].values],
    }),
  },
})
afterAll(() => service.stop())

test.each([
  '/api/v1/metrics/paths',
  ...Object.keys(bad).map((name) => `/api/v1/metrics/series?path=${name}`),
])('%s is an internal error', async (path) => {
  const { status, text } = await service.get(encodeURI(path))
  expect([status, (JSON.parse(text) as { title: string }).title]).toEqual([500, 'Internal error'])
})

test('a record without members leaves a body of meta alone', () => {
  const { head, slices, tail } = recordRepresentation('diagnostics', Buffer.from('{}'))
  const body =
    head(new PublishedFrame(null, 'boot'), 0) + Buffer.concat(slices.map(sliceBytes)).toString() + tail
  expect(JSON.parse(body)).toEqual({ meta: { age_ms: 0, publish_seq: 0, sim_time_ns: 0 } })
})

test('the reason of an upstream is cut where a header has it', () => {
  expect(unknownText({ hosts: 'x'.repeat(301) }, ['hosts'])).toBe(`hosts: ${'x'.repeat(300)}`)
})
