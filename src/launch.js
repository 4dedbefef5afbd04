#!/usr/bin/env node
// The command's entry. It is plain JavaScript because it has to run on a Node too old for TypeScript.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 24
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

const nodeIsRecent = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR
const liesBelowNodeModules = /[\\/]node_modules[\\/]/.test(fileURLToPath(import.meta.url))

if (nodeIsRecent && !liesBelowNodeModules) {
  await import('./main.ts')
} else {
  const node = nodeIsRecent ? process.execPath : installedNode()
  if (node === undefined) refuse()
  else run(node)
}

/** Finds the Node that npm installs beside this package as an optional dependency. */
function installedNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}

function refuse() {
  console.error(
    `dcsim-mirror needs Node ${NEEDED_MAJOR} or newer, this is ${process.version}, ` +
      `and no newer one was installed beside it for ${process.platform}-${process.arch}.`,
  )
  process.exitCode = 1
}

/** A process of its own is needed below node_modules too: only `--import` reaches worker threads. */
function run(node) {
  const hooks = new URL('launch-hooks.js', import.meta.url).href
  // Stripping types by hand is marked experimental in Node 24, which is no news to whoever runs this.
  const stripping = liesBelowNodeModules ? ['--disable-warning=ExperimentalWarning', '--import', hooks] : []
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn(node, [...process.execArgv, ...stripping, main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of FORWARDED_SIGNALS) {
    process.on(signal, () => {
      // A terminal's Ctrl-C has already reached the child, which shares the process group.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`dcsim-mirror could not start ${node}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
