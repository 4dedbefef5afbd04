import { closeSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { openRegularFile, writeAll } from '../../files/regular-file.ts'
import { noCache } from '../../options/world-settings.ts'
import { packageRoot } from '../../process/package-root.ts'
import { userCaches } from './user-caches.ts'

/** The package and the image have the default world here, at the end of its warm-up. */
export const shippedWorlds = fileURLToPath(new URL('worlds/', packageRoot))

/** The folder that `--cache` names; null for none. */
export function cacheFolder(option: string, environment: NodeJS.ProcessEnv): string | null {
  if (option === noCache) return null
  const folder = option === '' ? userCaches(environment) : resolve(option)
  if (folder !== null && isSea()) unpackWorlds(folder)
  return folder
}

const packed = /^worlds\/(.+)\.zst$/

/** SQLite reads no file within the executable. A file is complete under its name. */
function unpackWorlds(folder: string): void {
  for (const key of getAssetKeys()) {
    const [, name] = packed.exec(key) ?? []
    if (name === undefined) continue
    const path = join(folder, basename(name))
    if (existsSync(path)) continue
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = openRegularFile(`${path}.part`, 'replace')
      writeAll(file, zstdDecompressSync(getRawAsset(key)))
      closeSync(file)
      renameSync(`${path}.part`, path)
    } catch {
      // The world simulates its warm-up.
    }
  }
}
