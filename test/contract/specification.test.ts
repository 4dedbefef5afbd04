/** Compares the contract with the text of the specification, which is parsed here independently. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { Field, RecordType } from '../../src/contract/fields.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../src/contract/records/operations.ts'
import { HealthSchema, MetricPathsSchema, MetricSeriesSchema } from '../../src/contract/records/service.ts'
import { MessageArgumentSchema, PortSchema, ThreatSchema } from '../../src/contract/records/shared.ts'
import { routes } from '../../src/contract/routes.ts'
import type { Route } from '../../src/contract/routes.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'

const specification = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8')

/** The text of a chapter such as `2.10`, without its heading. */
function chapter(number: string): string {
  const begins = specification.indexOf(`\n### ${number} `)
  if (begins < 0) throw new Error(`The specification has no chapter ${number}.`)
  const bodyAt = specification.indexOf('\n', begins + 1)
  const ends = specification.slice(bodyAt).search(/\n##/)
  return specification.slice(bodyAt, bodyAt + ends)
}

/** A type in the notation of the specification; `record` for anything in braces. */
type Stated = ReadonlyMap<string, string>

const withoutRemarks = (text: string): string => text.replace(/\([^()]*\)/g, '')

/** Splits at separators outside of braces. */
function split(text: string, separator: RegExp): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '{') depth++
    if (character === '}') depth--
    if (depth === 0 && separator.test(character)) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const typeWords = 'int\\[\\]|num\\[\\]\\[\\]|num\\[\\]|str\\[\\]|int|num|str|bool'
const plainField = new RegExp(`^([a-z0-9_]+) (${typeWords})$`)

/** Parses lists such as `id int; name str; a_gbps, b_gbps: num; ports: port record[]` into names and types. */
function fieldsIn(text: string): Stated {
  const found = new Map<string, string>()
  for (const statement of split(
    withoutRemarks(text)
      .replace(/^- /gm, ';')
      .replace(/\.(?=\s|$)/g, ';'),
    /;/,
  )) {
    const colon = split(statement, /:/)
    const [names, type] = colon.length === 2 ? colon : [statement, null]
    if (type === null) readPlain(names, found)
    else for (const name of names.split(',')) found.set(name.trim(), collective(type))
  }
  return found
}

