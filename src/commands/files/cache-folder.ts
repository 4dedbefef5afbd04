import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noCache } from '../../options/world-settings.ts'
import { userCaches } from './user-caches.ts'

/** The package and the image have the default world here, at the end of its warm-up. */
export const shippedWorlds = fileURLToPath(new URL('../../../worlds/', import.meta.url))

/** The folder that `--cache` names; null for none. */
export function cacheFolder(option: string, environment: NodeJS.ProcessEnv): string | null {
  if (option === noCache) return null
  return option === '' ? userCaches(environment) : resolve(option)
}
