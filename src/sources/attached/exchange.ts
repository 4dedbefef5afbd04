import { isUtf8 } from 'node:buffer'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as secureRequest, Agent as SecureAgent } from 'node:https'
import { connect } from 'node:net'
import type { NetConnectOpts, Socket } from 'node:net'
import type { Clock } from '../../contract/clock.ts'
import type { SourceFault } from '../../contract/source-faults.ts'
import type { BufferPool } from '../../encoding/buffer-pool.ts'
import { SourceTrouble } from '../source.ts'

/** Requests that are under way at once. More would only queue at the server. */
export const connectionsMax = 4

/** No answer has more, whatever it says or does not say of its length. */
export const bodyBytesMax = 64 * 2 ** 20

/** The room for a body whose length is not told. */
const firstGuessBytes = 256 * 1024

/** However steadily it drips, no answer takes longer. */
export const answerWithinMs = 20_000

/** As much is taken from a connection at once. */
const readBytes = 256 * 1024

/** Headers that take more are refused by Node. */
const headerBytesMax = 16 * 1024

export interface Answer {
  /** The whole address, for people. */
  readonly address: string
  /** The body, in a buffer that goes back to the pool with `free`, which is called once. */
  readonly body: Buffer
  /** `X-Sim-Publish-Seq` and `X-Sim-Age-Ms`; null where they cannot be read. */
  readonly publishSeq: number | null
  readonly ageMs: number | null
  readonly receivedMs: number
  /** Whether the server says that there is no such thing. */
  readonly isMissing: boolean
  readonly free: () => void
}

export interface Asking {
  /** Takes a connection of its own, which no other answer can hold up. */
  readonly alone?: boolean
  readonly signal?: AbortSignal
  /** Takes status 404 for an answer too. */
  readonly mayBeMissing?: boolean
  /** A lower bound on the body than that of all. */
  readonly bytesMax?: number
}

export interface ExchangeOptions {
  /** The server, without a path. */
  readonly origin: URL
  readonly clock: Clock
  readonly pool: BufferPool
}

/** Where a connection goes wrong, in words for people. */
const connectFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'nobody knows that name',
  EAI_AGAIN: 'nobody knows that name',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EACCES: 'the system does not allow it',
}

/** Asks a server: GET by GET, each answer taken whole and within bounds, or refused with what was wrong. */
export class Exchange {
  readonly #origin: URL
  readonly #clock: Clock
  readonly #pool: BufferPool
  readonly #agent: Agent | SecureAgent
  readonly #request: typeof request
  /** When bytes last came, those of answers on connections of their own aside. */
  lastProgressMs: number

  constructor({ origin, clock, pool }: ExchangeOptions) {
    const isSecure = origin.protocol === 'https:'
    const ways = { keepAlive: true, maxSockets: connectionsMax, maxFreeSockets: connectionsMax }
    this.#origin = origin
    this.#clock = clock
    this.#pool = pool
    this.#agent = isSecure ? new SecureAgent(ways) : new ReusingAgent(ways)
    this.#request = isSecure ? secureRequest : request
    this.lastProgressMs = clock.nowMs()
  }

  /** Throws a `SourceTrouble` where no whole answer of status 200 comes. */
  get(path: string, asking: Asking = {}): Promise<Answer> {
    const { alone = false, signal, mayBeMissing = false, bytesMax = bodyBytesMax } = asking
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    let stopWaiting = (): void => {}
    const sent = this.#request(new URL(path, this.#origin), {
      agent: alone ? false : this.#agent,
      maxHeaderSize: headerBytesMax,
      headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
      ...(signal === undefined ? {} : { signal }),
    })
    const receipt = new Receipt(`${this.#origin.origin}${path}`, { mayBeMissing, bytesMax }, this.#pool, {
      done: (answer) => {
        stopWaiting()
        resolve({ ...answer, receivedMs: this.#clock.nowMs() })
      },
      failed: (trouble) => {
        stopWaiting()
        reject(trouble)
        sent.destroy()
      },
      progressed: () => {
        if (!alone) this.lastProgressMs = this.#clock.nowMs()
      },
    })
    stopWaiting = this.#clock.after(answerWithinMs, () => receipt.fail('timed_out', 'took too long'))
    sent.on('response', (response) => receipt.take(response))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a connection that rests just when it is used again: that is no trouble yet.
      const wasResting = sent.reusedSocket && !receipt.hasBegun && error.code === 'ECONNRESET'
      if (!wasResting) return receipt.breakOff(error)
      stopWaiting()
      resolve(this.get(path, { ...asking, alone: true }))
    })
    sent.end()
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}

/**
 * An agent that reads each connection into one buffer over and over. Else a new one would be allocated for every
 * 64 KB: at tens of megabytes a second most of the processor would go into collecting them. What comes is passed on
 * before the next comes, and copied by then.
 */
