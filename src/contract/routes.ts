import type { CollectionName } from './collections.ts'
import type { RecordType } from './fields.ts'
import { DiagnosticsSchema } from './records/diagnostics.ts'
import { EngineEventSchema } from './records/operations.ts'
import {
  DeclaredMetricSchema,
  HealthSchema,
  MetricPathsSchema,
  MetricSeriesSchema,
} from './records/service.ts'

export const apiVersion = '0.1.47'

interface ParameterBase {
  /** In URLs. */
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly meaning: string
}

export interface IntegerRange {
  readonly min: bigint
  readonly max: bigint
  /** Values outside the range are either clamped to it or refused. */
  readonly outside: 'clamp' | 'refuse'
}

interface IntegerParameter extends ParameterBase {
  readonly type: 'integer'
  readonly range: IntegerRange
  readonly default?: number
}

interface StringParameter extends ParameterBase {
  readonly type: 'string'
  readonly minLength?: number
}

/** A parameter with the rules that OpenAPI documents and the parser enforces. */
export type Parameter = IntegerParameter | StringParameter

export const int64Max = 9223372036854775807n
export const pageLimitMax = 1000
const pageLimitDefault = 100
export const tableLimitMax = 100_000
const tableLimitDefault = 1000

const inQuery = { in: 'query', required: false } as const
const inPath = { in: 'path', required: true } as const

const text = (name: string, meaning: string, more: Partial<StringParameter> = {}): StringParameter => ({
  ...inQuery,
  name,
  type: 'string',
  meaning,
  ...more,
})

const exactInteger = (name: string, meaning: string) =>
  ({
    name,
    type: 'integer',
    meaning,
    range: { min: 0n, max: int64Max, outside: 'refuse' },
  }) as const

const clampedInteger = (name: string, meaning: string, min: bigint, max: bigint, defaultValue: number) =>
  ({
    ...inQuery,
    name,
    type: 'integer',
    meaning,
    range: { min, max, outside: 'clamp' },
    default: defaultValue,
  }) as const satisfies IntegerParameter

export const parameters = {
  id: { ...inPath, ...exactInteger('id', 'Id of the entity.') },
  offset: clampedInteger(
    'offset',
    'Index of the first item. Clamped to the length of the collection.',
    0n,
    int64Max,
    0,
  ),
  limit: clampedInteger(
    'limit',
    'At most this many items. Clamped to 1 … 1000.',
    1n,
    BigInt(pageLimitMax),
    pageLimitDefault,
  ),
  eventLimit: clampedInteger(
    'limit',
    'At most this many events. Clamped to 0 … 1000.',
    0n,
    BigInt(pageLimitMax),
    pageLimitDefault,
  ),
  sinceNs: {
    ...inQuery,
    ...exactInteger('since_ns', 'Only events after this simulated time. Left out: the whole window.'),
  },
  metricPath: text('path', 'A metric path exactly as /api/v1/metrics/paths lists it.', {
    required: true,
    minLength: 1,
  }),
  pathPrefix: text('prefix', 'Only paths that begin with this.'),
  familyNames: text('name[]', 'Only these metric families; may be given several times.'),
  table: text('table', 'Name of a table; with .csv after it, the table is CSV.', inPath),
  picture: text('picture', 'Name of a picture, with .svg after it.', inPath),
  alert: text('alert', 'Name of an alert, such as DcsimHostDown.', inPath),
  tableLimit: clampedInteger(
    'limit',
    'At most this many rows. Clamped to 0 … 100000.',
    0n,
    BigInt(tableLimitMax),
    tableLimitDefault,
  ),
  sort: text(
    'sort',
    'The column to sort by; with - before it, the highest first. Left out: the usual order of the table.',
    { minLength: 1 },
  ),
  /** Stands for the filters of the requested table, each under its own name. */
  filters: text(
    '*',
    'Only rows that match one of the values; any number of them, separated by commas or given again.',
  ),
} as const satisfies Record<string, Parameter>

