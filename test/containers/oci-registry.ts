import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { listening } from '../fixtures/listening.ts'

/** An OCI registry in memory, on the loopback: as much of its API as a client needs that pushes and pulls an artifact. */
export class OciRegistry {
  readonly #blobs = new Map<string, { readonly bytes: Buffer; readonly type: string }>()
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      const { pathname, searchParams } = new URL(request.url!, 'http://registry')
      const name = pathname.split('/').at(-1)!
      if (method === 'POST') return response.writeHead(202, { Location: `${pathname}upload` }).end()
      if (method === 'PUT') {
        const bytes = Buffer.concat(chunks)
        const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
        const blob = { bytes, type: headers['content-type'] ?? 'application/octet-stream' }
        this.#blobs.set(digest, blob)
        if (!searchParams.has('digest')) this.#blobs.set(name, blob)
        return response.writeHead(201, { 'Docker-Content-Digest': digest }).end()
      }
      const found = this.#blobs.get(name)
      if (found === undefined) return response.writeHead(pathname === '/v2/' ? 200 : 404).end()
      const digest = `sha256:${createHash('sha256').update(found.bytes).digest('hex')}`
      const { length } = found.bytes
      response.writeHead(200, {
        'Content-Type': found.type,
        'Content-Length': length,
        'Docker-Content-Digest': digest,
      })
      return response.end(method === 'HEAD' ? undefined : found.bytes)
    })
  })

  async listen(): Promise<string> {
    return `127.0.0.1:${await listening(this.#server)}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
