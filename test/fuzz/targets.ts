import type { OpenTarget } from './target.ts'

/** Imported when it is opened: each target needs most of the program. */
const opened =
  (load: () => Promise<OpenTarget>): OpenTarget =>
  async (seed, observe) =>
    (await load())(seed, observe)

export const targets: Readonly<Record<string, OpenTarget>> = {
  http: opened(async () => (await import('./targets/http.ts')).openHttp),
  file: opened(async () => (await import('./targets/file.ts')).openWorldFile),
  upstream: opened(async () => (await import('./targets/upstream.ts')).openUpstream),
  parts: opened(async () => (await import('./targets/parts.ts')).openParts),
  'session-file': opened(async () => (await import('./targets/session-file.ts')).openSessionFile),
  tables: opened(async () => (await import('./targets/tables.ts')).openTables),
  sessions: opened(async () => (await import('./targets/sessions.ts')).openSessions),
  actions: opened(async () => (await import('./targets/actions.ts')).openActions),
  simulator: opened(async () => (await import('./targets/simulator.ts')).openSimulator),
}
