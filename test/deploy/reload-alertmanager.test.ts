import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { root } from '../containers/stack-file.ts'
import { listening } from '../fixtures/listening.ts'

const folder = mkdtempSync(join(tmpdir(), 'reload-'))
afterAll(() => rmSync(folder, { recursive: true }))
const password = join(folder, 'password')
writeFileSync(password, 'secret\n')

async function reload(url: string): Promise<readonly [code: number, err: string]> {
  const child = spawn(process.execPath, ['deploy/stack/reload-alertmanager.ts', url, password], { cwd: root })
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return [code, err]
}

test('a running Alertmanager reads its files again, says what it refuses, and one that does not run yet is no fault', async () => {
  const asked: unknown[] = []
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    asked.push([method, url, authorization])
    response.writeHead(asked.length === 1 ? 200 : 500).end('undefined receiver "x"\n')
  })
  const url = `http://127.0.0.1:${await listening(server)}`
  expect(await reload(url)).toEqual([0, ''])
  expect(await reload(url)).toEqual([2, 'Alertmanager keeps its channels: undefined receiver "x"\n'])
  expect(asked[0]).toEqual(['POST', '/-/reload', `Basic ${Buffer.from('stack:secret').toString('base64')}`])
  server.close()
  await once(server, 'close')
  expect(await reload(url)).toEqual([0, ''])
})
