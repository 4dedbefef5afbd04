import type { IncomingMessage } from 'node:http'
import { limits } from './limits.ts'

/** No request needs a body. One that comes is read and dropped, up to a bound, so that the connection stays usable. */
export function ignoreBody(request: IncomingMessage): void {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
  let received = 0
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > limits.ignoredBodyMax) request.socket.destroy()
  })
}

/** Whether the client waits to be told to send its body. It never is, and what it sends next can't be told apart. */
export const awaitsContinue = ({ headers }: IncomingMessage): boolean => headers.expect !== undefined
