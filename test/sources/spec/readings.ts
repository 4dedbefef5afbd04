/** Each reading of what the specification calls "not shown". */
import { collectionNames, collections } from '../../../src/contract/collections.ts'
import type { CollectionName } from '../../../src/contract/collections.ts'
import type { Field, RecordType } from '../../../src/contract/fields.ts'
import { EngineEventSchema } from '../../../src/contract/records/operations.ts'
import { fewRoutes, withBody, withStatus } from './missing-routes.ts'
import type { Answer } from './missing-routes.ts'
import { withRecords } from './plain-world.ts'
import type { Json, PlainWorld } from './plain-world.ts'
import type { SpecCase } from './spec-case.ts'
import { isOf } from './spec-upstream.ts'

const onlyId = ({ id }: Json): Json => ({ id })
const renamed = (record: Json): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name === 'id' ? name : `my_${name}`, value]),
  )

/** Forms of the records whose shape is open. */
const openRecords: readonly SpecCase[] = [
  ...(['azs', 'hostPools'] as const).flatMap((name): SpecCase[] => [
    { name: `${name}: ids alone`, world: (world) => withRecords(world, [name], onlyId), isSparse: true },
    { name: `${name}: other names`, world: (world) => withRecords(world, [name], renamed), isSparse: true },
  ]),
  { name: 'diagnostics: empty', world: (world) => ({ ...world, diagnostics: {} }), isSparse: true },
  {
    name: 'diagnostics: other fields',
    world: (world) => ({ ...world, diagnostics: { uptime: 5, hosts: [1, 2], hosts_total: 2, counts: 7 } }),
    isSparse: true,
  },
]

/** Other values in the place of all objects of a name. */
function replaced(value: unknown, names: ReadonlySet<string>, by: (old: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, names, by))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const next = names.has(name) ? by(member) : replaced(member, names, by)
    return next === undefined ? [] : [[name, next] as const]
  })
  return Object.fromEntries(members)
}

const shapes: Readonly<Record<string, (old: unknown) => unknown>> = {
  null: () => null,
  'an object of other members': () => ({ device: 'sw-1', port: 3 }),
  'the id of the port': () => 17,
  'a name': () => 'sw-1/3',
  'a list': () => ['Switch', 2, 33],
  nothing: () => undefined,
}

const ends = (names: readonly string[], among: readonly CollectionName[]): SpecCase[] =>
  Object.entries(shapes).map(([shape, by]) => ({
    name: `${names.join(', ')}: ${shape}`,
    world: (world) => withRecords(world, among, (record) => replaced(record, new Set(names), by) as Json),
    isSparse: true,
  }))

const devices = ['hosts', 'switches', 'gateways', 'appliances', 'patchPanels'] as const
const peers: readonly SpecCase[] = [...ends(['peer'], devices), ...ends(['a', 'b'], ['cables'])]

const metaPattern = /^\{"meta":\{([^}]*)\},/
const withoutHeaders: Answer = (reply) => ({ ...reply, headers: {} })
const withoutMeta = withBody((body) => body.replace(metaPattern, '{'))

/** Where publish, age and time are. */
const envelopes: readonly SpecCase[] = [
  { name: 'meta beside the items', reply: withBody((body) => body.replace(metaPattern, '{$1,')) },
  {
    name: 'meta behind the items',
    reply: withBody((body) => body.replace(/^\{("meta":\{[^}]*\}),(.*)\}$/, '{$2,$1}')),
  },
  { name: 'no headers', reply: withoutHeaders },
  { name: 'headers alone', reply: withoutMeta },
  {
    name: 'meta beside the items, no headers',
    reply: (reply) => withoutHeaders(withBody((body) => body.replace(metaPattern, '{$1,'))(reply)),
  },
  { name: 'neither meta nor headers', reply: (reply) => withoutHeaders(withoutMeta(reply)) },
  {
    name: 'neither meta, headers nor health',
    reply: (reply, path) =>
      isOf('health', path) ? withStatus(404)(reply) : withoutHeaders(withoutMeta(reply)),
    isTimeless: true,
  },
  { name: 'health without a time', reply: withBody((body) => body.replace(/,"sim_time_ns":\d+\}$/, '}')) },
  {
    name: 'no time anywhere',
    reply: withBody((body) => body.replace(/("publish_seq":\d+),"sim_time_ns":\d+/, '$1')),
    isTimeless: true,
  },
  {
    name: 'health of world_ready alone',
    reply: (reply, path) => (isOf('health', path) ? { ...reply, body: '{"world_ready":true}' } : reply),
  },
]

/** A record whose fields are changed by their types, nested ones too. */
export function mapped(
  type: RecordType,
  record: Json,
  change: (field: Field, value: unknown, name: string) => unknown,
): Json {
  const members = Object.entries(record).flatMap(([name, value]) => {
    const next = valueOf(type.fields[name], value, name, change)
    return next === undefined ? [] : [[name, next] as const]
  })
  return Object.fromEntries(members)
}

function valueOf(
  field: Field | undefined,
  value: unknown,
  name: string,
  change: (field: Field, value: unknown, name: string) => unknown,
): unknown {
  if (field === undefined) return value
  const { recordType, of } = field
  const isNested = value !== null && (recordType !== undefined || of?.recordType !== undefined)
  if (!isNested) return change(field, value, name)
  if (recordType !== undefined) return mapped(recordType, value as Json, change)
  return (value as Json[]).map((item) => mapped(of!.recordType!, item, change))
}

