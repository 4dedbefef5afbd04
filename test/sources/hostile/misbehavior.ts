/** The vocabulary of the table of misbehaviors. */
import type { SourceFault } from '../../../src/contract/source-faults.ts'
import type { ReplyFilter } from '../attached/fake-upstream.ts'

/** The expected behavior of a mirror while its upstream misbehaves. */
export type Outcome =
  /** It is stale with a reason, counts one of these faults if any is named, and serves its last good state. */
  | { readonly is: 'refused'; readonly as: readonly SourceFault[] }
  /**
   * The part that was read before costs publishes at first: it is stale with a reason, counts one of these faults, and
   * serves its last good state. Then it publishes without the part, whose last state it keeps.
   */
  | { readonly is: 'without'; readonly as: readonly SourceFault[] }
  /** It publishes the response: a later publish, whose response to the target contains the text. */
  | { readonly is: 'served'; readonly target?: string; readonly holds?: string }
  /** It publishes the captured world: the misbehavior affects none of its records. */
  | { readonly is: 'unaffected' }
  /** Refused or served, depending on timing: only the invariants apply. */
  | { readonly is: 'survived' }

export interface Misbehavior {
  readonly name: string
  /** The upstream's modified response. */
  readonly send: ReplyFilter
  readonly seen: Outcome
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

export const without = (
  as: SourceFault | readonly SourceFault[],
  name: string,
  send: ReplyFilter,
): Misbehavior => ({
  name,
  send,
  seen: { is: 'without', as: typeof as === 'string' ? [as] : as },
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

/** Changes only responses to targets with this prefix. */
export const on =
  (target: string, filter: ReplyFilter): ReplyFilter =>
  (reply, request, response) =>
    request.url!.startsWith(target) ? filter(reply, request, response) : reply

/** Replaces the first match in the body. */
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

/** Sends any bytes; then the connection ends, unless it is kept open. */
export const wire =
  (bytesOf: (body: string, headers: string) => string | Buffer, keepOpen = false): ReplyFilter =>
  (reply, request) => {
    const own = keepOpen ? reply.headers : { ...reply.headers, Connection: 'close' }
    const headers = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`)
    request.socket.write(bytesOf(reply.body, headers.join('')))
    if (!keepOpen) request.socket.end()
    return null
  }
