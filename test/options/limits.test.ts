import { describe, expect, test } from 'vitest'
import { hintCommand } from '../../src/practice/commands/hint.ts'
import { reportCommand } from '../../src/practice/commands/report.ts'
import { backfillCommand } from '../../src/commands/backfill.ts'
import { recordCommand } from '../../src/commands/record.ts'
import { serveCommand } from '../../src/commands/serve.ts'
import { commandsByName } from './declared-commands.ts'
import { ParseFailure } from '../../src/options/setting.ts'
import type { ValueParser } from '../../src/options/setting.ts'
import { readSessionList } from '../../src/options/session-list.ts'
import { files, parse, walk } from '../tidy/source-files.ts'

const { settings: serve } = serveCommand
const { settings: record } = recordCommand
const { settings: backfill } = backfillCommand
const { settings: report } = reportCommand

/** A parser with texts at the limits of its range, each with its value, and invalid texts beside them. */
const limits: readonly (readonly [
  name: string,
  parser: ValueParser<unknown>,
  taken: Readonly<Record<string, unknown>>,
  refused: readonly string[],
])[] = [
  [
    'seed',
    serve.seed.parse,
    { '0': 0n, '9223372036854775807': 9223372036854775807n },
    ['9223372036854775808', '', '-1', '1e3', ' 1'],
  ],
  [
    'scale',
    serve.scale.parse,
    { '1': 1, '50000': 50_000, large: 'large' },
    ['0', '50001', '1.5', 'Large', ''],
  ],
  [
    'speed',
    serve.speed.parse,
    { '': null, '0': 0, '0.25': 0.25, '100000': 100_000 },
    ['100000.5', '100001', '-1', '1e3', '.5', '5.'],
  ],
  [
    'warmup',
    serve.warmup.parse,
    { '': null, '0s': 0n, '400d': 34_560_000_000_000_000n },
    ['400d1s', '1', '1w', '-1s'],
  ],
  [
    'cadence-ms',
    serve['cadence-ms'].parse,
    { '50': 50, '86400000': 86_400_000 },
    ['49', '86400001', '50.5', ''],
  ],
  ['idle-ms', serve['idle-ms'].parse, { '1': 1, '86400000': 86_400_000 }, ['0', '86400001']],
  [
    'listen',
    serve.listen.parse,
    { 'a:0': { host: 'a', port: 0 }, 'a:65535': { host: 'a', port: 65_535 } },
    ['a:65536', 'a:', ':1', 'a b:1'],
  ],
  [
    'from',
    serve.from.parse,
    { '0s': 0n, '1s': 1_000_000_000n, '400d': 34_560_000_000_000_000n },
    ['', '400d1s'],
  ],
  ['until', serve.until.parse, { '': null, '0s': 0n }, ['400d1s']],
  ['every', record.every.parse, { '1s': 1_000, '1d': 86_400_000 }, ['0s', '', '1d1s', '0d']],
  ['for', record.for.parse, { '': null, '1s': 1_000, '400d': 34_560_000_000 }, ['0s', '400d1s']],
  ['span', backfill.span.parse, { '': null, '0s': 0n, '400d': 34_560_000_000_000_000n }, ['400d1s']],
  [
    'ends-at',
    backfill['ends-at'].parse,
    { now: null, '1764547200': 1_764_547_200 },
    ['176454720', '17645472000', 'Now', ''],
  ],
  ['interval', backfill.interval.parse, { '1s': 1, '1d': 86_400 }, ['0s', '1d1s', '']],
  ['unchanged', backfill.unchanged.parse, { '1s': 1, '1d': 86_400 }, ['0s', '1d1s']],
  ['level', hintCommand.settings.level.parse, { '': null, '1': 1, '4': 4 }, ['0', '5']],
  ['grace', report.grace.parse, { '0s': 0, '1d': 86_400 }, ['1d1s', '']],
  [
    'prometheus',
    report.prometheus.parse,
    { 'http://a//': 'http://a', 'https://a/b/': 'https://a/b' },
    ['a', 'ftp://a', 'http://', ''],
  ],
  [
    'session',
    serve.session.parse,
    { '': '', a: 'a', ['a'.repeat(64)]: 'a'.repeat(64), 'A0._:-': 'A0._:-' },
    ['a'.repeat(65), '-a', 'a b'],
  ],
  [
    'grafana-url',
    serve['grafana-url'].parse,
    { '': null, 'http://a:3000//': 'http://a:3000' },
    ['a:3000', 'ftp://a'],
  ],
]