/** `a int, b str` or `a, b, c int`: a name without a type has the type of the next one. */
function readPlain(text: string, found: Map<string, string>): void {
  const waiting: string[] = []
  for (const part of split(text, /,/)) {
    const braced = /^([a-z0-9_]+) \{/.exec(part)
    const plain = plainField.exec(part)
    if (braced !== null) found.set(braced[1], part.endsWith('[]') ? 'records' : 'record')
    else if (plain !== null) for (const name of [...waiting.splice(0), plain[1]]) found.set(name, plain[2])
    else if (/^[a-z0-9_]+$/.test(part)) waiting.push(part)
    else if (/ (?:message argument|article)\[\]$/.test(part)) found.set(part.split(' ')[0], 'records')
    else if (/^([a-z0-9_]+) port record\[\]$/.test(part)) found.set(part.split(' ')[0], 'records')
  }
}

function collective(type: string): string {
  const word = new RegExp(`^(${typeWords})$`).exec(type.trim())
  if (word !== null) return word[1]
  if (/\[\]/.test(type) || type.startsWith('array of')) return 'records'
  return 'record'
}

/** The fields in the braces after a name. */
function braced(number: string, name: string): Stated {
  const text = chapter(number)
  const at = text.search(new RegExp(`\\b${name}:? (?:object |is )?\`?\\{`))
  if (at < 0) throw new Error(`${number} does not spell out ${name}.`)
  const opens = text.indexOf('{', at)
  let depth = 0
  for (let end = opens; end < text.length; end++) {
    if (text[end] === '{') depth++
    if (text[end] === '}') depth--
    if (depth === 0)
      return fieldsIn(
        text
          .slice(opens + 1, end)
          .replaceAll(',', ';')
          .replace(/(?<=\{[^}]*);(?=[^{]*\})/g, ','),
      )
  }
  throw new Error(`${number}: the braces of ${name} do not close.`)
}

function statedType(field: Field): string {
  if (field.kind === 'int64') return 'int'
  if (field.kind === 'record' || field.kind === 'keyed') return 'record'
  if (field.kind !== 'list') return field.kind
  const inner = statedType(field.of!)
  return inner === 'record' ? 'records' : `${inner}[]`
}

const typesOf = (record: RecordType): Record<string, string> =>
  Object.fromEntries(Object.entries(record.fields).map(([name, field]) => [name, statedType(field)]))

/** The type of a nested record, singly or in a list. */
function within(record: RecordType, ...names: string[]): RecordType {
  return names.reduce((outer, name) => {
    const field: Field = outer.fields[name]
    return (field.recordType ?? field.of?.recordType)!
  }, record)
}

/** Fields whose shape the specification does not show. */
const shapeless = { peer: 'record', a: 'record', b: 'record' }

function tableOf(number: string): Stated {
  const rows = [...chapter(number).matchAll(/^\| ([a-z0-9_, ]+) \| ([^|]+) \|/gm)]
  return new Map(
    rows.flatMap(([, names, type]) =>
      names.split(',').map((name): [string, string] => [name.trim(), withoutRemarks(type).trim()]),
    ),
  )
}

const { customers, gateways, switches, appliances, patchPanels, cables, hosts, prospects, incidents } =
  collections

describe('records', () => {
  test.each<[string, RecordType, Stated, Record<string, string>?]>([
    [
      '2.2 message argument',
      MessageArgumentSchema,
      fieldsIn(/\{(.*?)\}/.exec(chapter('2.2'))![1].replaceAll(':', '').replaceAll(',', ';')),
    ],
    ['2.3 port', PortSchema, tableOf('2.3'), { peer: 'record' }],
    ['2.4 threat', ThreatSchema, fieldsIn(chapter('2.4').replaceAll('`', '').replaceAll(',', ';'))],
    ['2.5 gateway', gateways, fieldsIn(chapter('2.5').replaceAll('`', ''))],
    ['2.6 switch', switches, fieldsIn(chapter('2.6'))],
    ['2.7 appliance', appliances, fieldsIn(chapter('2.7'))],
    ['2.8 patch panel', patchPanels, fieldsIn(chapter('2.8'))],
    [
      '2.9 cable',
      cables,
      fieldsIn(chapter('2.9').replace('path: array of single-key objects', 'path: record[]')),
      { a: 'record', b: 'record' },
    ],
    ['2.10 host', hosts, fieldsIn(chapter('2.10').replaceAll('`', ''))],
    [
      '2.11 customer',
      customers,
      fieldsIn(
        chapter('2.11')
          .replaceAll('`', '')
          .replace(/\nCustomer service entry:[\s\S]*/, ''),
      ),
    ],
    ['2.12 prospect', prospects, fieldsIn(chapter('2.12').replaceAll('`', ''))],
    [
      '2.13 incident',
      incidents,
      fieldsIn(
        chapter('2.13')
          .replaceAll('`', '')
          .replace(/ where article is \{.*\}/, ''),
      ),
    ],
    ['2.14 work order', collections.workOrders, fieldsIn(chapter('2.14').replaceAll('`', ''))],
    ['2.15 quest', collections.quests, fieldsIn(chapter('2.15'))],
    ['2.16 segment', collections.segments, fieldsIn(chapter('2.16'))],
    ['2.17 subnet', collections.subnets, fieldsIn(/Fields: (.*)/.exec(chapter('2.17'))![1])],
    ['2.18 event', EngineEventSchema, fieldsIn(/\{(.*?)\}/.exec(chapter('2.18'))![1].replaceAll(',', ';'))],
    [
      '2.21 metric paths',
      MetricPathsSchema,
      fieldsIn(/Path list: `\{(.*?)\}/.exec(chapter('2.21'))![1].replaceAll(',', ';')),
    ],
    [
      '2.21 series',
      MetricSeriesSchema,
      fieldsIn(/Series: `\{(.*?)\}/.exec(chapter('2.21'))![1].replaceAll(',', ';')),
    ],
  ])('%s', (_title, record, stated, unshown = {}) => {
    expect(Object.keys(unshown).every((name) => name in shapeless)).toBe(true)
    expect(typesOf(record)).toEqual({ ...Object.fromEntries(stated), ...unshown })
  })

  test.each<[string, RecordType, Stated]>([
    ['2.5 builtin_firewall', within(gateways, 'builtin_firewall'), braced('2.5', 'builtin_firewall')],
    ['2.5 security_addons', within(gateways, 'security_addons'), braced('2.5', 'security_addons')],
    ['2.10 visual', within(hosts, 'visual'), braced('2.10', 'visual')],
    ['2.10 visual port', within(hosts, 'visual', 'port'), braced('2.10', 'port')],
    ['2.11 service_margins', within(customers, 'service_margins'), braced('2.11', 'service_margins')],
    ['2.11 placement', within(customers, 'services', 'placement'), braced('2.11', 'placement')],
    ['2.12 services', within(prospects, 'services'), braced('2.12', 'services')],
    ['2.13 causes', within(incidents, 'causes'), braced('2.13', 'causes')],
    ['2.13 timeline', within(incidents, 'timeline'), braced('2.13', 'timeline')],
    ['2.13 article', within(incidents, 'articles'), braced('2.13', 'article')],
    ['2.13 evidence', within(incidents, 'evidence'), braced('2.13', 'evidence')],
    ['2.14 steps', within(collections.workOrders, 'steps'), braced('2.14', 'steps')],
  ])('%s', (_title, record, stated) => {
    expect(typesOf(record)).toEqual(Object.fromEntries(stated))
  })

  test('2.11 customer service entry', () => {
    const text = /Customer service entry: ([\s\S]*)/.exec(chapter('2.11'))![1].replaceAll('`', '')
    expect(typesOf(within(customers, 'services'))).toEqual(Object.fromEntries(fieldsIn(text)))
  })

  test('2.20 health: the simulated time is there but for the first moments, and why the status is what it is is ours', () => {
    const stated = Object.fromEntries(fieldsIn(/\{(.*?)\}/.exec(chapter('2.20'))![1].replaceAll(',', ';')))
    expect(typesOf(HealthSchema)).toEqual({ ...stated, reason: 'str' })
  })

  test('zones, pools and diagnostics are ours to design, and every list of the last has its total beside it', () => {
    const lists = Object.entries(DiagnosticsSchema.fields).filter(
      ([, field]) => (field as Field).kind === 'list',
    )
    expect(lists.length).toBeGreaterThan(3)
    for (const [name] of lists) expect(Object.keys(DiagnosticsSchema.fields)).toContain(`${name}_total`)
  })

  test('2.1 and 2.19 the wrappers of pages', () => {
    const { paths } = openApiDocument('1.2.3') as {
      paths: Record<
        string,
        {
          get: { responses: { 200: { content: { 'application/json': { schema: { properties: object } } } } } }
        }
      >
    }
    const members = (path: string) =>
      Object.keys(paths[path].get.responses[200].content['application/json'].schema.properties)
    const stated = [...chapter('2.1').matchAll(/^\| ([a-z]+) \| (?:T\[\]|int) \|/gm)].map(([, name]) => name)
    expect(stated).toEqual(['items', 'total', 'offset', 'count'])
    const pages = Object.values<Route>(routes).filter(({ answer }) => answer.kind === 'page')
    for (const { path } of pages) expect(members(path)).toEqual(['meta', ...stated])
    const events = [
      ...fieldsIn(
        /\{(.*?)\}/.exec(chapter('2.19'))![1].replace('event[]', 'record[]').replaceAll(',', ';'),
      ).keys(),
    ]
    expect(new Set(members('/api/v1/events'))).toEqual(new Set(['meta', 'items', ...events]))
  })
})

/** Some of the types a second time by hand: the parser above may be wrong. */
test('the parser of the specification parses it correctly', () => {
  const host = fieldsIn(chapter('2.10').replaceAll('`', ''))
  expect(host.size).toBe(58)
  expect([
    host.get('visual'),
    host.get('ports'),
    host.get('mem_requested_pct'),
    host.get('served_customer_ids'),
  ]).toEqual(['record', 'records', 'num', 'int[]'])
  expect(fieldsIn(chapter('2.9')).get('routed_points')).toBe('num[][]')
  expect(tableOf('2.3').get('breakout_used_gbps')).toBe('int')
  expect(tableOf('2.3').size).toBe(22)
})

describe('routes', () => {
  const stated = [...specification.matchAll(/^\| (\/[^ |]*) \| (.*) \|$/gm)].map(([, path, returns]) => ({
    path: path,
    returns: returns,
  }))
  const ours = new Map(Object.values<Route>(routes).map((route) => [route.path, route]))

  test('every route of the specification exists', () => {
    expect(stated.length).toBe(34)
    for (const { path } of stated) expect(ours.has(path) ? path : `no ${path}`).toBe(path)
  })

  test('the routes that it does not show, and no others, are added', () => {
    const shown = new Set(stated.map(({ path }) => path))
    expect([...ours.keys()].filter((path) => !shown.has(path)).toSorted()).toEqual(
      [
        '/ /-/healthy /-/ready /api/v1/metrics /api/v1/network/cables/{id}',
        '/api/v1/network/patch-panels /api/v1/network/segments/{id} /llms.txt /openapi.json /pictures',
        '/pictures/{picture} /runbooks /runbooks/{alert} /tables /tables/{table}',
      ].flatMap((line) => line.split(' ')),
    )
  })

  test('pages are pages and details are details', () => {
    for (const { path, returns } of stated) {
      const { answer, parameters } = ours.get(path)!
      const paged = returns.startsWith('page of')
      expect([path, answer.kind === 'page']).toEqual([path, paged])
      expect([path, answer.kind === 'detail']).toEqual([path, path.includes('{id}')])
      expect([path, parameters.includes('offset')]).toEqual([path, paged])
    }
  })

  test('only /health, /metrics and the probe of the process answer before there is a world', () => {
    const early = [...ours.values()].filter(({ beforeWorld }) => beforeWorld).map(({ path }) => path)
    expect(early.toSorted()).toEqual(['/-/healthy', '/health', '/metrics'])
  })
})