const everywhere =
  (change: (field: Field, value: unknown, name: string) => unknown): ((world: PlainWorld) => PlainWorld) =>
  (world) => ({
    ...collectionNames.reduce(
      (changed, name) => withRecords(changed, [name], (record) => mapped(collections[name], record, change)),
      world,
    ),
    events: world.events.map((event) => mapped(EngineEventSchema, event, change)),
  })

const isReference = ({ unit, kind }: Field): boolean => unit === 'id' && kind !== 'list'
const keys: ReadonlySet<string> = new Set(['id', 'at_ns'])
/** Without them, something is not so, or not yet. */
const states: ReadonlySet<string> = new Set([
  'resolved_at_ns',
  'completed_at_ns',
  'blocking',
  'dangling_end',
  'confirmed',
  'cleared',
])
/** Fields that distinguish the parts of a record that have no ids. */
const partKeys: ReadonlySet<string> = new Set(['feed', 'addon', 'class', 'class_tag', 'service'])
export const isKept = (name: string): boolean => keys.has(name) || states.has(name) || partKeys.has(name)
const optionalNames: ReadonlySet<string> = new Set(['display_name_plain', 'title_plain', 'label_plain'])

/** Fields that are null or absent. */
const gaps: readonly SpecCase[] = [
  {
    name: 'everything null that may be',
    world: everywhere((field, value) => (field.nullable ? null : value)),
    isOtherWorld: true,
  },
  {
    name: 'every reference null',
    world: everywhere((field, value, name) => (isReference(field) && !keys.has(name) ? null : value)),
    isSparse: true,
  },
  {
    name: 'everything absent that may be null, but moments',
    world: everywhere((field, value, name) => (field.nullable && !states.has(name) ? undefined : value)),
    isSparse: true,
  },
  {
    name: 'everything null but ids and lists',
    world: everywhere((field, value, name) => (keys.has(name) || field.kind === 'list' ? value : null)),
    isOtherWorld: true,
  },
  {
    name: 'everything absent but ids',
    world: everywhere((_field, value, name) => (keys.has(name) ? value : undefined)),
    isOtherWorld: true,
    isSparse: true,
    unknown: ['patchPanels'],
  },
  {
    name: 'no plain names',
    world: everywhere((_field, value, name) => (optionalNames.has(name) ? undefined : value)),
    isSparse: true,
  },
  {
    name: 'no names at all',
    world: everywhere((_field, value, name) => (name.includes('name') ? undefined : value)),
    isSparse: true,
  },
  {
    name: 'no lists',
    world: everywhere((field, value) => (field.kind === 'list' ? null : value)),
    isSparse: true,
    unknown: ['patchPanels'],
  },
  ...(['bool', 'int', 'num', 'int64', 'str'] as const).map(
    (kind): SpecCase => ({
      name: `no field of the type ${kind}`,
      world: everywhere((field, value, name) => (field.kind === kind && !isKept(name) ? undefined : value)),
      isSparse: true,
      isReworded: kind === 'str',
    }),
  ),
]

const otherWord = (word: unknown): string => `Modded${String(word)}`

const words: readonly SpecCase[] = [
  {
    name: 'other words in every vocabulary',
    world: everywhere(({ values }, value) =>
      values === undefined || value === null ? value : otherWord(value),
    ),
    isSparse: true,
    isReworded: true,
  },
  {
    name: 'fields that the specification does not have',
    world: (world) =>
      withRecords(world, collectionNames, (record) => ({ mod: { deep: [1, { x: null }] }, ...record })),
  },
  {
    name: 'other kinds of steps in paths',
    world: (world) =>
      withRecords(world, ['cables'], (cable) => ({ ...cable, path: [{ Duct: { from: 1 } }] })),
    unknown: ['patchPanels'],
    isSparse: true,
  },
  {
    name: 'events of one time',
    world: (world) => ({
      ...world,
      events: world.events.map((event) => ({ ...event, at_ns: world.simTimeNs - 1_000_000 })),
    }),
  },
  { name: 'no events yet', world: (world) => ({ ...world, events: [] }), isOtherWorld: true },
  {
    name: 'a quiet world',
    world: (world) => ({
      ...world,
      collections: {
        ...world.collections,
        incidents: [],
        resolvedIncidents: [],
        workOrders: [],
        prospects: [],
      },
    }),
    isOtherWorld: true,
  },
]

/** The bodies of errors, on all routes that are not there. */
const errorBodies: readonly SpecCase[] = [
  '',
  'Not Found',
  '<h1>404</h1>',
  '[]',
  'null',
  '"no"',
  '{"error":{}}',
].map((body) => ({
  name: `error bodies ${JSON.stringify(body)}`,
  reply: (reply, path) =>
    isOf('quests', path) || reply.status !== 200 ? { ...reply, status: 404, body, headers: {} } : reply,
  unknown: ['quests'],
}))

export const readings: readonly SpecCase[] = [
  { name: 'exactly what is listed' },
  ...fewRoutes,
  ...openRecords,
  ...peers,
  ...envelopes,
  ...gaps,
  ...words,
  ...errorBodies,
]
