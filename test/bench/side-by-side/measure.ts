import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { estimateOf, median } from '../harness/turns.ts'
import type { Estimate } from '../harness/turns.ts'
import { cpuMsOf } from './processes.ts'
import type { Server } from './processes.ts'

/** A turn takes whole cadences of the mirror, so that each has as many of its steps. */
const cadenceMs = 1_000
/** Garbage collection right after a response belongs to the turn. */
const settleMs = 200
const warmUps = 2
const agent = new Agent({ keepAlive: true })

export interface Question {
  readonly server: Server
  readonly path: string
  readonly encoding: 'identity' | 'gzip'
  /** Requests in a turn, one after the other. */
  readonly requests: number
}

/** The cost of a response, without the work that the server does anyway. */
export interface Cost {
  readonly bytes: number
  readonly wallMs: Estimate
  readonly cpuMs: Estimate
}

/** The length of a body as it comes; null in another coding than the one that was asked for. */
export async function lengthOf({ server, path, encoding }: Question): Promise<number | null> {
  const headers = { 'accept-encoding': encoding }
  const sent = request({ host: '127.0.0.1', port: server.port, path, agent, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}.`)
  let bytes = 0
  response.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await once(response, 'end')
  return (response.headers['content-encoding'] ?? 'identity') === encoding ? bytes : null
}

/** A turn of one server, in which all others are measured as idle. */
async function takeTurn(question: Question, servers: readonly Server[]) {
  const cpuBegan = servers.map(cpuMsOf)
  const beganMs = performance.now()
  const wallMs: number[] = []
  let bytes = 0
  for (let count = 0; count < question.requests; count++) {
    const sentMs = performance.now()
    bytes = (await lengthOf(question)) ?? 0
    wallMs.push(performance.now() - sentMs)
  }
  const cadences = Math.ceil((performance.now() - beganMs + settleMs) / cadenceMs)
  await pause(beganMs + cadences * cadenceMs - performance.now())
  const cpuMs = new Map(
    servers.map((server, at) => {
      const { all, serving } = cpuMsOf(server)
      return [server, { all: all - cpuBegan[at].all, serving: serving - cpuBegan[at].serving }]
    }),
  )
  return { question, bytes, wallMs, cpuMs, seconds: (performance.now() - beganMs) / 1_000 }
}

export async function measureInTurns(
  questions: readonly Question[],
  rounds: number,
  progress: (round: number) => void,
) {
  const servers = [...new Set(questions.map(({ server }) => server))]
  const turns: Awaited<ReturnType<typeof takeTurn>>[] = []
  for (let round = 1 - warmUps; round <= rounds; round++) {
    progress(round)
    for (const question of questions) {
      const turn = await takeTurn(question, servers)
      if (round > 0) turns.push(turn)
    }
  }
  const idleMsPerSecond = (server: Server, threads: 'all' | 'serving'): number => {
    const others = turns.filter(({ question }) => question.server !== server)
    return median(others.map(({ cpuMs, seconds }) => cpuMs.get(server)![threads] / seconds))
  }
  const costOf = (asked: Question): Cost => {
    const own = turns.filter(({ question }) => question === asked)
    const idleMs = idleMsPerSecond(asked.server, 'serving')
    const cpuMs = own.map(
      (turn) => (turn.cpuMs.get(asked.server)!.serving - idleMs * turn.seconds) / asked.requests,
    )
    return {
      bytes: own[0].bytes,
      wallMs: estimateOf(own.flatMap(({ wallMs }) => wallMs)),
      cpuMs: estimateOf(cpuMs),
    }
  }
  return { costOf, idleMsPerSecond }
}
