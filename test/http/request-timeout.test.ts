import { afterAll, expect, test } from 'vitest'
import { TestService } from './test-service.ts'
import { rawResponses, sendRaw } from './raw-connection.ts'

interface Problem {
  readonly detail: string
  readonly meta: { readonly age_ms: number }
}

const service = await TestService.start({ cadenceMs: 3_600_000 })
afterAll(() => service.stop())

test('a request that does not arrive is a 408', { timeout: 20_000 }, async () => {
  const [answer] = rawResponses(await sendRaw(service.port, 'GET /health HTTP/1.1\r\nHo', 15_000))
  const { status, headers, body } = answer
  expect([status, headers.get('connection')]).toEqual([408, 'close'])
  const { detail, meta } = JSON.parse(body) as Problem
  expect(headers.get('x-sim-age-ms')).toBe(String(meta.age_ms))
  expect(detail).toBe(
    'The request did not arrive whole, expected its headers within 10 s and all of it within 15 s.',
  )
})
