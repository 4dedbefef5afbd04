/** A process that reads a service at full load and checks every response. */
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { SeededRandom } from '../fixtures/seeded-random.ts'

export interface ReadingTask {
  readonly port: number
  readonly seconds: number
  readonly connections: number
  readonly seed: number
}

export interface ReadingReport {
  readonly responses: number
  readonly publishes: number
  /** Responses to the same target from the same publish that were compared with each other. */
  readonly compared: number
  readonly p99AgeMs: number
  readonly worstAgeMs: number
  /** Descriptions of at most a few failures. */
  readonly faults: readonly string[]
}

const faultsMax = 10

const targets = [
  '/health',
  '/api/v1/hosts?limit=1000',
  '/api/v1/hosts?limit=100&offset=20',
  '/api/v1/hosts/1',
  '/api/v1/customers?limit=50',
  '/api/v1/network/switches',
  '/api/v1/network/cables?limit=200',
  '/api/v1/incidents',
  '/api/v1/events',
  '/api/v1/diagnostics',
  '/metrics',
]

interface Answer {
  readonly headers: IncomingHttpHeaders
  readonly status: number
  readonly body: string
}

class Reader {
  readonly #task: ReadingTask
  readonly #chance: SeededRandom
  readonly #agent: Agent
  readonly #digests = new Map<string, string>()
  readonly #faults: string[] = []
  readonly #ages: number[] = []
  readonly #publishes = new Set<string>()
  #compared = 0

  constructor(task: ReadingTask) {
    this.#task = task
    this.#chance = new SeededRandom(task.seed)
    this.#agent = new Agent({ keepAlive: true, maxSockets: task.connections })
  }

  async read(): Promise<ReadingReport> {
    const until = Date.now() + this.#task.seconds * 1000
    const one = async (): Promise<void> => {
      while (Date.now() < until) {
        const target = this.#chance.pick(targets)
        this.#check(target, await this.#get(target, this.#chance.oneIn(3)))
      }
    }
    await Promise.all(Array.from({ length: this.#task.connections }, one))
    this.#agent.destroy()
    const ages = this.#ages.toSorted((a, b) => a - b)
    return {
      responses: ages.length,
      publishes: this.#publishes.size,
      compared: this.#compared,
      p99AgeMs: ages[Math.floor(ages.length * 0.99)],
      worstAgeMs: ages.at(-1)!,
      faults: this.#faults,
    }
  }

  #get(path: string, compressed: boolean): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const headers = compressed ? { 'accept-encoding': 'gzip' } : {}
    const sent = request({ port: this.#task.port, path, headers, agent: this.#agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const body = (response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
        resolve({ headers: response.headers, status: response.statusCode!, body })
      })
    })
    sent.on('error', reject)
    sent.end()
    return promise
  }

  #check(target: string, { headers, status, body }: Answer): void {
    const seq = String(headers['x-sim-publish-seq'])
    const age = String(headers['x-sim-age-ms'])
    this.#ages.push(Number(age))
    this.#publishes.add(seq)
    if (status !== 200) this.#fault(`${target}: status ${status}`)
    if (target === '/metrics') return
    const opening = `{"meta":{"age_ms":${age},"publish_seq":${seq},`
    if (!body.startsWith(opening)) this.#fault(`${target}: ${body.slice(0, 80)} is not what the headers say`)
    this.#parse(target, body)
    if (target !== '/health') this.#compare(`${seq} ${target}`, body.slice(opening.length))
  }

  #parse(target: string, body: string): void {
    try {
      const parsed = JSON.parse(body) as {
        meta: { sim_time_ns: number }
        simulation?: { sim_time_ns: number }
        items?: unknown[]
        count?: number
      }
      const { meta, simulation, items, count } = parsed
      if (items?.length !== count) this.#fault(`${target}: ${items?.length} items, count ${count}`)
      const ofBody = simulation?.sim_time_ns ?? meta.sim_time_ns
      if (ofBody !== meta.sim_time_ns) this.#fault(`${target}: ${ofBody} in a body of ${meta.sim_time_ns}`)
    } catch (error) {
      this.#fault(`${target}: ${String(error)}`)
    }
  }

  /** The part after the age is the same in every response from one publish. */
  #compare(key: string, rest: string): void {
    const digest = createHash('sha1').update(rest).digest('base64')
    const known = this.#digests.get(key)
    if (known === undefined) this.#digests.set(key, digest)
    else {
      this.#compared++
      if (known !== digest) this.#fault(`publish ${key}: two different bodies`)
    }
  }

  #fault(what: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push(what)
  }
}

async function report(task: ReadingTask): Promise<void> {
  process.send!(await new Reader(task).read())
  process.disconnect()
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', (task: ReadingTask) => void report(task))
}
