/** The library as it is installed: packed, unpacked below node_modules, imported by a program of its own. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const checkout = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'dcsim-mirror-library-'))
const example = /```ts\n(?<code>[\s\S]+?)```/.exec(readFileSync(join(checkout, 'docs/library.md'), 'utf8'))!
  .groups!['code']

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: checkout })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }]
  await run('tar', ['-xzf', filename], { cwd: folder })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@types'), { recursive: true })
  renameSync(join(folder, 'package'), join(modules, 'dcsim-mirror'))
  for (const name of ['fastify', 'prom-client', '@types/node']) {
    symlinkSync(join(checkout, 'node_modules', name), join(modules, name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'example.ts'), example)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the example of the documentation runs', async () => {
  const { stdout, stderr } = await run(process.execPath, ['example.ts'], { cwd: folder })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'ok', world_ready: true, publish_seq: 1 })
  expect(stderr).toBe('')
})

test('the example passes a strict compiler', async () => {
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node']
  const tsc = join(checkout, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, [...flags, 'example.ts'], { cwd: folder })
  expect(stdout).toBe('')
})

test('the command of the package still starts', async () => {
  const launch = join(folder, 'node_modules/dcsim-mirror/src/launch.js')
  const { stdout } = await run(process.execPath, [launch, '--version'], { cwd: folder })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