export type ParameterName = keyof typeof parameters

type BodyKind =
  | { readonly kind: 'page'; readonly collection: CollectionName }
  /** The collections to search for the record, in this order. */
  | { readonly kind: 'detail'; readonly collections: readonly CollectionName[] }
  | { readonly kind: 'record' | 'page-of'; readonly record: RecordType }
  | { readonly kind: 'events'; readonly record: RecordType }
  | { readonly kind: 'table-list' }
  | { readonly kind: 'picture-list' }
  | {
      readonly kind: 'metrics' | 'openapi' | 'landing' | 'llms' | 'probe' | 'runbook' | 'table' | 'picture'
    }

export interface Route {
  readonly path: string
  readonly summary: string
  readonly parameters: readonly ParameterName[]
  readonly answer: BodyKind
  /** Whether the route is available before the first publish. */
  readonly beforeWorld: boolean
}

const route = <
  P extends string,
  const N extends readonly ParameterName[],
  const A extends BodyKind,
  B extends boolean = false,
>(
  path: P,
  summary: string,
  parameterNames: N,
  answer: A,
  isBeforeWorld: B = false as B,
) => ({ path, summary, parameters: parameterNames, answer, beforeWorld: isBeforeWorld })

const beforeWorld = true

const page = <P extends string>(path: P, collection: CollectionName, summary: string) =>
  route(path, summary, ['offset', 'limit'], { kind: 'page', collection })

const detail = <P extends string>(path: P, from: readonly CollectionName[], summary: string) =>
  route(path, summary, ['id'], { kind: 'detail', collections: from })

