/** The yardstick of a whole service: Node's server with prebuilt answers, in a process of its own. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const bodies = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const body = bodies.get(request.url!) ?? Buffer.from('{}')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})

/** What it answers: the bodies of an origin's targets. */
async function copyFrom(origin: string, targets: readonly string[]): Promise<void> {
  for (const target of targets)
    bodies.set(target, Buffer.from(await (await fetch(origin + target)).arrayBuffer()))
}

process.on('message', (asked: { readonly origin: string; readonly targets: readonly string[] }) => {
  void copyFrom(asked.origin, asked.targets).then(() => process.send!('copied'))
})

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
