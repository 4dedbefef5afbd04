import { setTimeout as pause } from 'node:timers/promises'
import type { ReplyFilter } from './fake-upstream.ts'

type Chance = () => number

/** Truncates the body, but not the announced length. */
const cutOff =
  (keep: number): ReplyFilter =>
  (reply, _request, response) => {
    const whole = Buffer.from(reply.body)
    response.writeHead(reply.status, { ...reply.headers, 'Content-Length': whole.length })
    response.write(whole.subarray(0, Math.floor(whole.length * keep)))
    setTimeout(() => response.destroy(), 5)
    return null
  }

/** Every kind of failure between a mirror and its server, by name; each affects most responses. */
export const faults: Readonly<Record<string, (chance: Chance) => ReplyFilter>> = {
  delays: (chance) => async (reply) => {
    await pause(chance() * 150)
    return reply
  },
  'silence, with connections that stay open': () => () => null,
  resets: (chance) => (reply, request, response) => {
    if (chance() < 0.3) return reply
    response.destroy()
    request.socket.resetAndDestroy()
    return null
  },
  'answers that break off':
    (chance) =>
    (reply, ...rest) =>
      chance() < 0.3 ? reply : cutOff(chance())(reply, ...rest),
  'answers cut short that say so': (chance) => (reply) =>
    chance() < 0.3
      ? reply
      : { ...reply, body: reply.body.slice(0, Math.floor(reply.body.length * chance())) },
  garbage: (chance) => (reply) =>
    chance() < 0.3 ? reply : { ...reply, body: reply.body.slice(0, 5000).split('').toReversed().join('') },
  'bytes that are no text': (chance) => (reply, _request, response) => {
    if (chance() < 0.3) return reply
    const bytes = Buffer.from(reply.body)
    bytes[Math.floor(chance() * bytes.length)] = 0xff
    response.writeHead(200, { ...reply.headers, 'Content-Length': bytes.length })
    response.end(bytes)
    return null
  },
  'no HTTP at all': () => (_reply, request) => {
    request.socket.end('220 mail.example ESMTP\r\n')
    return null
  },
  'status 500': (chance) => (reply) => (chance() < 0.3 ? reply : { ...reply, status: 500, body: 'oh no' }),
  'wrong types':
    () =>
    (reply, { url }) =>
      url!.startsWith('/api/v1/hosts')
        ? { ...reply, body: reply.body.replaceAll('"online":false', '"online":"no"') }
        : reply,
  'missing fields':
    () =>
    (reply, { url }) =>
      url!.startsWith('/api/v1/customers')
        ? { ...reply, body: reply.body.replace('"tier":', '"tire":') }
        : reply,
  'too few items':
    () =>
    (reply, { url }) =>
      url!.startsWith('/api/v1/hosts?offset=1000')
        ? { ...reply, body: reply.body.replace(/\{"id":1001,[^]*?\},(?=\{"id":1002,)/, '') }
        : reply,
  'endless bodies':
    () =>
    (reply, { url }, response) => {
      if (!url!.startsWith('/api/v1/hosts')) return reply
      response.writeHead(200, reply.headers)
      response.write('{"meta":{"age_ms":0,"publish_seq":1,"sim_time_ns":1},"items":[')
      const drip = setInterval(() => response.write('{"id":1},'.repeat(5_000)), 1)
      response.on('close', () => clearInterval(drip))
      return null
    },
  'bodies that say they are huge': () => (reply, _request, response) => {
    response.writeHead(200, { ...reply.headers, 'Content-Length': 10 ** 12 })
    response.write('{')
    return null
  },
  'a mixture': (chance) => {
    const others = Object.entries(faults).filter(
      ([name]) => name !== 'a mixture' && !name.startsWith('silence'),
    )
    const made = others.map(([, fault]) => fault(chance))
    return (...given) => made[Math.floor(chance() * made.length)](...given)
  },
}
