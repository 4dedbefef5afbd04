/**
 * Lives through the warm-up of the default world once, so that it comes with the package, the image and the executable.
 *
 *   node first-start.ts FOLDER COMMAND…
 *
 * Starts the mirror with COMMAND until its world is kept in FOLDER, which is emptied before. Code that Node compiled
 * meanwhile is kept too, where NODE_COMPILE_CACHE names a folder.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const timeoutMs = 600_000

const [folder, command, ...words] = process.argv.slice(2)
for (const name of existsSync(folder) ? readdirSync(folder) : [])
  if (/\.(?:dcsim|past)$/.test(name)) rmSync(join(folder, name))

// A path may not be that of this Node: it is the one on the PATH, as of a script of npm.
const mirror = spawn(command, [...words, '--listen', '127.0.0.1:0', '--actions', 'none', '--cache', folder])
const timeout = setTimeout(() => mirror.kill('SIGKILL'), timeoutMs)
let log = ''
let isKept = false
for (const stream of [mirror.stdout, mirror.stderr])
  stream.on('data', (piece: Buffer) => {
    log += piece.toString()
    if (isKept || !/ (?:are|not) kept/.test(log)) return
    isKept = log.includes(' are kept in ')
    mirror.kill('SIGTERM')
  })
await once(mirror, 'close')
clearTimeout(timeout)
if (!isKept) {
  process.stderr.write(log)
  process.exitCode = 1
}
