/** The numbers of an envelope: publish, time, age, count. `foreign-values.test.ts` has each with each wrong value. */
import { body, on, refused, replace, served, survived, unaffected, without } from '../misbehavior.ts'
import type { Misbehavior } from '../misbehavior.ts'

const hosts = '/api/v1/hosts'
const health = '/health'
const events = '/api/v1/events'

const bad = ['bad_record', 'not_json'] as const

export const envelopeCases: readonly Misbehavior[] = [
  // The headers have the same values.
  ...['age_ms', 'publish_seq', 'sim_time_ns'].map((field, index) =>
    unaffected(
      `says a ${field} that is none`,
      on(index === 0 ? health : hosts, replace(new RegExp(`"${field}":\\d+`), `"${field}":-1`)),
    ),
  ),
  ...['"total":9007199254740993', '"offset":1000', '"count":"7"'].map((member) =>
    without(bad, `says ${member}`, on(hosts, replace(new RegExp(member.replace(/:.*/, ':\\d+')), member))),
  ),
  unaffected('says a total of null', on(hosts, replace(/"total":\d+/, '"total":null'))),
  unaffected('says that world_ready is 1', on(health, replace('"world_ready":true', '"world_ready":1'))),
  refused('no_world', 'has no world', on(health, replace('"world_ready":true', '"world_ready":false'))),
  survived('says a publish_seq of NaN', on(hosts, replace(/"publish_seq":\d+/, '"publish_seq":NaN'))),
  without(bad, 'says 999999 records of each list', on('/api/v1', replace(/"total":\d+/, '"total":999999'))),
  unaffected('sends a meta that is a list', on(hosts, replace(/"meta":\{[^}]*\}/, '"meta":[1,2]'))),
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
  ...[
    ['next_since_ns', '1.5'],
    ['oldest_retained_ns', '"x"'],
    ['possible_gap', 'null'],
  ].map(([field, value]) =>
    unaffected(
      `says ${field} ${value}`,
      on(events, replace(new RegExp(`"${field}":[-\\w]+`), `"${field}":${value}`)),
    ),
  ),
  served(
    'says that events may be missing',
    on(events, replace(/"possible_gap":false/, '"possible_gap":true')),
  ),
]
