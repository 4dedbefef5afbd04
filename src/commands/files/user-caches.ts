import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import module from 'node:module'

/** As the XDG Base Directory Specification and Windows have it; null for a user without a home. */
export function userCaches({ XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows }: NodeJS.ProcessEnv): string | null {
  const named = [xdg, windows].find((path) => path !== undefined && isAbsolute(path))
  try {
    return join(named ?? join(homedir(), '.cache'), 'dcsim-mirror')
  } catch {
    return null
  }
}

/** Keeps the code that V8 compiled for the next start, unless Node has a folder for it. */
export function keepCompiledCode(environment: NodeJS.ProcessEnv): void {
  const caches = userCaches(environment)
  if (caches === null || (environment['NODE_COMPILE_CACHE'] ?? '') !== '') return
  const folder = join(caches, 'compiled')
  module.enableCompileCache(folder)
  // Threads read it when they start.
  environment['NODE_COMPILE_CACHE'] = folder
}