class ReusingAgent extends Agent {
  override createConnection(...[options, connected]: Parameters<Agent['createConnection']>): Socket {
    const socket: Socket = connect(
      {
        ...(options as NetConnectOpts),
        onread: {
          buffer: Buffer.allocUnsafeSlow(readBytes),
          callback: (length, buffer) => socket.emit('data', buffer.subarray(0, length)),
        },
      },
      connected as () => void,
    )
    return socket
  }
}

interface ReceiptEvents {
  done(answer: Omit<Answer, 'receivedMs'>): void
  failed(trouble: SourceTrouble): void
  progressed(): void
}

type Bounds = Required<Pick<Asking, 'mayBeMissing' | 'bytesMax'>>

/** An answer on its way in: it ends once, taken whole or refused. */
class Receipt {
  readonly #address: string
  readonly #bounds: Bounds
  readonly #pool: BufferPool
  readonly #events: ReceiptEvents
  #body: Body | null = null
  #isOver = false
  hasBegun = false

  constructor(address: string, bounds: Bounds, pool: BufferPool, events: ReceiptEvents) {
    this.#address = address
    this.#bounds = bounds
    this.#pool = pool
    this.#events = events
  }

  fail(fault: SourceFault, what: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#body?.free()
    this.#events.failed(new SourceTrouble(fault, `The answer to ${this.#address} ${what}.`))
  }

  breakOff({ code = '', message }: NodeJS.ErrnoException): void {
    const connectFault = connectFaults[code]
    if (connectFault !== undefined) this.fail('unreachable', `cannot come: ${connectFault}`)
    else if (code.startsWith('HPE_')) this.fail('not_json', `is not even HTTP (${message})`)
    else this.fail('cut_off', `broke off (${code === '' ? message : code})`)
  }

  take(response: IncomingMessage): void {
    this.hasBegun = true
    this.#events.progressed()
    const { statusCode, headers } = response
    const coding = headers['content-encoding'] ?? 'identity'
    const length = Number(headers['content-length'] ?? Number.NaN)
    response.on('error', (error) => this.breakOff(error))
    response.on('close', () => this.fail('cut_off', 'broke off'))
    const isMissing = statusCode === 404 && this.#bounds.mayBeMissing
    if (statusCode !== 200 && !isMissing)
      return this.fail('bad_status', `has status ${statusCode}, expected 200`)
    if (coding !== 'identity') return this.fail('not_json', `is compressed (${coding}), unasked`)
    const { bytesMax } = this.#bounds
    const tooBig = `has more than the ${Math.round(bytesMax / 2 ** 20)} MB that are taken`
    if (length > bytesMax) return this.fail('too_big', tooBig)
    const body = new Body(this.#pool, Number.isNaN(length) ? firstGuessBytes : length, bytesMax)
    this.#body = body
    response.on('data', (chunk: Buffer) => {
      if (this.#isOver) return
      this.#events.progressed()
      if (!body.append(chunk)) this.fail('too_big', tooBig)
    })
    response.on('end', () => this.#end(response, body))
  }

  #end({ complete, headers, statusCode }: IncomingMessage, body: Body): void {
    if (this.#isOver || !complete) return
    if (!isUtf8(body.bytes)) return this.fail('not_json', 'is not UTF-8')
    this.#isOver = true
    this.#events.done({
      address: this.#address,
      body: body.bytes,
      isMissing: statusCode === 404,
      publishSeq: wholeNumber(headers['x-sim-publish-seq']),
      ageMs: wholeNumber(headers['x-sim-age-ms']),
      free: () => body.free(),
    })
  }
}

const wholeNumber = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null

/** A body as it comes in, in a buffer that was used before where its length is known beforehand. */
class Body {
  readonly #pool: BufferPool
  readonly #bytesMax: number
  #buffer: ArrayBuffer
  #length = 0

  constructor(pool: BufferPool, length: number, bytesMax: number) {
    this.#pool = pool
    this.#bytesMax = bytesMax
    this.#buffer = pool.take(length)
  }

  /** False where it has become too long. */
  append(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length
    if (length > this.#bytesMax) return false
    if (length > this.#buffer.byteLength) {
      const larger = this.#pool.take(2 * length)
      new Uint8Array(larger).set(new Uint8Array(this.#buffer, 0, this.#length))
      this.#pool.give(this.#buffer)
      this.#buffer = larger
    }
    new Uint8Array(this.#buffer).set(chunk, this.#length)
    this.#length = length
    return true
  }

  get bytes(): Buffer {
    return Buffer.from(this.#buffer, 0, this.#length)
  }

  free(): void {
    this.#pool.give(this.#buffer)
  }
}
