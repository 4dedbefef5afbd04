import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noCache } from '../../options/world-settings.ts'

/** The package and the image have the default world here, at the end of its warm-up. */
export const shippedWorlds = fileURLToPath(new URL('../../../worlds/', import.meta.url))

/** The folder that `--cache` names; null for none. */
export function cacheFolder(option: string, environment: NodeJS.ProcessEnv): string | null {
  if (option === noCache) return null
  return option === '' ? join(userCaches(environment), 'dcsim-mirror') : resolve(option)
}

/** As the XDG Base Directory Specification and Windows have it. */
function userCaches({ XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows }: NodeJS.ProcessEnv): string {
  const named = [xdg, windows]
  return named.find((path) => path !== undefined && isAbsolute(path)) ?? join(homedir(), '.cache')
}
