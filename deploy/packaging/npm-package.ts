/**
 * Makes what `npm pack` packs, and removes it: the compiled sources, the default world, and a manifest without what
 * only a checkout needs.
 *
 *   node deploy/packaging/npm-package.ts prepack|postpack
 */
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { compile, firstStart } from './program.ts'

const kept = 'package.checkout.json'

interface Manifest {
  optionalDependencies?: unknown
  readonly scripts: Record<string, string>
}

if (process.argv[2] === 'prepack') {
  compile('lib')
  firstStart('worlds', ['lib/main.js'])
  copyFileSync('package.json', kept)
  const manifest = JSON.parse(readFileSync(kept, 'utf8')) as Manifest
  delete manifest.optionalDependencies
  delete manifest.scripts['prepare']
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
} else {
  renameSync(kept, 'package.json')
  for (const folder of ['lib', 'worlds']) rmSync(folder, { recursive: true, force: true })
}
