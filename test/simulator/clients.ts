import type { Observe } from '../fuzz/target.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'
import { ClientConnection } from './connection.ts'
import type { Answer, Asked } from './connection.ts'
import type { Place, Scheduler } from './scheduler.ts'
import type { Service } from './service.ts'
import { smallLimits } from './service.ts'
import { eventsIn, marksIn } from './world.ts'

/** The longest time to an answer: for parts that frames lack, and of a table whose thread hangs and is replaced. */
const [answerMaxMs, tableMaxMs] = [31_000, 341_000]
/** A client has this long to read a response; the service checks when its timers fire. */
const readMaxMs = 60_000

const pages = ['/api/v1/hosts', '/api/v1/customers', '/api/v1/incidents', '/api/v1/hosts?offset=2&limit=3']
const tables = ['/tables/hosts.csv', '/tables/customers', '/tables/events.csv', '/tables/world']
const archivedTables = ['/tables/events.csv?from=0', '/tables/incidents?from=0', '/tables/days?from=0']

/** A client that asks, waits and asks again never sees a publish go back. */
class Client {
  connection: ClientConnection | null = null
  seq = 0
  /** Of the last answer with it, per target. */
  readonly tags = new Map<string, string>()
  /** The last event that it has seen, and the cursor after it. */
  readonly events = { life: 0, number: -1, since: '', timeNs: 0 }
  /** The events that it has seen, and the time of the oldest one that the mirror still has. */
  seen: { readonly life: number; readonly number: number; readonly atNs: string }[] = []
  oldestNs = 0
}

interface ClientsOptions {
  readonly scheduler: Scheduler
  readonly server: Place
  readonly outside: Place
  readonly random: SeededRandom
  readonly service: Service
  readonly isArchived: boolean
  /** Whether the world may begin again while the service runs. */
  readonly mayRestart: boolean
  /** Whether the mirror may assume a gap where there is none. */
  readonly mayMissEvents: boolean
  readonly fail: (what: string) => void
  readonly observe: Observe
}

/** Prometheus, players and dashboards: they ask, and check what they are told. */
export class Clients {
  readonly #options: ClientsOptions
  readonly #clients = Array.from({ length: 5 }, () => new Client())
  readonly #connections = new Set<ClientConnection>()
  /** The mark of each part of a publish. */
  readonly #marks = new Map<string, string>()
  isIdle = false
  answered = 0
  statuses = new Map<number, number>()

  constructor(options: ClientsOptions) {
    this.#options = options
  }

