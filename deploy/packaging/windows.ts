/**
 * Builds dcsim-mirror.exe: Node for Windows (x64) with the program in it, by Node's single-executable build.
 *
 *   npm run build:windows [-- FOLDER [NODE]]
 *
 * FOLDER is `dist` by default. NODE is a node.exe of the version of the Node that runs this; without it, Node comes from
 * npm. The thread of requests reads its modules and the files of the package from a file system within the executable.
 * Other threads cannot: each is a single bundle.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { build } from 'vite'
import { worldDigest } from '../../src/sources/built-in/world-digest.ts'
import { cache, nodeFromNpm } from './node-from-npm.ts'
import { firstStart, root, runNode } from './program.ts'

const flags = ['--max-semi-space-size=16']
const threads = ['world-thread', 'tables-thread']

const [folder = 'dist', ownNode] = process.argv.slice(2)
const output = resolve(folder, 'dcsim-mirror.exe')
const work = mkdtempSync(join(cache, 'work-'))

/** The Node for Windows, and the one that puts the program into it. */
function nodes(): [node: string, builder: string] {
  if (ownNode !== undefined) return [resolve(ownNode), process.execPath]
  const node = nodeFromNpm('win-x64', 'node.exe')
  return [
    node,
    process.platform === 'win32' ? node : nodeFromNpm(`${process.platform}-${process.arch}`, 'node'),
  ]
}

/** Bundles an entry with the packages that it imports, in one file or, loaded when they are needed, in several. */
const bundle = (name: string, folder: string, isSplit: boolean): Promise<unknown> =>
  build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'esnext',
      minify: false,
      outDir: join(work, folder),
      emptyOutDir: false,
      rolldownOptions: {
        input: join(root, `src/${name}.ts`),
        // Code finds the folder of the package two levels up.
        output: { codeSplitting: isSplit, chunkFileNames: '[name]-[hash].js' },
      },
    },
  })

/** Files below a folder, by their path in the executable. */
function filesIn(from: string, to: string, isWanted: (name: string) => boolean): Array<[string, string]> {
  const entries = readdirSync(from, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [`${to}${path.slice(from.length)}`.replaceAll('\\', '/'), path]
    })
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: true; readonly optional?: true }>>
}

/** The packages that the program runs with. */
function packages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional }]) => path !== '' && dev !== true && optional !== true)
    .map(([path]) => path)
}

/** Writes a file of its own into the executable. */
function made(name: string, content: string | Uint8Array): [string, string] {
  const path = join(work, 'made', name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return [name, path]
}

/** Compressed worlds: the program unpacks them where it caches. */
const worldsIn = (from: string): Array<[string, string]> =>
  readdirSync(from)
    .filter((name) => name.endsWith('.dcsim'))
    .map((name) => {
      const params = { [constants.ZSTD_c_compressionLevel]: 15 }
      return made(`worlds/${name}.zst`, zstdCompressSync(readFileSync(join(from, name)), { params }))
    })

const worlds = join(work, 'worlds')
const [node, builder] = nodes()
firstStart(worlds, ['src/main.ts'])
await bundle('main', 'lib/bundle', true)
for (const name of threads) await bundle(name, 'threads', false)

const assets = [
  ...filesIn(join(work, 'lib'), 'lib', () => true),
  ...packages().flatMap((path) => filesIn(join(root, path), path, (name) => /^licen[cs]e/i.test(name))),
  ...filesIn(join(root, 'alerts/runbooks'), 'alerts/runbooks', (name) => name.endsWith('.md')),
  ...filesIn(join(root, 'alerts/generated'), 'alerts/generated', (name) => name.endsWith('.yaml')),
  ...filesIn(join(root, 'dashboards/generated'), 'dashboards/generated', (name) => name.endsWith('.json')),
  ...worldsIn(worlds),
  ['package.json', join(root, 'package.json')],
  ['LICENSE', join(root, 'LICENSE')],
  ...threads.map((name) => [`${name}.js`, join(work, 'threads', `${name}.js`)]),
  made('world-digest', worldDigest(pathToFileURL(`${root}/src/`))),
]
mkdirSync(resolve(folder), { recursive: true })
const [, config] = made(
  'sea.json',
  JSON.stringify({
    main: made('main.js', "import './lib/bundle/main.js'\n")[1],
    mainFormat: 'module',
    executable: node,
    output,
    useVfs: true,
    execArgv: flags,
    disableExperimentalSEAWarning: true,
    assets: Object.fromEntries(assets),
  }),
)
runNode(['--build-sea', config], builder)
rmSync(work, { recursive: true })
