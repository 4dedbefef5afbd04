/** The words that the table of misbehaviors is written in. */
import type { SourceFault } from '../../../src/contract/source-faults.ts'
import type { ReplyFilter } from '../attached/fake-upstream.ts'

/** What must be seen of a mirror while its upstream misbehaves. */
export type Outcome =
  /** It is stale, says why, counts one of these faults if any is named, and serves its last good state. */
  | { readonly is: 'refused'; readonly as: readonly SourceFault[] }
  /** It publishes what it got: a later publish, whose answer to the target holds the text. */
  | { readonly is: 'served'; readonly target?: string; readonly holds?: string }
  /** It publishes the world as it was captured: what is wrong concerns none of its records. */
  | { readonly is: 'unaffected' }
  /** Refused or served, as it happens to be noticed: only what always holds. */
  | { readonly is: 'survived' }

export interface Misbehavior {
  readonly name: string
  /** What the upstream sends instead of its answer. */
  readonly send: ReplyFilter
  readonly seen: Outcome
  /** The upstream restarts first, so that the mirror asks again for what it had given up on. */
  readonly afterRestart?: boolean
}

export const refused = (
  as: SourceFault | readonly SourceFault[],
  name: string,
  send: ReplyFilter,
): Misbehavior => ({
  name,
  send,
  seen: { is: 'refused', as: typeof as === 'string' ? [as] : as },
})

/** Nothing arrives: the mirror is stale long before the request times out, when the fault is counted. */
export const silent = (name: string, send: ReplyFilter): Misbehavior => refused([], name, send)

export const served = (name: string, send: ReplyFilter, target?: string, holds?: string): Misbehavior => ({
  name,
  send,
  seen: {
    is: 'served',
    ...(target === undefined ? {} : { target }),
    ...(holds === undefined ? {} : { holds }),
  },
})

export const unaffected = (name: string, send: ReplyFilter): Misbehavior => ({
  name,
  send,
  seen: { is: 'unaffected' },
})

export const survived = (name: string, send: ReplyFilter): Misbehavior => ({
  name,
  send,
  seen: { is: 'survived' },
})

export const afterRestart = (misbehavior: Misbehavior): Misbehavior => ({
  ...misbehavior,
  afterRestart: true,
})

/** Only answers to targets that begin so are changed. */
export const on =
  (target: string, filter: ReplyFilter): ReplyFilter =>
  (reply, request, response) =>
    request.url!.startsWith(target) ? filter(reply, request, response) : reply

/** The first match in the body becomes something else. */
export const replace =
  (pattern: RegExp | string, by: string): ReplyFilter =>
  (reply) => ({ ...reply, body: reply.body.replace(pattern, () => by) })

export const body =
  (text: string): ReplyFilter =>
  (reply) => ({ ...reply, body: text })

export const status =
  (code: number, text = '{}'): ReplyFilter =>
  (reply) => ({ ...reply, status: code, body: text })

export const withHeaders =
  (headers: Readonly<Record<string, string>>): ReplyFilter =>
  (reply) => ({ ...reply, headers: { ...reply.headers, ...headers } })

/** Any bytes; then the connection ends, unless it is kept. */
export const wire =
  (bytesOf: (body: string, headers: string) => string | Buffer, keepOpen = false): ReplyFilter =>
  (reply, request) => {
    const own = keepOpen ? reply.headers : { ...reply.headers, Connection: 'close' }
    const headers = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`)
    request.socket.write(bytesOf(reply.body, headers.join('')))
    if (!keepOpen) request.socket.end()
    return null
  }
