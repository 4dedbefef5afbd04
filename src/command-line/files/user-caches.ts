import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import module from 'node:module'
import { isSea } from 'node:sea'
import { environmentVariable } from '../../options/command.ts'

/** As the XDG Base Directory Specification and Windows have it; null for a user without a home. */
export function userCaches({ XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows }: NodeJS.ProcessEnv): string | null {
  const named = [xdg, windows].find((path) => path !== undefined && isAbsolute(path))
  try {
    return join(named ?? join(homedir(), '.cache'), 'dcsim-mirror')
  } catch {
    return null
  }
}

/**
 * The executable has files of its own where it was double-clicked, that is, runs without arguments, and `act` writes to
 * the one that it then reads.
 */
export function ownEnvironment(
  command: string | undefined,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const folder = userCaches(environment)
  if (!isSea() || folder === null || (command !== undefined && command !== 'act')) return environment
  mkdirSync(folder, { recursive: true })
  return {
    ...(command === undefined && { [environmentVariable('session-file')]: join(folder, 'session.dcsim') }),
    [environmentVariable('actions')]: join(folder, 'actions.jsonl'),
    ...environment,
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
