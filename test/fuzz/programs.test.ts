/** The short form of each long-running program. The seed is fixed; DCSIM_TEST_SEED overrides it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const seed = process.env['DCSIM_TEST_SEED'] ?? '1'

const programs = [
  ['test/fuzz/http.ts', '--requests', '4000'],
  ['test/fuzz/upstream.ts', '--mutations', '150', '--lanes', '2'],
  ['test/fuzz/recording.ts', '--files', '300'],
  ['test/soak/main.ts', '--minutes', '0.25', '--rate', '100', '--scale', 'small'],
]

test.each(programs)('%s %s %s', { timeout: 240_000 }, async (...words) => {
  const child = spawn(process.execPath, [...words, '--seed', seed], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code === 0 ? '' : text).toBe('')
  expect(text).toMatch(/: no failures\n$/)
})
