/** Upstreams that lack routes, or serve them badly for ever. */
import { collections } from '../../../src/contract/collections.ts'
import type { CollectionName } from '../../../src/contract/collections.ts'
import type { Reply } from '../attached/fake-upstream.ts'
import type { SpecCase } from './spec-case.ts'
import { isOf, listedParts } from './spec-upstream.ts'
import type { Part } from './spec-upstream.ts'

export type Answer = (reply: Reply) => Reply

export const withStatus =
  (status: number, body = '{}'): Answer =>
  (reply) => ({ ...reply, status, body })
export const withBody =
  (bodyOf: (body: string) => string): Answer =>
  (reply) => ({ ...reply, body: bodyOf(reply.body) })

/** How an upstream answers on a route that it lacks, or serves badly for ever. */
const absences = {
  'status 404': withStatus(404),
  'status 405': withStatus(405),
  'status 410': withStatus(410),
  'status 501': withStatus(501),
  'status 500': withStatus(500, 'Internal Server Error'),
  HTML: withBody(() => '<!doctype html><title>Not here</title>'),
  'half of its JSON': withBody((body) => body.slice(0, body.length / 2)),
  'another count than items': withBody((body) =>
    body.replace(/"(?:count|total)":\d+/g, (member) => `${member}7`),
  ),
  null: withBody(() => 'null'),
} as const satisfies Readonly<Record<string, Answer>>

const pagesOnly: ReadonlySet<string> = new Set(['another count than items'])

/** Parts without which nothing of the world is unknown. */
const optional: ReadonlySet<Part> = new Set(['metrics', 'metricPaths', 'metricSeries', 'health'])

const isCollection = (part: Part): part is CollectionName => Object.hasOwn(collections, part)

/** Without cables no patch panel is named. */
const lostWith = (part: Part): Part[] =>
  part === 'cables' ? ['cables', 'patchPanels'] : optional.has(part) ? [] : [part]

const without = (part: Part, how: string, answer: Answer): SpecCase => ({
  name: `${part}: ${how}`,
  reply: (reply, path) => (isOf(part, path) ? answer(reply) : reply),
  unknown: lostWith(part),
})

/** A health that is served badly is a fault of the whole upstream: its lists wait for it. */
const isFault = (part: Part, how: string): boolean => part === 'health' && !/^status (?:4|501)/.test(how)

/** The ways in which a part may be absent. */
export const absencesOf = (part: Part): readonly (readonly [how: string, answer: Answer])[] =>
  Object.entries(absences).filter(
    ([how]) => (isCollection(part) || !pagesOnly.has(how)) && !isFault(part, how),
  )

/** Each route without an answer of 200. The fuzz has several of them absent, in any way. */
export const withoutRoutes: readonly SpecCase[] = listedParts.map((part) =>
  without(part, 'status 404', absences['status 404']),
)

export const fewRoutes: readonly SpecCase[] = [
  {
    name: 'patch panels cannot be read one by one',
    reply: (reply, path) => (isOf('patchPanels', path) ? withStatus(404)(reply) : reply),
    unknown: ['patchPanels'],
  },
  {
    name: 'no record can be read one by one but patch panels',
    reply: (reply, path) =>
      /\/\d+$/.test(path) && !isOf('patchPanels', path) ? withStatus(404)(reply) : reply,
  },
  {
    name: 'hosts alone',
    reply: (reply, path) => (isOf('hosts', path) ? reply : withStatus(404)(reply)),
    unknown: listedParts.filter((part) => part !== 'hosts' && !optional.has(part)).concat('patchPanels'),
  },
  {
    name: 'incidents and health alone',
    reply: (reply, path) =>
      isOf('incidents', path) || isOf('health', path) ? reply : withStatus(404)(reply),
    unknown: listedParts.filter((part) => part !== 'incidents' && !optional.has(part)).concat('patchPanels'),
  },
  {
    name: 'health alone',
    reply: (reply, path) => (isOf('health', path) ? reply : withStatus(404)(reply)),
    unknown: listedParts.filter((part) => !optional.has(part)).concat('patchPanels'),
  },
]
