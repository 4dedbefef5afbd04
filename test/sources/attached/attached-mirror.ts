import { setTimeout as pause } from 'node:timers/promises'
import { createMirror } from '../../../src/library.ts'
import type { EmbeddedMirror, MirrorSettings } from '../../../src/library.ts'

export interface Attached {
  readonly mirror: EmbeddedMirror
  readonly origin: string
  readonly lines: string[]
}

/** A mirror that is attached to a server, or shows a world of this program, in this thread. */
export async function attach(
  source: MirrorSettings['source'],
  settings: Partial<MirrorSettings> = {},
): Promise<Attached> {
  const lines: string[] = []
  const log = (line: string): number => lines.push(line)
  const mirror = createMirror({ source, cadenceMs: 100, log, ...settings })
  const { port } = await mirror.listen()
  return { mirror, origin: `http://127.0.0.1:${port}`, lines }
}

export async function textOf(origin: string, path: string): Promise<string> {
  const response = await fetch(`${origin}${path}`)
  return response.text()
}

/** A body without its `meta`. */
export const withoutMeta = (body: string): string => body.replace(/^\{"meta":\{[^}]*\},?/, '{')

interface Health {
  readonly status: string
  readonly reason: string
  readonly age_ms: number
  readonly publish_seq: number
}

export const healthOf = async (origin: string): Promise<Health> =>
  JSON.parse(await textOf(origin, '/health')) as Health

/** Polls the health until a condition is met. */
export async function waitForHealth(
  origin: string,
  isSo: (health: Health, text: string) => boolean,
  withinMs = 30_000,
): Promise<Health> {
  const beganMs = performance.now()
  for (;;) {
    const text = await textOf(origin, '/health')
    const health = JSON.parse(text) as Health
    if (isSo(health, text)) return health
    if (performance.now() - beganMs > withinMs) throw new Error(`It did not come to that: ${text}`)
    await pause(10)
  }
}