  start(): void {
    const { scheduler, outside, random } = this.#options
    const every = (ms: number, call: () => void): void => {
      scheduler.after(ms * (0.5 + random.next()), outside, () => {
        if (!this.isIdle) call()
        every(ms, call)
      })
    }
    every(5_000, () => this.#ask(this.#clients[0], '/metrics gzip'))
    every(1_500, () => this.#ask(this.#clients[1], random.pick(pages)))
    every(2_000, () => this.#ask(this.#clients[1], `${random.pick(pages)} gzip`))
    every(4_000, () => this.#ask(this.#clients[2], random.pick(this.#tables)))
    every(2_500, () => this.#askEvents(this.#clients[3]))
    const [, , , , late] = this.#clients
    every(3_000, () =>
      this.#askEvents(late, () => {
        if (this.#goBack(late)) this.#askEvents(late)
      }),
    )
  }

  get #tables(): readonly string[] {
    return this.#options.isArchived ? [...tables, ...archivedTables] : tables
  }

  /** Requests that the service has not answered: in all, and of the connection with the most. */
  get waiting(): number {
    let waiting = 0
    for (const { parsed } of this.#connections) waiting += Math.max(0, parsed.length - 1)
    return waiting
  }

  get longestQueue(): number {
    let longest = 0
    for (const { parsed } of this.#connections) longest = Math.max(longest, parsed.length - 1)
    return longest
  }

  /** Several requests in each of a few packets, by a client that may not stay for the answers. */
  pipeline(size: number): void {
    const { random, scheduler, outside } = this.#options
    const client = new Client()
    const connection = this.#connect(client, random.oneIn(3) ? random.below(90_000) : random.below(20))
    for (let packets = 1 + random.below(4); packets > 0; packets--) {
      const packet = Array.from({ length: 1 + Math.floor(size * 12) }, () =>
        this.#asked(client, random.pick(['/metrics', ...pages])),
      )
      connection.send(packet)
    }
    scheduler.after(random.below(200), outside, () => {
      if (random.oneIn(2)) connection.leave()
    })
    scheduler.after(120_000, outside, () => connection.leave())
  }

  /** Many different requests for tables at once; few are for a large one, which costs the simulator the most time. */
  floodTables(count: number): void {
    for (let i = 0; i < count; i++) {
      const table = i % 16 === 0 ? this.#options.random.pick(this.#tables) : '/tables/hosts'
      const client = new Client()
      this.#connect(client, 1).send([
        this.#asked(client, `${table}${table.includes('?') ? '&' : '?'}offset=${i}`),
      ])
    }
  }

  /** Every part of a list, compressed. */
  crawl(): void {
    const client = new Client()
    const connection = this.#connect(client, 0)
    for (let offset = 0; offset < 6; offset++)
      for (const coding of ['gzip', 'br', 'zstd'])
        for (let limit = 1; limit <= 6; limit++)
          connection.send([this.#asked(client, `/api/v1/hosts?offset=${offset}&limit=${limit} ${coding}`)])
  }

  leaveAll(): void {
    for (const connection of this.#connections) connection.leave()
  }

  /** Asks for something, and calls back with the answer. */
  askOnce(target: string, call: (answer: Answer) => void): void {
    const client = new Client()
    const asked = this.#asked(client, target)
    this.#connect(client, 1).send([
      { ...asked, onAnswer: (answer) => (asked.onAnswer(answer), call(answer)) },
    ])
  }

  #connect(client: Client, readMs: number): ClientConnection {
    const { scheduler, server, service } = this.#options
    const connection: ClientConnection = new ClientConnection({
      scheduler,
      server,
      connections: service.connections,
      answer: service.answer,
      onClose: (isByServer) => {
        if (isByServer) this.#checkClosed(connection)
        client.connection = null
        connection.once('close', () => this.#connections.delete(connection))
      },
    })
    connection.readMs = readMs
    this.#connections.add(connection)
    client.connection = connection
    return connection
  }

  /** Only an overload and a client that does not read are reasons to close a connection. */
  #checkClosed({ readMs }: ClientConnection): void {
    if (readMs >= readMaxMs || this.waiting > smallLimits.pipelinedInAllMax / 2) return
    this.#options.fail(`a connection was closed while ${this.waiting} requests waited`)
  }

  #ask(client: Client, target: string): void {
    const connection = client.connection ?? this.#connect(client, 1)
    const tag = this.#options.random.oneIn(2) ? client.tags.get(target) : undefined
    const [path, coding = 'identity'] = target.split(' ')
    connection.send([this.#asked(client, tag === undefined ? target : `${path} ${coding} ${tag}`)])
  }

  #asked(client: Client, target: string): Asked {
    const { seq } = client
    const askedMs = this.#options.scheduler.nowMs()
    return { target, askedMs, onAnswer: (answer) => this.#check(client, target, seq, answer) }
  }

  #check(client: Client, target: string, seqBefore: number, { status, headers, body }: Answer): void {
    const { fail, observe } = this.#options
    this.answered++
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    const seq = Number(headers.get('x-sim-publish-seq'))
    if (!(seq >= seqBefore)) fail(`${target} went back from publish ${seqBefore} to ${seq}`)
    client.seq = Math.max(client.seq, seq)
    const [path, coding = '', asked] = target.split(' ')
    const text = observe(body.toString())
    const named = headers.get('content-encoding')
    const other = [...text.matchAll(/\{by (\w+)\}/g)].find(([, used]) => used !== named)
    if (other !== undefined) fail(`${path} is named ${named}, and is ${other[1]}`)
    if (status === 304) {
      if (!asked.startsWith(`W/"boot.${seq}.`))
        fail(`${path} is said to be as in ${asked}, in publish ${seq}`)
    } else if (status === 503) {
      if (!/"detail":"[^"]+\./.test(text)) fail(`${path} is refused without a word: ${text.slice(0, 200)}`)
    } else if (status !== 200) fail(`${path} has status ${status}: ${text.slice(0, 200)}`)
    else {
      client.tags.set(`${path}${coding === '' ? '' : ` ${coding}`}`, headers.get('etag') ?? '')
      this.#checkMarks(path, seq, text)
    }
  }

  /** All responses of a publish that show a part show the same state of it. */
  #checkMarks(path: string, seq: number, text: string): void {
    const marks = marksIn(text)
    if (marks.length > 1) this.#options.fail(`${path} mixes ${marks.join(' and ')} in publish ${seq}`)
    if (marks.length === 0) return
    const part = `${seq} ${/hosts|customers/.exec(path)?.[0] ?? path}`
    const known = this.#marks.get(part) ?? marks[0]
    this.#marks.set(part, known)
    if (known !== marks[0]) this.#options.fail(`${path} shows ${marks[0]} in publish ${seq}, before ${known}`)
  }

  /** As if it had seen no event after the newest one that the mirror no longer has: it misses nothing. */
  #goBack({ events, seen, oldestNs }: Client): boolean {
    const last = seen.findLast(({ atNs }) => Number(atNs) < oldestNs)
    if (last === undefined) return false
    Object.assign(events, { life: last.life, number: last.number, since: last.atNs })
    return true
  }