/** The closed list of routes. The server binds exactly these, and OpenAPI describes exactly these. */
export const routes = {
  landing: route('/', 'A small page for people.', [], { kind: 'landing' }),
  openapi: route('/openapi.json', 'The description of this API: OpenAPI 3.1.', [], { kind: 'openapi' }),
  llms: route('/llms.txt', 'An overview of tables and routes for language models.', [], { kind: 'llms' }),
  health: route(
    '/health',
    'Whether the service lives and how fresh the mirror is. Always answers.',
    [],
    { kind: 'record', record: HealthSchema },
    beforeWorld,
  ),
  healthy: route(
    '/-/healthy',
    'Whether the process serves: 200, for probes, named as Prometheus does.',
    [],
    { kind: 'probe' },
    beforeWorld,
  ),
  ready: route(
    '/-/ready',
    'Whether a world is shown: 200 from the first publish on and 503 before, for probes.',
    [],
    { kind: 'probe' },
  ),
  metrics: route(
    '/metrics',
    'Prometheus text exposition, version 0.0.4. Empty before the first publish.',
    ['familyNames'],
    { kind: 'metrics' },
    beforeWorld,
  ),
  tables: route('/tables', 'The tables: what each shows, its columns and its filters.', [], {
    kind: 'table-list',
  }),
  table: route(
    '/tables/{table}',
    'A table of the world in words, as flat rows: JSON, CSV, or a page for browsers, as the client prefers.',
    ['table', 'offset', 'tableLimit', 'sort', 'filters'],
    { kind: 'table' },
  ),
  pictures: route('/pictures', 'The pictures: what each shows, and where it is.', [], {
    kind: 'picture-list',
  }),
  picture: route(
    '/pictures/{picture}',
    'A picture of the world as SVG, whose things lead to tables.',
    ['picture', 'filters'],
    { kind: 'picture' },
  ),
  runbooks: route('/runbooks', 'The runbooks of all alerts, for people.', [], { kind: 'runbook' }),
  runbook: route(
    '/runbooks/{alert}',
    'What an alert means, what it does, how to look closer and what helps, for people.',
    ['alert'],
    { kind: 'runbook' },
  ),
  azs: page('/api/v1/azs', 'azs', 'Availability zones.'),
  az: detail('/api/v1/azs/{id}', ['azs'], 'One availability zone.'),
  customers: page('/api/v1/customers', 'customers', 'Customers.'),
  customer: detail('/api/v1/customers/{id}', ['customers'], 'One customer.'),
  diagnostics: route('/api/v1/diagnostics', 'The world and the mirror at a glance, from one snapshot.', [], {
    kind: 'record',
    record: DiagnosticsSchema,
  }),
  events: route(
    '/api/v1/events',
    'The most recent events after a cursor. Reading takes nothing away.',
    ['sinceNs', 'eventLimit'],
    { kind: 'events', record: EngineEventSchema },
  ),
  hostPools: page('/api/v1/host-pools', 'hostPools', 'Host pools.'),
  hostPool: detail('/api/v1/host-pools/{id}', ['hostPools'], 'One host pool.'),
  hosts: page('/api/v1/hosts', 'hosts', 'Hosts.'),
  host: detail('/api/v1/hosts/{id}', ['hosts'], 'One host.'),
  incidents: page('/api/v1/incidents', 'incidents', 'Active incidents.'),
  resolvedIncidents: page('/api/v1/incidents/resolved', 'resolvedIncidents', 'Recently resolved incidents.'),
  incident: detail(
    '/api/v1/incidents/{id}',
    ['incidents', 'resolvedIncidents'],
    'One incident, active or recently resolved.',
  ),
  gateways: page('/api/v1/network/gateways', 'gateways', 'Edge gateways.'),
  gateway: detail('/api/v1/network/gateways/{id}', ['gateways'], 'One edge gateway.'),
  cables: page('/api/v1/network/cables', 'cables', 'Cables.'),
  cable: detail('/api/v1/network/cables/{id}', ['cables'], 'One cable.'),
  segments: page('/api/v1/network/segments', 'segments', 'Segments.'),
  segment: detail('/api/v1/network/segments/{id}', ['segments'], 'One segment.'),
  subnets: page('/api/v1/network/subnets', 'subnets', 'Subnets.'),
  subnet: detail('/api/v1/network/subnets/{id}', ['subnets'], 'One subnet.'),
  appliances: page('/api/v1/network/appliances', 'appliances', 'Network appliances.'),
  appliance: detail('/api/v1/network/appliances/{id}', ['appliances'], 'One network appliance.'),
  switches: page('/api/v1/network/switches', 'switches', 'Switches.'),
  switch: detail('/api/v1/network/switches/{id}', ['switches'], 'One switch.'),
  patchPanels: page('/api/v1/network/patch-panels', 'patchPanels', 'Patch panels.'),
  patchPanel: detail('/api/v1/network/patch-panels/{id}', ['patchPanels'], 'One patch panel.'),
  prospects: page('/api/v1/prospects', 'prospects', 'Prospects.'),
  prospect: detail('/api/v1/prospects/{id}', ['prospects'], 'One prospect.'),
  quests: page('/api/v1/quests', 'quests', 'Quests.'),
  quest: detail('/api/v1/quests/{id}', ['quests'], 'One quest.'),
  workOrders: page('/api/v1/work-orders', 'workOrders', 'Work orders.'),
  workOrder: detail('/api/v1/work-orders/{id}', ['workOrders'], 'One work order.'),
  declaredMetrics: route(
    '/api/v1/metrics',
    'Declared metric families: names, types, units, help, labels.',
    ['offset', 'limit'],
    { kind: 'page-of', record: DeclaredMetricSchema },
  ),
  metricPaths: route('/api/v1/metrics/paths', 'The metric paths that have a history.', ['pathPrefix'], {
    kind: 'record',
    record: MetricPathsSchema,
  }),
  metricSeries: route('/api/v1/metrics/series', 'The history of one metric path.', ['metricPath'], {
    kind: 'record',
    record: MetricSeriesSchema,
  }),
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
export const routeNames = Object.keys(routes) as RouteName[]

/** The maximum length of the metric path list. */
export const metricPathsMax = 10_000
