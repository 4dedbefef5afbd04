import type { CollectionName } from '../../contract/collections.ts'
import type { RouteName } from '../../contract/routes.ts'
import { routeNames, routes } from '../../contract/routes.ts'
import type { EncodedList, Frame } from '../../encoding/frames/frame.ts'
import type { HistoryReader } from '../../metrics/history/history-reader.ts'
import type { MirrorStatus } from '../../mirror/mirror.ts'
import type { TablesClient } from '../../tables/thread/tables-client.ts'
import type { ParametersOf } from '../requests/parameters.ts'
import { Problem } from '../responses/problems.ts'
import type { Representation } from '../responses/representation.ts'
import { unknownHeaders, unknownText } from '../responses/unknown-parts.ts'
import type { RunbookPages } from '../runbooks/runbook-pages.ts'
import { eventsRepresentation } from './events.ts'
import { expositionRepresentation } from './exposition.ts'
import type { OwnExposition } from './exposition.ts'
import { healthRepresentation } from './health.ts'
import { metricPathsRepresentation, metricSeriesRepresentation } from './metric-history.ts'
import { pageRepresentation } from './page.ts'
import { pictureListRepresentation, pictureRepresentation } from './pictures.ts'
import { probeRepresentation } from './probe.ts'
import { recordWithId, recordRepresentation } from './record.ts'
import { tableListRepresentation, tableRepresentation } from './tables.ts'

/** Inputs of resources besides the frame. */
export interface ResourceContext {
  /** The name of the session; empty for a session without one. */
  readonly session: string
  readonly mirrorStatus: () => MirrorStatus
  readonly series: HistoryReader
  readonly declaredMetrics: EncodedList
  readonly ownExposition: OwnExposition
  readonly openApi: Representation
  readonly landing: Representation
  readonly llms: Representation
  readonly runbooks: RunbookPages
  readonly tables: Pick<TablesClient, 'ask'>
}

/** Most routes are served only once there is a frame. */
type FrameOf<R extends RouteName> = (typeof routes)[R]['beforeWorld'] extends true ? Frame | null : Frame

/** The representation that a route serves to a client that accepts a type. Throws a problem if there is none. */
export type Resource<R extends RouteName> = (
  frame: FrameOf<R>,
  parameters: ParametersOf<R>,
  context: ResourceContext,
  accept: string | undefined,
) => Representation | Promise<Representation>

/** The routes whose answer is of a kind. */
type RouteOf<K> = {
  [R in RouteName]: (typeof routes)[R]['answer'] extends { kind: K } ? R : never
}[RouteName]
type PageRoute = RouteOf<'page'>
type DetailRoute = RouteOf<'detail'>

const resourcesOf = <K extends string>(kind: K, make: (name: RouteOf<K>) => Resource<RouteOf<K>>) =>
  Object.fromEntries(
    routeNames
      .filter((name) => routes[name].answer.kind === kind)
      .map((name) => [name, make(name as RouteOf<K>)]),
  ) as { readonly [R in RouteOf<K>]: Resource<R> }

const pageOf = (name: PageRoute) => {
  const { collection } = routes[name].answer
  return (frame: Frame, parameters: ParametersOf<PageRoute>) => ({
    ...pageRepresentation(name, frame.collections[collection], parameters),
    headers: unknownHeaders(frame.unknown, [collection]),
  })
}

const detailOf = (name: DetailRoute) => {
  const { path, answer } = routes[name]
  const names: readonly CollectionName[] = answer.collections
  return (frame: Frame, { id }: ParametersOf<DetailRoute>): Representation => {
    const collections = names.map((collection) => frame.collections[collection])
    const representation = recordWithId(name, collections, id)
    if (representation !== null) return representation
    const reason = unknownText(frame.unknown, names)
    const expected =
      reason === ''
        ? `expected one that ${path} has in publish ${frame.publishSeq}`
        : `but the source does not report them (${reason})`
    throw new Problem('NoSuchEntity', `id: got "${id}", ${expected}.`)
  }
}

/** The resource of every route. A missing one is a compile error. */
export const resources: { readonly [R in RouteName]: Resource<R> } = {
  ...resourcesOf('page', pageOf),
  ...resourcesOf('detail', detailOf),
  landing: (_frame, _parameters, { landing }) => landing,
  openapi: (_frame, _parameters, { openApi }) => openApi,
  llms: (_frame, _parameters, { llms }) => llms,
  runbooks: (_frame, _parameters, { runbooks }) => runbooks.index,
  runbook: (_frame, { alert }, { runbooks }) => runbooks.page(alert),
  health: (frame, _parameters, { mirrorStatus }) => healthRepresentation(mirrorStatus(), frame !== null),
  healthy: () => probeRepresentation('healthy'),
  ready: () => probeRepresentation('ready'),
  metrics: (frame, { familyNames }, { ownExposition }) =>
    expositionRepresentation(frame, familyNames, ownExposition),
  tables: (frame, _parameters, context, accept) => tableListRepresentation(frame, context, accept),
  table: tableRepresentation,
  pictures: (_frame, _parameters, { session }, accept) => pictureListRepresentation(session, accept),
  picture: pictureRepresentation,
  diagnostics: (frame) => ({
    ...recordRepresentation('diagnostics', frame.diagnostics),
    headers: unknownHeaders(frame.unknown, ['diagnostics']),
  }),
  events: (frame, parameters) => ({
    ...eventsRepresentation(frame.events, parameters),
    headers: unknownHeaders(frame.unknown, ['events']),
  }),
  declaredMetrics: (_frame, parameters, { declaredMetrics }) =>
    pageRepresentation('declaredMetrics', declaredMetrics, parameters),
  metricPaths: ({ simTimeNs }, { pathPrefix }, { series }) =>
    metricPathsRepresentation(series, pathPrefix, simTimeNs),
  metricSeries: ({ simTimeNs }, { metricPath }, { series }) =>
    metricSeriesRepresentation(series, metricPath, simTimeNs),
}
