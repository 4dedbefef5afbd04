/** The numbers of an envelope: publish, time, age, count. */
import type { ReplyFilter } from '../../attached/fake-upstream.ts'
import { body, on, refused, replace, served, survived, unaffected, without } from '../misbehavior.ts'
import type { Misbehavior } from '../misbehavior.ts'

const hosts = '/api/v1/hosts'
const health = '/health'
const events = '/api/v1/events'

/** Invalid values of a non-negative integer. */
const badIntegers = ['null', '-1', '1.5', '1e300', '9223372036854775808', '"7"', 'true', '[]', '{}']
/** Invalid JSON. */
const noJson = ['NaN', 'Infinity', '0x10', '1e', '', "'1'"]

/** Each field of an envelope with each of some values. */
function badValues(
  target: string,
  field: string,
  values: readonly string[],
  misbehave: (name: string, send: ReplyFilter) => Misbehavior,
): Misbehavior[] {
  // /health has the field in its meta and beside it.
  const member = new RegExp(`"${field}":(?:"[^"]*"|[^,}\\]]*)`, target === health ? 'g' : '')
  return values.map((value) =>
    misbehave(
      `says ${field} ${value === '' ? 'nothing' : value} in ${target}`,
      on(target, replace(member, `"${field}":${value}`)),
    ),
  )
}

const withoutPart = (name: string, send: ReplyFilter): Misbehavior =>
  without(['bad_record', 'not_json'], name, send)
const noNull = badIntegers.filter((value) => value !== 'null')

export const envelopeCases: readonly Misbehavior[] = [
  // The headers have the same values.
  ...[hosts, health].flatMap((target) =>
    ['age_ms', 'publish_seq', 'sim_time_ns'].flatMap((field) =>
      badValues(target, field, badIntegers, unaffected),
    ),
  ),
  ...badValues(hosts, 'total', [...noNull, '999999', '7', '9007199254740993'], withoutPart),
  ...badValues(hosts, 'offset', [...noNull, '1000'], withoutPart),
  ...badValues(hosts, 'count', [...noNull, '1000'], withoutPart),
  ...['total', 'offset', 'count'].flatMap((field) => badValues(hosts, field, ['null'], unaffected)),
  ...badValues(health, 'world_ready', ['null', '1', '"yes"'], unaffected),
  ...badValues(health, 'world_ready', ['false'], (name, send) => refused('no_world', name, send)),
  ...badValues(hosts, 'publish_seq', noJson, survived),
  ...badValues('/api/v1/diagnostics', 'age_ms', ['1e300', '-5', '1.5'], unaffected),
  ...badValues('/api/v1', 'total', ['999999'], withoutPart),
  unaffected('sends a meta that is a list', on(hosts, replace(/"meta":\{[^}]*\}/, '"meta":[1,2]'))),
  unaffected('sends a meta that is text', on(hosts, replace(/"meta":\{[^}]*\}/, '"meta":"fresh"'))),
  unaffected('leaves out meta', on(hosts, replace(/"meta":\{[^}]*\},/, ''))),
  unaffected(
    'leaves out meta and its headers',
    on(hosts, (reply) => ({
      ...reply,
      headers: {},
      body: reply.body.replace(/"meta":\{[^}]*\},/, ''),
    })),
  ),
  unaffected(
    'sends meta last',
    on(hosts, (reply) => ({
      ...reply,
      body: reply.body.replace(/^\{("meta":\{[^}]*\}),([^]*)\}$/, '{$2,$1}'),
    })),
  ),
  unaffected(
    'sends unknown fields in meta',
    on(hosts, replace('"meta":{', '"meta":{"node":"a","tags":[1,{"x":null}],')),
  ),
  unaffected(
    'sends unknown fields beside meta',
    on(hosts, replace('{"meta"', '{"links":{"next":null},"meta"')),
  ),
  without(
    ['bad_record', 'not_json'],
    'sends meta twice',
    on(hosts, replace('{"meta"', '{"meta":{"age_ms":-7,"publish_seq":null,"sim_time_ns":"x"},"meta"')),
  ),
  survived(
    'answers one route from another publish each time',
    on(hosts, (reply, _request) => ({
      ...reply,
      body: reply.body.replace(
        /"publish_seq":\d+/,
        () => `"publish_seq":${Math.floor(1e6 + Math.random() * 1e9)}`,
      ),
    })),
  ),
  refused('stale', 'says an age of three days', on('/api', replace(/"age_ms":\d+/, '"age_ms":259200000'))),
  unaffected('lets publish_seq fall', on('/', replace(/"publish_seq":\d+/, '"publish_seq":1'))),
  survived('lets simulated time fall', on('/', replace(/"sim_time_ns":\d+/, '"sim_time_ns":5'))),
  unaffected(
    'says the largest publish_seq',
    on('/', replace(/"publish_seq":\d+/, '"publish_seq":9223372036854775807')),
  ),
  unaffected(
    'says the largest simulated time',
    on('/', replace(/"sim_time_ns":\d+/, '"sim_time_ns":9223372036854775807')),
  ),
  refused('stale', 'publishes nothing new and says that it is stale', (reply, { url }) => {
    const isHealth = url === health
    const standing = reply.body
      .replace(new RegExp(/"publish_seq":\d+/, isHealth ? 'g' : ''), '"publish_seq":7')
      .replace(new RegExp(/"sim_time_ns":\d+/, isHealth ? 'g' : ''), '"sim_time_ns":70000000000')
    const stale = standing
      .replace('"status":"ok"', '"status":"stale"')
      .replace('"reason":""', '"reason":"worn"')
    return {
      ...reply,
      headers: { ...reply.headers, 'X-Sim-Publish-Seq': '7' },
      body: isHealth ? stale : standing,
    }
  }),
  refused(
    'no_world',
    'forges log lines by its reason',
    on(health, (reply) => ({
      ...reply,
      body: reply.body
        .replace(/"world_ready":true/, '"world_ready":false')
        .replace(
          /"reason":"[^"]*"/,
          String.raw`"reason":"x\n2026-01-01 ERROR forged\r\u001b[2J\u001b]0;title\u0007\u009b31m\u0000"`,
        ),
    })),
  ),
  refused(
    'no_world',
    'gives a reason of 100 kB',
    on(health, (reply) => ({
      ...reply,
      body: reply.body
        .replace(/"world_ready":true/, '"world_ready":false')
        .replace(/"reason":"[^"]*"/, `"reason":"${'because '.repeat(12_000)}"`),
    })),
  ),
  unaffected('sends an empty health', on(health, body('{}'))),
  refused(['bad_record', 'not_json'], 'sends a health that is a list', on(health, body('[]'))),
  ...['null', '1.5', '"x"', '1e300', '9223372036854775808'].map((value) =>
    unaffected(
      `says next_since_ns ${value}`,
      on(events, replace(/"next_since_ns":\d+/, `"next_since_ns":${value}`)),
    ),
  ),
  ...['null', '"x"', '1e300'].map((value) =>
    unaffected(
      `says oldest_retained_ns ${value}`,
      on(events, replace(/"oldest_retained_ns":-?\d+/, `"oldest_retained_ns":${value}`)),
    ),
  ),
  ...['null', '1', '"no"'].map((value) =>
    unaffected(
      `says possible_gap ${value}`,
      on(events, replace(/"possible_gap":\w+/, `"possible_gap":${value}`)),
    ),
  ),
  served(
    'says that events may be missing',
    on(events, replace(/"possible_gap":false/, '"possible_gap":true')),
  ),
]
