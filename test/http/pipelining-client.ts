/** A process that pipelines a request on many connections at once. */
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface PipeliningTask {
  readonly port: number
  /** The target of the request; `{n}` is the number of the connection. */
  readonly target: string
  readonly connections: number
  readonly requestsPerConnection: number
  readonly isReading: boolean
  readonly durationMs: number
}

function pipeline(task: PipeliningTask): void {
  const { port, target, connections, requestsPerConnection, isReading, durationMs } = task
  for (let index = 0; index < connections; index++) {
    const head = `GET ${target.replace('{n}', String(index))} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const socket = connect(port, '127.0.0.1', () => socket.write(head.repeat(requestsPerConnection)))
    socket.on('error', () => {})
    if (isReading) socket.resume()
  }
  setTimeout(() => process.exit(), durationMs)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.once('message', pipeline)
