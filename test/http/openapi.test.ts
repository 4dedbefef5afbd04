import { validate } from '@readme/openapi-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { Field, RecordType } from '../../src/contract/fields.ts'
import { routeNames, routes } from '../../src/contract/routes.ts'
import type { RouteName } from '../../src/contract/routes.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { tables } from '../../src/tables/catalog.ts'
import { pictureNames } from '../../src/tables/drawings/pictures.ts'
import { problemKinds } from '../../src/http/responses/problems.ts'
import { TestService } from './test-service.ts'
import { schemaAt, violationsOf } from './response-schemas.ts'

interface Schema {
  readonly type?: string | string[]
  readonly description?: string
  readonly enum?: unknown[]
  readonly properties?: Record<string, Schema>
  readonly required?: string[]
  readonly items?: Schema
  readonly anyOf?: Schema[]
  readonly $ref?: string
}

interface Response {
  readonly headers?: object
  readonly content?: Record<string, { schema: Schema }>
}

interface Description {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Record<
    string,
    {
      readonly get: {
        readonly parameters: { $ref: string }[]
        readonly responses: Record<string, Response & { $ref?: string }>
      }
    }
  >
  readonly components: {
    readonly schemas: Record<string, Schema>
    readonly responses: Record<string, Response>
    readonly parameters: Record<string, { name: string; description: string; schema: Schema }>
  }
}

const picturePaths = pictureNames.map((name) => `/pictures/${name}.svg`)
const tablePaths = [...tables.keys()].map((name) => `/tables/${name}`)

const description = openApiDocument('1.2.3') as unknown as Description

describe('the description', () => {
  test('is a valid OpenAPI 3.1.0 description of version 0.1.47', async () => {
    expect([description.openapi, description.info.version]).toEqual(['3.1.0', '0.1.47'])
    expect(description.info.title).toBe('dcsim-mirror 1.2.3: read-only simulation status service')
    expect(await validate(structuredClone(description) as never)).toMatchObject({ valid: true })
  })

  test('lets records have fields of a newer upstream', () => {
    expect(JSON.stringify(description.components.schemas)).not.toContain('additionalProperties')
  })

  test('lists the columns by which a table is sorted, in either order', () => {
    const { parameters } = description.paths['/tables/quests'].get
    const sort = (parameters as unknown as { name?: string; schema: Schema }[]).find(
      ({ name }) => name === 'sort',
    )
    const columns = Object.keys(tables.get('quests')!.row.fields)
    expect(sort?.schema.enum).toStrictEqual(columns.flatMap((name) => [name, `-${name}`]))
    expect(sort?.schema.enum).toContain('-state')
  })

  test('describes exactly the routes of the contract', () => {
    const own: Partial<Record<RouteName, string[]>> = { table: tablePaths, picture: picturePaths }
    const paths = routeNames.flatMap((name) => own[name] ?? [routes[name].path])
    expect(Object.keys(description.paths)).toEqual(paths)
  })

  test('names every status that a route may have', () => {
    const statuses = (path: string) => Object.keys(description.paths[path].get.responses)
    const universal = ['400', '403', '404', '405', '408', '414', '431', '500']
    const expected = (...more: string[]) => ['200', ...universal, ...more].toSorted()
    expect(statuses('/api/v1/hosts')).toEqual(expected('304', '503'))
    expect(statuses('/api/v1/hosts/{id}')).toEqual(expected('304', '503'))
    expect(statuses('/health')).toEqual(expected('304'))
    expect(statuses('/metrics')).toEqual(expected())
    expect(statuses('/api/v1/metrics/series')).toEqual(expected('304', '503'))
  })

  test('describes every kind of problem where its type points', () => {
    for (const kind of problemKinds) expect(description.components.responses).toHaveProperty(kind)
  })

  test('has every field of every record with its meaning, its unit, its values and whether it may be null', () => {
    const seen = new Set<string>()
    const walk = (record: RecordType): void => {
      if (seen.has(record.name)) return
      seen.add(record.name)
      const { properties, required } = description.components.schemas[record.name]
      expect(Object.keys(properties!)).toEqual(Object.keys(record.fields))
      expect(required).toEqual(Object.keys(record.fields))
      for (const [name, field] of Object.entries(record.fields) as [string, Field][]) {
        const schema = properties![name]
        expect(schema.description).toContain(field.meaning)
        const admitsNull =
          schema.type?.includes('null') === true || schema.anyOf?.some(({ type }) => type === 'null') === true
        expect([record.name, name, admitsNull]).toEqual([record.name, name, field.nullable])
        expect(schema.enum?.filter((value) => value !== null)).toEqual(field.values)
        for (const inner of [field.recordType, field.of?.recordType]) if (inner !== undefined) walk(inner)
      }
    }
    for (const record of Object.values(collections)) walk(record)
    for (const { row } of tables.values()) walk(row)
    expect(seen.size).toBeGreaterThan(60)
  })

  test.each([
    ['Port', 'gbps_tx', { type: 'number', description: 'Traffic sent. Unit: gbps.' }],
    ['Host', 'pool_id', { type: ['integer', 'null'], format: 'int64', minimum: 0 }],
    ['Incident', 'band', { type: 'string', enum: ['Watch', 'Minor', 'Major', 'Critical'] }],
    ['Host', 'accelerator', { type: ['string', 'null'], enum: ['InferenceGpu', 'TrainingGpu', null] }],
    ['Port', 'peer', { anyOf: [{ $ref: '#/components/schemas/Peer' }, { type: 'null' }] }],
    ['Cable', 'routed_points', { type: 'array', items: { type: 'array', items: { type: 'number' } } }],
  ])('%s.%s', (record, field, schema) => {
    expect(description.components.schemas[record].properties![field]).toMatchObject(schema)
  })

  test('states the bounds that the service enforces, and no others', () => {
    const { limit, offset, id, metricPath } = description.components.parameters
    expect(limit.schema).toEqual({ type: 'integer', default: 100 })
    expect(offset.schema).toEqual({ type: 'integer', default: 0 })
    expect(id.schema).toEqual({ type: 'integer', format: 'int64', minimum: 0 })
    expect(metricPath.schema).toEqual({ type: 'string', minLength: 1 })
  })

  test("states what happens outside of a parameter's range", () => {
    const { limit, id } = description.components.parameters
    expect(limit.description).toContain('Values outside 1 … 1000 are moved to the nearer end.')
    expect(id.description).toContain('Values outside 0 … 9223372036854775807 get a 400.')
  })
})

