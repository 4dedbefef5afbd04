import type { HttpResponse } from '../../../src/sources/attached/http/http-client.ts'

/** A response of an upstream with a body. */
export const responseOf = (body: string | Buffer): HttpResponse => ({
  name: 'It',
  headers: {},
  body: Buffer.from(body),
  receivedMs: 100,
  isMissing: false,
})
