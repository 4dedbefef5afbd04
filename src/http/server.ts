import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { HttpListener } from './http-listener.ts'
import type { ParserError } from './requests/malformed-requests.ts'
import type { ResourceContext } from './resources/resources.ts'
import { Responder } from './responses/responder.ts'
import type { ResponderOptions } from './responses/responder.ts'

interface HttpServerOptions extends ResponderOptions {
  readonly context: ResourceContext
  readonly allowedHosts: readonly string[]
  readonly connectionsMax?: number | undefined
}

/** The HTTP server of a mirror. */
export class HttpServer {
  readonly #listener: HttpListener
  readonly #app: FastifyInstance

  constructor({ allowedHosts, connectionsMax, context, ...options }: HttpServerOptions) {
    const { clock, log } = options
    const responder = new Responder(options)
    const listener = new HttpListener({ responder, allowedHosts, connectionsMax, clock, log })
    this.#listener = listener
    this.#app = createApp({
      responder,
      hostNames: listener.hostNames,
      context,
      serverFactory: (handler) => listener.createServer(handler),
      clientErrorHandler: (error, socket) => listener.onClientError(error as unknown as ParserError, socket),
    })
  }

  /** Listens, and returns the address. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    await this.#app.listen({ host, port })
    return this.#app.server.address() as AddressInfo
  }

  async close(): Promise<void> {
    await this.#listener.close()
    await this.#app.close()
  }
}
