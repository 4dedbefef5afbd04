import type { ServerResponse } from 'node:http'
import type { SeededRandom } from '../fixtures/seeded-random.ts'
import type { Reply } from '../sources/attached/fake-upstream.ts'

interface Mutated {
  readonly name: string
  /** Null if the response has already been written. */
  readonly reply: Reply | null
}

const numbers = [
  ...'0 -0 -1 1.5 1e308 1e999 -1e999 1e-400 9007199254740993 9223372036854775807'.split(' '),
  ...'9223372036854775808 -9223372036854775809 01 1. .5 +1 0x10 NaN Infinity 1_000'.split(' '),
  '9'.repeat(400),
  '１',
]
const oddTexts = ['"\\u0000"', '"\\ud800"', '"\\n\\u001b[31m"', '"x"'.repeat(3), `"${'x'.repeat(10_000)}"`]
const values = [
  ...numbers,
  ...'null true [] {} [[[[[[[]]]]]]] { undefined "" " {"__proto__":1} {"a":{"b":{"c":[1,2,{"d":null}]}}}'.split(
    ' ',
  ),
  ...oddTexts,
]
const names = [
  '',
  '__proto__',
  'constructor',
  'id',
  'meta',
  'items',
  'total',
  'a"b',
  '\\u0069d',
  'x'.repeat(5_000),
]

interface Place {
  readonly start: number
  readonly end: number
}

/** A random scalar value of the text, or a name. */
function placeOf(random: SeededRandom, text: string, pattern: RegExp): Place | null {
  const from = random.below(Math.max(1, text.length))
  for (const start of [from, 0]) {
    pattern.lastIndex = start
    const match = pattern.exec(text)
    if (match !== null) {
      const at = match.index + match[0].indexOf(match[1])
      return { start: at, end: at + match[1].length }
    }
  }
  return null
}

const scalar = /:("(?:[^"\\]|\\.){0,200}"|-?\d[\d.eE+-]*|true|false|null)[,}\]]/g
const nameOfMember = /("\w{1,60}"):/g
const itemOfList = /\{("id":\d+)/g
const metaValue =
  /"(?:age_ms|publish_seq|sim_time_ns|total|offset|count|next_since_ns|oldest_retained_ns|world_ready|step_ns|last_ns|total_paths)":([^,}]*)/g

function spliced(text: string, place: Place | null, by: string): string {
  return place === null ? text : text.slice(0, place.start) + by + text.slice(place.end)
}

type Mutation = (random: SeededRandom, text: string) => string

const mutations: Readonly<Record<string, Mutation>> = {
  'another value': (random, text) => spliced(text, placeOf(random, text, scalar), random.pick(values)),
  'another number in the envelope': (random, text) =>
    spliced(text, placeOf(random, text, metaValue), random.pick(values)),
  'another name': (random, text) =>
    spliced(text, placeOf(random, text, nameOfMember), `"${random.pick(names)}"`),
  'another id': (random, text) =>
    spliced(text, placeOf(random, text, itemOfList), `"id":${random.pick(numbers)}`),
  'a cut': (random, text) => text.slice(0, random.below(text.length + 1)),
  'a part missing': (random, text) => {
    const at = random.below(text.length + 1)
    return text.slice(0, at) + text.slice(at + random.below(200))
  },
  'a part twice': (random, text) => {
    const at = random.below(text.length + 1)
    const end = at + random.below(500)
    return text.slice(0, end) + text.slice(at)
  },
  'random characters': (random, text) => {
    let mutated = text
    for (let count = 1 + random.below(5); count > 0; count--) {
      const at = random.below(mutated.length + 1)
      mutated = mutated.slice(0, at) + String.fromCharCode(random.below(0x3000)) + mutated.slice(at + 1)
    }
    return mutated
  },
  'deep nesting': (random, text) => {
    const depth = 10 ** (1 + random.below(5))
    const nested = random.oneIn(2)
      ? `${'['.repeat(depth)}${']'.repeat(depth)}`
      : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    return spliced(text, placeOf(random, text, scalar), nested)
  },
  'a long run of one character': (random, text) => {
    const at = random.below(text.length + 1)
    return (
      text.slice(0, at) +
      random.pick(['a', ' ', '\\', '"', ',', '[', '0', '\n']).repeat(10 ** (2 + random.below(4))) +
      text.slice(at)
    )
  },
  'blanks between all tokens': (_random, text) => text.replaceAll(/([,:{[])/g, '$1 \n\t'),
  'an empty body': () => '',
  'a list': (_random, text) => `[${text}]`,
}
const mutationNames = Object.keys(mutations)

/** A random mutation of a JSON text. */
export const mutateText = (random: SeededRandom, text: string): string =>
  mutations[random.pick(mutationNames)](random, text)

/** Transport faults, which write the response themselves. */
const transports: Readonly<
  Record<string, (random: SeededRandom, reply: Reply, response: ServerResponse) => void>
> = {
  'a reset': (_random, _reply, response) => response.destroy(),
  'bytes that are no text': (random, { status, body, headers }, response) => {
    const bytes = Buffer.from(`${body} `)
    bytes[random.below(bytes.length)] = 0x80 + random.below(0x80)
    response.writeHead(status, { ...headers, 'Content-Length': bytes.length }).end(bytes)
  },
  'a body shorter than announced': (random, { status, body, headers }, response) => {
    response.writeHead(status, {
      ...headers,
      'Content-Length': Buffer.byteLength(body) + 1 + random.below(1000),
    })
    response.write(body)
    setTimeout(() => response.destroy(), 5)
  },
  'a body in many chunks': (random, { status, body, headers }, response) => {
    response.writeHead(status, headers)
    const size = 1 + random.below(Math.max(1, body.length / 5))
    for (let at = 0; at < body.length; at += size) response.write(body.slice(at, at + size))
    response.end()
  },
}
const transportNames = Object.keys(transports)

const headers: readonly Readonly<Record<string, string>>[] = [
  { 'X-Sim-Publish-Seq': '-1' },
  { 'X-Sim-Publish-Seq': '99999999999999999999' },
  { 'X-Sim-Age-Ms': '1e300' },
  { 'X-Sim-Age-Ms': 'NaN' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Type': 'text/html; charset=utf-16' },
  { 'Transfer-Encoding': 'identity' },
  { Location: 'http://127.0.0.1:1/' },
]
const statuses = [201, 204, 206, 301, 302, 304, 400, 404, 418, 429, 500, 502, 503, 599]

/** A random mutation of one response, determined by the random numbers alone. */
export function mutateReply(random: SeededRandom, reply: Reply, response: ServerResponse): Mutated {
  if (random.oneIn(12)) {
    const name = random.pick(transportNames)
    transports[name](random, reply, response)
    return { name, reply: null }
  }
  if (random.oneIn(12)) {
    const extra = random.pick(headers)
    return {
      name: `the header ${JSON.stringify(extra)}`,
      reply: { ...reply, headers: { ...reply.headers, ...extra } },
    }
  }
  if (random.oneIn(12)) {
    const status = random.pick(statuses)
    return { name: `status ${status}`, reply: { ...reply, status } }
  }
  const name = random.pick(mutationNames)
  return { name, reply: { ...reply, body: mutations[name](random, reply.body) } }
}
