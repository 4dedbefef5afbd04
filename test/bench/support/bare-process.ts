import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts the bare server with the answers that a service gives to these targets. */
export async function startBare(
  service: string,
  targets: readonly string[],
): Promise<{ origin: string; process: ChildProcess }> {
  const bare = fork(fileURLToPath(new URL('bare-server.ts', import.meta.url)), { execArgv: [] })
  const [port] = (await once(bare, 'message')) as [number]
  const copied = once(bare, 'message')
  bare.send({ origin: service, targets })
  await copied
  return { origin: `http://127.0.0.1:${port}`, process: bare }
}
