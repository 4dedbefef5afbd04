/** Values at the edge of what a body or a header can have. */
import { expect, test } from 'vitest'
import { recordRepresentation } from '../../src/http/resources/record.ts'
import { PublishedFrame } from '../../src/http/responses/published-frame.ts'
import { sliceBytes } from '../../src/http/responses/representation.ts'
import { unknownText } from '../../src/http/responses/unknown-parts.ts'

test('a record without members leaves a body of meta alone', () => {
  const { head, slices, tail } = recordRepresentation('diagnostics', Buffer.from('{}'))
  const body =
    head(new PublishedFrame(null, 'boot'), 0) + Buffer.concat(slices.map(sliceBytes)).toString() + tail
  expect(JSON.parse(body)).toEqual({ meta: { age_ms: 0, publish_seq: 0, sim_time_ns: 0 } })
})

test('the reason of an upstream is cut where a header has it', () => {
  expect(unknownText({ hosts: 'x'.repeat(301) }, ['hosts'])).toBe(`hosts: ${'x'.repeat(300)}`)
})
