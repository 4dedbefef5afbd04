import type { IncomingMessage } from 'node:http'
import { collectionNames } from '../../../src/contract/collections.ts'
import type { CollectionName } from '../../../src/contract/collections.ts'
import { routes } from '../../../src/contract/routes.ts'
import { FakeUpstream, pathOf } from '../attached/fake-upstream.ts'
import type { Reply, ReplyFilter } from '../attached/fake-upstream.ts'
import { publishOf } from './plain-world.ts'
import type { PlainWorld } from './plain-world.ts'

/** Routes of collections that the specification does not list. */
const unlistedLists: ReadonlySet<CollectionName> = new Set(['patchPanels'])
const unlistedDetails: ReadonlySet<CollectionName> = new Set(['cables', 'segments', 'resolvedIncidents'])

const seriesPath = 'game/frames'
const metricPaths = { paths: [seriesPath], total_paths: 1, truncated: false }
const series = { path: seriesPath, values: [59, 60.5, 61], scale: 'linear', unit: 'count' }
const ownMetrics = '# HELP game_frames Frames.\n# TYPE game_frames counter\ngame_frames 60\n'

const collectionAt = new Map([...pathOf].map(([name, path]) => [path, name]))

export const targetOf = ({ url }: IncomingMessage): string => url!.replace(/\?.*/, '')

/** The collection whose list or record a path is; null for others. */
function collectionOf(path: string): { readonly name: CollectionName; readonly id: string | null } | null {
  const list = collectionAt.get(path)
  if (list !== undefined) return { name: list, id: null }
  const at = path.lastIndexOf('/')
  const name = collectionAt.get(path.slice(0, at))
  return name === undefined ? null : { name, id: path.slice(at + 1) }
}

const missing = (reply: Reply): Reply => ({ ...reply, status: 404, body: '{}' })

/** Puts the `meta` of an object before the members of another. */
const withMeta = (reply: Reply, { simTimeNs }: PlainWorld, json: string): Reply => {
  const { 'X-Sim-Publish-Seq': seq, 'X-Sim-Age-Ms': age } = reply.headers
  const meta = `{"meta":{"age_ms":${age},"publish_seq":${seq},"sim_time_ns":${simTimeNs}}`
  return { ...reply, status: 200, body: `${meta},${json.slice(1)}` }
}

/** The routes that the specification lists, and no other. */
function listedRoutes(reply: Reply, path: string, world: PlainWorld): Reply {
  if (path === routes.metrics.path) return { ...reply, body: ownMetrics }
  if (path === routes.metricPaths.path) return withMeta(reply, world, JSON.stringify(metricPaths))
  if (path === routes.metricSeries.path) return withMeta(reply, world, JSON.stringify(series))
  const of = collectionOf(path)
  if (of === null) return reply
  if (of.id === null) return unlistedLists.has(of.name) ? missing(reply) : reply
  const record = world.collections[of.name].find(({ id }) => String(id) === of.id)
  return record === undefined || unlistedDetails.has(of.name)
    ? missing(reply)
    : withMeta(reply, world, JSON.stringify(record))
}

/** An upstream of exactly the routes that the specification lists, until a filter changes its replies. */
export class SpecUpstream {
  filter: ReplyFilter = (reply) => reply
  readonly #server: FakeUpstream
  #world: PlainWorld

  private constructor(server: FakeUpstream, world: PlainWorld) {
    this.#server = server
    this.#world = world
    server.filter = (reply, request, response) =>
      this.filter(listedRoutes(reply, targetOf(request), this.#world), request, response)
  }

  static async start(world: PlainWorld, filter: ReplyFilter = (reply) => reply): Promise<SpecUpstream> {
    const upstream = new SpecUpstream(await FakeUpstream.start(publishOf(world, 1)), world)
    upstream.filter = filter
    return upstream
  }

  get origin(): string {
    return this.#server.origin
  }

  get requestedPaths(): string[] {
    return this.#server.requestedPaths
  }

  publish(world: PlainWorld = this.#world): void {
    this.#world = world
    this.#server.publish = publishOf(world, this.#server.publish!.publishSeq + 1)
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}

/** Part of an upstream that may be taken away: a collection with its records, or another route. */
export type Part = CollectionName | keyof typeof otherParts

const otherParts = {
  events: routes.events.path,
  diagnostics: routes.diagnostics.path,
  metrics: routes.metrics.path,
  metricPaths: routes.metricPaths.path,
  metricSeries: routes.metricSeries.path,
  health: routes.health.path,
} as const

export const listedParts: readonly Part[] = [
  ...collectionNames.filter((name) => !unlistedLists.has(name)),
  ...(Object.keys(otherParts) as (keyof typeof otherParts)[]),
]

/** Whether a path belongs to a part: its list, its records, or its only route. */
export function isOf(part: Part, path: string): boolean {
  if (Object.hasOwn(otherParts, part)) return path === otherParts[part as keyof typeof otherParts]
  return collectionOf(path)?.name === part
}
