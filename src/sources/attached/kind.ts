import type { SourceKind } from '../source-kind.ts'

/** An upstream that speaks the specification: the game, or another mirror. */
export interface UpstreamSpec {
  readonly kind: 'upstream'
  /** Such as http://127.0.0.1:9741. */
  readonly origin: string
}

export const upstreamKind: SourceKind<UpstreamSpec> = {
  usage: 'a URL such as http://127.0.0.1:9741',
  help: 'http://HOST:PORT, an upstream that speaks the same API, such as the game or another mirror',
  noun: 'upstreams',
  matches: (source) => /^https?:\/\//.test(source),
  describe: ({ origin }) => `the world at ${origin}`,
  sessionName: ({ source }) => new URL(source).host,
  open: async ({ origin }, context) => {
    const { AttachedSource } = await import('./source.ts')
    return new AttachedSource({ ...context, origin: new URL(origin) })
  },
  upstreamOrigin: ({ origin }) => origin,
}