describe('responses', () => {
  let ready: TestService
  let starting: TestService

  beforeAll(async () => {
    ready = await TestService.start()
    starting = await TestService.start({ world: null })
  })
  afterAll(async () => {
    await Promise.all([ready.stop(), starting.stop()])
  })

  const queries: Record<string, string> = { '/api/v1/metrics/series': '?path=fleet/hosts_online/10s' }
  const otherRoutes = new Set<string>(
    'metrics landing llms healthy ready runbooks runbook table picture'.split(' '),
  )
  const jsonRoutes = routeNames.filter((name) => !otherRoutes.has(name))

  test.each(jsonRoutes)('%s is as described', async (name) => {
    const { path } = routes[name]
    const { status, text } = await ready.get(path.replace('{id}', '7') + (queries[path] ?? ''))
    expect(status).toBe(200)
    expect(violationsOf(path, text)).toEqual([])
  })

  test.each(picturePaths)('%s is as described', async (path) => {
    const { status, headers } = await ready.get(path)
    const { content } = description.paths[path].get.responses['200']
    expect([status, [headers['content-type']]]).toEqual([200, Object.keys(content!)])
  })

  test.each(tablePaths)('%s is as described', async (path) => {
    const { status, text } = await ready.get(path)
    expect(status).toBe(200)
    expect(violationsOf(path, text)).toEqual([])
    const { content } = description.paths[path].get.responses['200']
    expect(Object.keys(content!)).toEqual([
      'application/json',
      'text/csv; charset=utf-8; header=present',
      'text/html; charset=utf-8',
    ])
  })

  test('/health is as described before there is a world, too', async () => {
    const { text } = await starting.get('/health')
    expect(violationsOf('/health', text)).toEqual([])
  })

  test('a missing member or an unknown value is a violation, an unknown field is none', () => {
    const violations = (body: object) => violationsOf('/api/v1/quests/{id}', JSON.stringify(body))
    const quest = {
      id: 1,
      title: '',
      blurb: '',
      title_args: [],
      blurb_args: [],
      state: 'Next',
      unlock_step: 0,
      reward_label: '',
    }
    const meta = { age_ms: 1, publish_seq: 1, sim_time_ns: 1 }
    expect(violations({ meta, ...quest })).toEqual([])
    expect(violations({ meta, ...quest, extra: 1 })).toEqual([])
    expect(violations(quest)).not.toEqual([])
    expect(violations({ meta, ...quest, state: 'Nearly' })).not.toEqual([])
  })

  test.each([
    ['/api/v1/hosts/abc', 'MalformedParameter'],
    ['/api/v1/hosts/999', 'NoSuchEntity'],
    ['/nowhere', 'NoSuchRoute'],
    ['/api/v1/metrics/series?path=x', 'NoSuchMetricPath'],
  ])('%s is the problem %s as described', async (target, kind) => {
    const { text } = await ready.get(target)
    expect((JSON.parse(text) as { type: string }).type).toBe(`/openapi.json#/components/responses/${kind}`)
    const schema = schemaAt('components', 'responses', kind, 'content', 'application/problem+json', 'schema')
    expect([schema(JSON.parse(text)), schema({ ...JSON.parse(text), extra: 1 })]).toEqual([true, false])
  })

  const describedHeaders = (response: { readonly headers?: object }): string[] =>
    Object.keys(response.headers!).map((name) => name.toLowerCase())
  const specialHeaders = (headers: object): string[] => {
    const ordinary = new Set(['content-type', 'content-length', 'date', 'connection'])
    return Object.keys(headers).filter((name) => !ordinary.has(name))
  }

  test('every header that a response has beyond those of HTTP is described', async () => {
    const { headers } = await ready.get('/api/v1/hosts')
    const described = describedHeaders(description.paths['/api/v1/hosts'].get.responses['200'])
    // This world lacks nothing.
    expect([...specialHeaders(headers), 'x-sim-unknown'].toSorted()).toEqual(described.toSorted())
  })

  test('every header that a problem has is described', async () => {
    const { headers } = await ready.get('/api/v1/hosts/0')
    const described = describedHeaders(description.components.responses['NoSuchEntity'])
    expect(specialHeaders(headers).toSorted()).toEqual(described.toSorted())
  })
})