describe.each(limits)('%s', (_, parser, taken, refused) => {
  test.each(Object.entries(taken))('takes %j', (text, value) => {
    expect(parser(text)).toEqual(value)
  })

  test.each(refused)('refuses %j', (text) => {
    expect(parser(text)).toBeInstanceOf(ParseFailure)
  })
})

test('a list has at most a hundred sessions', () => {
  const list = (count: number): string =>
    Array.from({ length: count }, (_, nth) => `s${nth}=simulation`).join(',')
  expect(readSessionList(list(100))).toHaveLength(100)
  expect(readSessionList(list(101))).toBe('got 101 sessions, expected at most 100')
})

const commands = Object.values(commandsByName)

test.each<[keyof typeof commandsByName, string]>([
  ['backfill', 'ends-at now, interval 20s, unchanged 60s, job dcsim, instance mirror:9740'],
  ['record', 'every 1s'],
  ['act', 'actions sessions/actions.jsonl, wait 30s'],
  ['debrief', 'out debrief, twin yes'],
  ['cases', 'out cases/, count 20, seed 1000, scale small, forms own,rcaeval,petshop,openrca'],
  ['score', 'cases cases/, split all, format table'],
  ['what-if', 'for 6h, format text'],
  ['report', 'format table, grace 90s'],
  ['chronicle', 'days 7, url http://127.0.0.1:9740'],
  ['events', 'follow no, url http://127.0.0.1:9740'],
  ['check', 'json no'],
  ['status', 'url http://127.0.0.1:9740'],
  ['targets', 'target mirror:9740'],
])('besides the defaults of a mirror, %s has: %s', (name, expected) => {
  const isOfMirror = (flag: string, text: string): boolean =>
    (serve as Readonly<Record<string, { readonly defaultText: string }>>)[flag]?.defaultText === text
  const own = Object.entries(commandsByName[name].settings)
    .filter(([flag, { defaultText: text }]) => text !== '' && !isOfMirror(flag, text))
    .map(([flag, { defaultText: text }]) => `${flag} ${text}`)
  expect(own.join(', ')).toBe(expected)
})

/** Names that the commands read from an object: as a property, or by destructuring. */
function namesRead(): Set<string> {
  const names = new Set<string>()
  for (const file of files.filter(({ path }) =>
    /^src\/(?:commands|command-line|practice|sources)\//.test(path),
  )) {
    walk(parse(file), (node) => {
      if (node.type === 'MemberExpression') names.add(nameOf(node['property']))
      if (node.type !== 'ObjectPattern') return
      for (const property of node['properties'] as readonly { readonly key?: unknown }[])
        names.add(nameOf(property.key))
    })
  }
  return names
}

const nameOf = (node: unknown): string => {
  const { name, value } = (node ?? {}) as { readonly name?: string; readonly value?: unknown }
  return name ?? String(value)
}

test('every flag is used', () => {
  const declared = new Set(commands.flatMap(({ settings }) => Object.keys(settings)))
  expect(declared.size).toBeGreaterThan(30)
  expect([...declared.difference(namesRead())]).toEqual([])
})

test('a flag of several commands means the same in each, unless it says otherwise', () => {
  const places = new Map<string, Set<unknown>>()
  for (const { settings } of commands)
    for (const [name, { parse: parser }] of Object.entries(settings))
      places.set(name, (places.get(name) ?? new Set()).add(parser))
  const several = [...places].filter(([, parsers]) => parsers.size > 1).map(([name]) => name)
  // A file of actions must be named where an action is appended to it, and a Prometheus where it is read; two outputs are files of different kinds, and a report is about a session of any name, from one wall time to
  // another. A recording lasts as long as wanted, worlds are compared for days; an answer is read as text, grades as a table.
  expect(several.toSorted()).toEqual('actions for format from out prometheus session until'.split(' '))
})
