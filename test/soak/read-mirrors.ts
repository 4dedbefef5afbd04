import { setTimeout as pause } from 'node:timers/promises'
import { MirrorProcess } from '../fixtures/mirror-process.ts'

/** The target of a session at the front; without a name, that of a mirror by itself. */
export const inSession = (target: string, session: string): string =>
  session === '' ? target : `${target}${target.includes('?') ? '&' : '?'}session=${session}`

/** The mirrors that are read: one by itself, whose session needs no name, or several sessions at one front. */
export interface ReadMirrors {
  readonly mirror: MirrorProcess
  readonly sessions: readonly string[]
  stop(): Promise<void>
}

interface World {
  readonly scale: string
  readonly scenario: string
}

const flagsOf = ({ scale, scenario }: World): string[] => [
  '--scale',
  scale,
  '--warmup',
  '1d',
  '--scenario',
  scenario,
]
const startTimeoutMs = 600_000

/** Starts them, and waits until each has a world. The last of several sessions is attached to a mirror of its own. */
export async function startMirrors(count: number, world: World): Promise<ReadMirrors> {
  const upstream = await MirrorProcess.start(flagsOf(world))
  if (count <= 1) return { mirror: upstream, sessions: [''], stop: () => upstream.stop() }
  const sessions = Array.from({ length: count }, (_, index) => `s${index + 1}`)
  const flags = `scale=${world.scale}&warmup=1d&scenario=${world.scenario}`
  const list = sessions.map((name, index) =>
    index === count - 1 ? `${name}=${upstream.origin}` : `${name}=simulation?${flags}&seed=${index + 1}`,
  )
  const mirror = await MirrorProcess.start(['--sessions', list.join(',')], 'listening')
  const stop = async (): Promise<void> => {
    await mirror.stop()
    await upstream.stop()
  }
  for (let waitedMs = 0; ; waitedMs += 1_000) {
    const { status } = JSON.parse(await mirror.text('/health')) as { readonly status: string }
    if (['ok', 'idle'].includes(status)) return { mirror, sessions, stop }
    if (waitedMs > startTimeoutMs || !mirror.isRunning) {
      await stop()
      throw new Error(`The sessions did not become ready:\n${mirror.log}`)
    }
    await pause(1_000)
  }
}
