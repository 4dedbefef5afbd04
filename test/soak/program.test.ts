/** A short soak. The seed is fixed; DCSIM_TEST_SEED gives another. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test('a short soak ends without a failure', { timeout: 240_000 }, async () => {
  const words = ['--minutes', '0.25', '--rate', '200', '--scale', 'small']
  const seed = process.env['DCSIM_TEST_SEED'] ?? '1'
  const child = spawn(process.execPath, ['test/soak/main.ts', ...words, '--seed', seed], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code === 0 ? '' : text).toBe('')
  expect(text).toMatch(/: no failures\n$/)
})
