/**
 * The way from a container of the stack to a game that listens on the loopback of the machine (deploy/compose/attach.yml).
 *
 *   node forward-game.ts inside PORT   forwards requests of the stack, in its network
 *   node forward-game.ts outside PORT  takes them from there to the game, in the network of the machine
 */
import { lookup } from 'node:dns/promises'
import { rmSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'

const [side, portText] = process.argv.slice(2)
const port = Number(portText)
const socketPath = '/run/game/socket'

/** Docker Desktop resolves a name for this machine, whose connections reach its loopback. */
const desktop = await lookup('host.docker.internal').then(
  () => ({ host: 'host.docker.internal', port }),
  () => null,
)

function forwardRequests(): void {
  const to = desktop ?? { socketPath }
  const place = desktop?.host ?? 'this machine'
  const agent = new http.Agent({ keepAlive: true })
  let isDown = false
  const server = http.createServer((request, response) => {
    // The game may refuse any other name.
    const headers = { ...request.headers, host: `localhost:${port}` }
    const forwarded = http.request(
      { ...to, agent, method: request.method, path: request.url, headers },
      (reply) => {
        isDown = false
        response.writeHead(reply.statusCode!, reply.rawHeaders)
        reply.on('error', () => response.destroy()).pipe(response)
      },
    )
    forwarded.on('error', ({ message }) => {
      if (response.headersSent || response.destroyed) return response.destroy()
      const error = `No response from port ${port} of ${place}: ${message}.`
      if (!isDown) console.log(error)
      isDown = true
      return response.writeHead(502).end(error)
    })
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  server.listen(9740, () => console.log(`Forwarding to port ${port} of ${place}.`))
}

function forwardConnections(): void {
  rmSync(socketPath, { force: true })
  net
    .createServer((client) => {
      const game = net.connect(port, '127.0.0.1')
      client
        .on('error', () => game.destroy())
        .on('close', () => game.destroy())
        .pipe(game)
      game
        .on('error', () => client.destroy())
        .on('close', () => client.destroy())
        .pipe(client)
    })
    .listen(socketPath)
}

if (side === 'outside') forwardConnections()
else forwardRequests()
