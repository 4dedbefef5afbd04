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
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly meaning: string
}

interface IntegerParameter extends ParameterBase {
  readonly type: 'integer'
  /** Values outside the range are either clamped to it or refused. */
  readonly range: { readonly min: bigint; readonly max: bigint; readonly outside: 'clamp' | 'refuse' }
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
const tableLimitMax = 100_000
const tableLimitDefault = 1000

export const parameters = {
  id: {
    in: 'path',
    type: 'integer',
    required: true,
    meaning: 'Id of the entity.',
    range: { min: 0n, max: int64Max, outside: 'refuse' },
  },
  offset: {
    in: 'query',
    type: 'integer',
    required: false,
    meaning: 'Index of the first item. Clamped to the length of the collection.',
    range: { min: 0n, max: int64Max, outside: 'clamp' },
    default: 0,
  },
  limit: {
    in: 'query',
    type: 'integer',
    required: false,
    meaning: 'At most this many items. Clamped to 1 … 1000.',
    range: { min: 1n, max: BigInt(pageLimitMax), outside: 'clamp' },
    default: pageLimitDefault,
  },
  eventLimit: {
    in: 'query',
    type: 'integer',
    required: false,
    meaning: 'At most this many events. Clamped to 0 … 1000.',
    range: { min: 0n, max: BigInt(pageLimitMax), outside: 'clamp' },
    default: pageLimitDefault,
  },
  sinceNs: {
    in: 'query',
    type: 'integer',
    required: false,
    meaning: 'Only events after this simulated time. Left out: the whole window.',
    range: { min: 0n, max: int64Max, outside: 'refuse' },
  },
  metricPath: {
    in: 'query',
    type: 'string',
    required: true,
    meaning: 'A metric path exactly as /api/v1/metrics/paths lists it.',
    minLength: 1,
  },
  pathPrefix: {
    in: 'query',
    type: 'string',
    required: false,
    meaning: 'Only paths that begin with this.',
  },
  familyNames: {
    in: 'query',
    type: 'string',
    required: false,
    meaning: 'Only these metric families; may be given several times.',
  },
  table: {
    in: 'path',
    type: 'string',
    required: true,
    meaning: 'Name of a table; with .csv after it, the table is CSV.',
  },
  picture: {
    in: 'path',
    type: 'string',
    required: true,
    meaning: 'Name of a picture, with .svg after it.',
  },
  alert: {
    in: 'path',
    type: 'string',
    required: true,
    meaning: 'Name of an alert, such as DcsimHostDown.',
  },
  tableLimit: {
    in: 'query',
    type: 'integer',
    required: false,
    meaning: 'At most this many rows. Clamped to 0 … 100000.',
    range: { min: 0n, max: BigInt(tableLimitMax), outside: 'clamp' },
    default: tableLimitDefault,
  },
  sort: {
    in: 'query',
    type: 'string',
    required: false,
    meaning:
      'The column to sort by; with - before it, the highest first. Left out: the usual order of the table.',
    minLength: 1,
  },
  filters: {
    in: 'query',
    type: 'string',
    required: false,
    meaning:
      'Only rows that match one of the values; any number of them, separated by commas or given again.',
  },
} as const satisfies Record<string, Parameter>

export type ParameterName = keyof typeof parameters

/** The spelling of a parameter in URLs, if it differs from its name here. */
export const parameterNamesInUrl: Readonly<Record<ParameterName, string>> = {
  id: 'id',
  offset: 'offset',
  limit: 'limit',
  eventLimit: 'limit',
  sinceNs: 'since_ns',
  metricPath: 'path',
  pathPrefix: 'prefix',
  familyNames: 'name[]',
  table: 'table',
  picture: 'picture',
  alert: 'alert',
  tableLimit: 'limit',
  sort: 'sort',
  // Stands for the filters of the requested table, each under its own name.
  filters: '*',
}

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

const page = <P extends string>(path: P, collection: CollectionName, summary: string) =>
  ({
    path,
    summary,
    parameters: ['offset', 'limit'],
    answer: { kind: 'page', collection },
    beforeWorld: false,
  }) as const satisfies Route

const detail = <P extends string>(path: P, from: readonly CollectionName[], summary: string) =>
  ({
    path,
    summary,
    parameters: ['id'],
    answer: { kind: 'detail', collections: from },
    beforeWorld: false,
  }) as const satisfies Route

/** The closed list of routes. The server binds exactly these, and OpenAPI describes exactly these. */
export const routes = {
  landing: {
    path: '/',
    summary: 'A small page for people.',
    parameters: [],
    answer: { kind: 'landing' },
    beforeWorld: false,
  },
  openapi: {
    path: '/openapi.json',
    summary: 'The description of this API: OpenAPI 3.1.',
    parameters: [],
    answer: { kind: 'openapi' },
    beforeWorld: false,
  },
  llms: {
    path: '/llms.txt',
    summary: 'An overview of tables and routes for language models.',
    parameters: [],
    answer: { kind: 'llms' },
    beforeWorld: false,
  },
  health: {
    path: '/health',
    summary: 'Whether the service lives and how fresh the mirror is. Always answers.',
    parameters: [],
    answer: { kind: 'record', record: HealthSchema },
    beforeWorld: true,
  },
  healthy: {
    path: '/-/healthy',
    summary: 'Whether the process serves: 200, for probes, named as Prometheus does.',
    parameters: [],
    answer: { kind: 'probe' },
    beforeWorld: true,
  },
  ready: {
    path: '/-/ready',
    summary: 'Whether a world is shown: 200 from the first publish on and 503 before, for probes.',
    parameters: [],
    answer: { kind: 'probe' },
    beforeWorld: false,
  },
  metrics: {
    path: '/metrics',
    summary: 'Prometheus text exposition, version 0.0.4. Empty before the first publish.',
    parameters: ['familyNames'],
    answer: { kind: 'metrics' },
    beforeWorld: true,
  },
  tables: {
    path: '/tables',
    summary: 'The tables: what each shows, its columns and its filters.',
    parameters: [],
    answer: { kind: 'table-list' },
    beforeWorld: false,
  },
  table: {
    path: '/tables/{table}',
    summary:
      'A table of the world in words, as flat rows: JSON, CSV, or a page for browsers, as the client prefers.',
    parameters: ['table', 'offset', 'tableLimit', 'sort', 'filters'],
    answer: { kind: 'table' },
    beforeWorld: false,
  },
  pictures: {
    path: '/pictures',
    summary: 'The pictures: what each shows, and where it is.',
    parameters: [],
    answer: { kind: 'picture-list' },
    beforeWorld: false,
  },
  picture: {
    path: '/pictures/{picture}',
    summary: 'A picture of the world as SVG, whose things lead to tables.',
    parameters: ['picture', 'filters'],
    answer: { kind: 'picture' },
    beforeWorld: false,
  },
  runbooks: {
    path: '/runbooks',
    summary: 'The runbooks of all alerts, for people.',
    parameters: [],
    answer: { kind: 'runbook' },
    beforeWorld: false,
  },
  runbook: {
    path: '/runbooks/{alert}',
    summary: 'What an alert means, what it does, how to look closer and what helps, for people.',
    parameters: ['alert'],
    answer: { kind: 'runbook' },
    beforeWorld: false,
  },
  azs: page('/api/v1/azs', 'azs', 'Availability zones.'),
  az: detail('/api/v1/azs/{id}', ['azs'], 'One availability zone.'),
  customers: page('/api/v1/customers', 'customers', 'Customers.'),
  customer: detail('/api/v1/customers/{id}', ['customers'], 'One customer.'),
  diagnostics: {
    path: '/api/v1/diagnostics',
    summary: 'The world and the mirror at a glance, from one snapshot.',
    parameters: [],
    answer: { kind: 'record', record: DiagnosticsSchema },
    beforeWorld: false,
  },
  events: {
    path: '/api/v1/events',
    summary: 'The most recent events after a cursor. Reading takes nothing away.',
    parameters: ['sinceNs', 'eventLimit'],
    answer: { kind: 'events', record: EngineEventSchema },
    beforeWorld: false,
  },
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
  declaredMetrics: {
    path: '/api/v1/metrics',
    summary: 'Declared metric families: names, types, units, help, labels.',
    parameters: ['offset', 'limit'],
    answer: { kind: 'page-of', record: DeclaredMetricSchema },
    beforeWorld: false,
  },
  metricPaths: {
    path: '/api/v1/metrics/paths',
    summary: 'The metric paths that have a history.',
    parameters: ['pathPrefix'],
    answer: { kind: 'record', record: MetricPathsSchema },
    beforeWorld: false,
  },
  metricSeries: {
    path: '/api/v1/metrics/series',
    summary: 'The history of one metric path.',
    parameters: ['metricPath'],
    answer: { kind: 'record', record: MetricSeriesSchema },
    beforeWorld: false,
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
export const routeNames = Object.keys(routes) as RouteName[]

/** The maximum length of the metric path list. */
export const metricPathsMax = 10_000
