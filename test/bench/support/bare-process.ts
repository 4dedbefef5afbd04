/** The yardstick of a whole service: Node's server with prebuilt responses, in a process of its own. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

interface Copied {
  readonly origin: string
  readonly targets: readonly string[]
}

/** Starts the bare server with a service's responses to these targets. */
export async function startBare(copied: Copied): Promise<{ origin: string; process: ChildProcess }> {
  const bare = fork(fileURLToPath(import.meta.url), { execArgv: [] })
  bare.send(copied)
  const [port] = (await once(bare, 'message')) as [number]
  return { origin: `http://127.0.0.1:${port}`, process: bare }
}

async function serve({ origin, targets }: Copied): Promise<void> {
  const bodies = new Map<string, Buffer>()
  for (const target of targets)
    bodies.set(target, Buffer.from(await (await fetch(origin + target)).arrayBuffer()))
  const server = createServer((request, response) => {
    const body = bodies.get(request.url!) ?? Buffer.from('{}')
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  process.on('message', (copied: Copied) => void serve(copied))
