import type { IncomingMessage } from 'node:http'
import { limits } from '../limits.ts'

/** Reads and drops request bodies up to a limit, so that the connection can be reused. */
export function drainBody(request: IncomingMessage): void {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
  let received = 0
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > limits.ignoredBodyMax) request.socket.destroy()
  })
}

/**
 * Whether the client waits for a 100 Continue. The server sends none, so a body cannot be distinguished from the next
 * request.
 */
export const awaitsContinue = ({ headers }: IncomingMessage): boolean => headers.expect !== undefined
