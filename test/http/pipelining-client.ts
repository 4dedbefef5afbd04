/** A process that pipelines the same request on many connections at once. */
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface PipeliningTask {
  readonly port: number
  readonly connections: number
  readonly requestsPerConnection: number
  readonly isReading: boolean
  readonly durationMs: number
}

function pipeline({ port, connections, requestsPerConnection, isReading, durationMs }: PipeliningTask): void {
  const requests = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requestsPerConnection)
  for (let index = 0; index < connections; index++) {
    const socket = connect(port, '127.0.0.1', () => socket.write(requests))
    socket.on('error', () => {})
    if (isReading) socket.resume()
  }
  setTimeout(() => process.exit(), durationMs)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.once('message', pipeline)