  #askEvents(client: Client, onFollowed: () => void = () => {}): void {
    const { random } = this.#options
    const { since } = client.events
    const query = since === '' ? '' : `&since_ns=${since}`
    const target = `/api/v1/events?limit=${random.pick([7, 1000])}${query}`
    const asked = this.#asked(client, target)
    const connection = client.connection ?? this.#connect(client, 1)
    const onAnswer = (answer: Answer): void => {
      asked.onAnswer(answer)
      if (answer.status !== 200 || client.events.since !== since) return
      this.#follow(client, answer.body.toString())
      onFollowed()
    }
    connection.send([{ ...asked, onAnswer }])
  }

  /** Each event comes once and in order; what is missing was announced as a possible gap. */
  #follow(client: Client, text: string): void {
    const { fail, mayRestart, mayMissEvents } = this.#options
    const { events } = client
    const timeNs = Number(/"sim_time_ns":(\d+)/.exec(text)![1])
    if (timeNs < events.timeNs) {
      if (!mayRestart) fail(`simulated time went back from ${events.timeNs} to ${timeNs}`)
      Object.assign(events, { life: 0, number: -1, since: '', timeNs })
      client.seen = []
      return
    }
    events.timeNs = timeNs
    const isGap = text.includes('"possible_gap":true')
    const found = eventsIn(text)
    const [first] = found
    if (isGap && !mayMissEvents && first?.[0] === events.life && first[1] === events.number + 1)
      fail(`a gap is reported before event ${first.join('#')}, which follows`)
    const times = [...text.matchAll(/"at_ns":(\d+)/g)]
    for (const [index, [life, number]] of found.entries()) {
      client.seen.push({ life, number, atNs: times[index][1] })
      const isFirst = events.since === '' && events.number === -1
      const isOfSame = life === events.life || events.life === 0
      const follows = isFirst || (isOfSame && number === events.number + 1)
      const isAfterGap = isGap && (life > events.life || number > events.number)
      // A world that began again and has come further than the one before looks like a gap.
      const isOther = life > events.life && mayRestart
      if (!follows && !isAfterGap && !isOther)
        fail(`event ${life}#${number} follows ${events.life}#${events.number}`)
      Object.assign(events, { life, number })
    }
    events.since = /"next_since_ns":(\d+)/.exec(text)![1]
    client.oldestNs = Number(/"oldest_retained_ns":(-?\d+|null)/.exec(text)?.[1])
  }

  /** A request from before a time, of a client that reads its answers at once; null if there is none. */
  unansweredSince(ms: number): string | null {
    const readers = [...this.#connections].filter(({ readMs, destroyed }) => readMs < 100 && !destroyed)
    const asked = readers.flatMap(({ unanswered }) => unanswered).find(({ askedMs }) => askedMs < ms)
    return asked === undefined ? null : `${asked.target} is not answered`
  }

  /** A request whose turn has come, and that has waited for too long since; null if there is none. */
  overdue(nowMs: number): string | null {
    for (const { unanswered, readMs, answeredMs, destroyed } of this.#connections) {
      const [oldest] = unanswered
      if (oldest === undefined || destroyed) continue
      const maxMs =
        (oldest.target.startsWith('/tables/') ? tableMaxMs : answerMaxMs) + Math.min(readMs, readMaxMs)
      if (nowMs - Math.max(oldest.askedMs, answeredMs) > maxMs)
        return `${oldest.target} is not answered after ${maxMs} ms`
    }
    return null
  }
}
