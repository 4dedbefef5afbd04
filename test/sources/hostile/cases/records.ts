/** Records, lists of records, and JSON itself. `record-list-reader.test.ts` and `json.test.ts` have each wrong value. */
import { body, on, refused, replace, served, unaffected, without } from '../misbehavior.ts'
import type { Misbehavior } from '../misbehavior.ts'

const hosts = '/api/v1/hosts'
const customers = '/api/v1/customers'
const events = '/api/v1/events'
const diagnostics = '/api/v1/diagnostics'
const bad = ['bad_record', 'not_json'] as const

/** Inserts a member before the id of the first record. */
const withMember = (target: string, member: string) =>
  on(target, replace('"items":[{', `"items":[{${member},`))
const firstValue = (target: string, field: string, value: string) =>
  on(target, replace(new RegExp(`"${field}":(?:"(?:[^"\\\\]|\\\\.)*"|[^,}\\]]*)`), `"${field}":${value}`))
const withField = (name: string, at: string, value: string, holds: string): Misbehavior =>
  served(name, firstValue(hosts, at, value), hosts, holds)
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const lists = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

const json: readonly Misbehavior[] = [
  ...['null', '[{}]', '{}'].map((text) =>
    without(bad, `answers ${text} where a page should be`, on(hosts, body(text))),
  ),
  refused(bad, 'sends HTML', body('<!doctype html><title>Log in</title>')),
  without(
    bad,
    'cuts JSON before its end',
    on(hosts, (reply) => ({ ...reply, body: reply.body.slice(0, -5) })),
  ),
  without(
    bad,
    'sends two documents',
    on(hosts, (reply) => ({ ...reply, body: reply.body + reply.body })),
  ),
  without(bad, 'leaves out a comma', on(hosts, replace(',"rack_id"', ' "rack_id"'))),
  without(bad, 'ends a string with an escape', firstValue(hosts, 'label', String.raw`"a\"`)),
  without(bad, 'nests 1,000,000 lists', on(hosts, body(lists(1_000_000)))),
  without(bad, 'sends a name of 5 MB', on(hosts, body(`{"${'x'.repeat(5_000_000)}"`))),
  without(bad, 'sends 2 MB of escapes', on(hosts, body(`{"a":"${'\\'.repeat(2_000_000)}`))),
  served(
    'puts blanks between all tokens',
    on(hosts, (reply) => ({ ...reply, body: reply.body.replaceAll(/,"/g, ' ,\n\t"') })),
    hosts,
    '"id":1 ,\n\t"',
  ),
  unaffected(
    'puts 1 MB of blanks behind a body',
    on(hosts, (reply) => ({ ...reply, body: reply.body + ' '.repeat(1_000_000) })),
  ),
]

const itemLists: readonly Misbehavior[] = [
  ...['null', '[7]', '[{}]'].map((value) =>
    without(
      bad,
      `sends items ${value}`,
      on(hosts, replace(/"items":\[[^]*\],"total"/, `"items":${value},"total"`)),
    ),
  ),
  without(bad, 'sends fewer items than it counts', on(hosts, replace(/\{"id":2,[^]*?\},(?=\{"id":3,)/, ''))),
  without(bad, 'sends a record twice', on(hosts, replace(/(?<="items":\[)(?=\{)/, '{"id":1},'))),
  served('gives two records one id', on(hosts, replace('{"id":2,', '{"id":1,')), hosts, '{"id":1,'),
  served(
    'sends records in another order',
    on(hosts, (reply) => ({
      ...reply,
      body: reply.body.replace('{"id":1,', '{"id":900,'),
    })),
    hosts,
    '"id":900,',
  ),
]

const fields: readonly Misbehavior[] = [
  served('leaves out an id', on(hosts, replace('{"id":1,', '{')), hosts, '"items":[{"id":2,'),
  served('leaves out a field', on(customers, replace('"tier":', '"tire":')), customers, '"tire":'),
  // Values of another type pass as they are, and count as unknown.
  withField('sends text for a boolean', 'online', '"no"', '"online":"no"'),
  withField('sends an integer of 400 digits', 'rack_id', '9'.repeat(400), '9'.repeat(400)),
  // The specification leaves open which fields may be null: null means that there is no value.
  withField('sends null for a boolean', 'online', 'null', '"online":null'),
  withField('sends the largest integer', 'rack_id', '9223372036854775807', '9223372036854775807'),
  withField('sends a word outside its closed set', 'inv_status', '"Brand New"', '"Brand New"'),
  withField('sends a lone surrogate', 'label', String.raw`"\ud800"`, String.raw`\ud800`),
  withField('sends a NUL in text', 'label', String.raw`"a\u0000b"`, String.raw`a\u0000b`),
  withField('sends text of 100 kB', 'label', `"${'y'.repeat(100_000)}"`, 'yyyyyyyy'),
  withField('injects a label', 'display_name_plain', String.raw`"x\"} 1\nevil{a=\"b"`, 'evil'),
  withField('injects a terminal escape', 'display_name_plain', String.raw`"\u001b[31mred\u0007"`, 'red'),
  served(
    'injects markup',
    firstValue(customers, 'name', '"<script>alert(1)</script>"'),
    customers,
    '<script>',
  ),
  ...['__proto__', 'a\\"];process.exit(9);//', ''].map((name) =>
    served(
      `sends the unknown field ${JSON.stringify(name)}`,
      withMember(hosts, `"${name}":{"polluted":true}`),
      hosts,
      'polluted',
    ),
  ),
  served('sends the same field twice', withMember(hosts, '"label":"first"'), hosts, '"first"'),
  served(
    'sends 1,000 unknown fields',
    withMember(hosts, Array.from({ length: 1000 }, (_, i) => `"unknown_${i}":${i}`).join(',')),
    hosts,
    'unknown_999',
  ),
  without(bad, 'nests an unknown field 100 levels deep', withMember(hosts, `"deep":${nested(100)}`)),
  without(
    bad,
    'nests 400,000 levels beside an integer of 19 digits',
    withMember(hosts, `"deep":${nested(400_000)},"wide":1152921504606846976`),
  ),
  served(
    'sends 7 MB of text beside an integer of 19 digits',
    on(hosts, replace('{"id":1,', `{"note":"${'x'.repeat(7_000_000)}","id":1152921504606846976,`)),
    hosts,
    '"id":1152921504606846976',
  ),
  without(
    'too_big',
    'sends 30 MB of text beside an integer of 19 digits',
    on(hosts, replace('{"id":1,', `{"note":"${'x'.repeat(30_000_000)}","id":1152921504606846976,`)),
  ),
  without(
    'too_big',
    'sends a body of 70 MB',
    on(hosts, replace('"items":[', `"pad":"${'x'.repeat(70_000_000)}","items":[`)),
  ),
]

const others: readonly Misbehavior[] = [
  served('sends empty diagnostics', on(diagnostics, body('{}'))),
  served(
    'sends diagnostics of meta alone',
    on(diagnostics, (reply) => ({ ...reply, body: `${/^\{"meta":\{[^}]*\}/.exec(reply.body)![0]}}` })),
  ),
  without(bad, 'sends diagnostics that are null', on(diagnostics, body('null'))),
  served('sends text for a count', firstValue(diagnostics, 'hosts', '"many"'), diagnostics, '"hosts":"many"'),
  served(
    'sends an unknown part of the diagnostics',
    on(diagnostics, replace('"counts":', '"weather":{"sun":null},"counts":')),
    diagnostics,
    '"weather":{"sun":null}',
  ),
  served(
    'sends events newest first',
    on(events, replace(/"at_ns":\d+/, '"at_ns":9223372036854775807')),
    events,
    '"at_ns":9223372036854775807',
  ),
  served('sends an event at no time', on(events, replace(/"at_ns":\d+/, '"at_ns":null')), events),
  served(
    'sends all events at one time',
    on(events, (reply) => ({ ...reply, body: reply.body.replaceAll(/"at_ns":\d+/g, '"at_ns":77') })),
    events,
    '"at_ns":77',
  ),
  served(
    'sends no events',
    on(events, replace(/"items":\[[^]*\],"next/, '"items":[],"next')),
    events,
    '"items":[]',
  ),
]

export const recordCases: readonly Misbehavior[] = [...json, ...itemLists, ...fields, ...others]
