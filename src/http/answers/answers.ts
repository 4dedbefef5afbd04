import type { CollectionName } from '../../contract/collections.ts'
import type { RouteName } from '../../contract/routes.ts'
import { routes } from '../../contract/routes.ts'
import type { EncodedList, Frame } from '../../encoding/frame.ts'
import type { HistoryReader } from '../../metrics/series-reader.ts'
import type { MirrorStatus } from '../../mirror/mirror.ts'
import { readParameters } from '../parameters.ts'
import type { Given } from '../parameters.ts'
import { Problem } from '../problems.ts'
import type { Representation } from '../representation.ts'
import { eventsPage } from './events.ts'
import { exposition } from './exposition.ts'
import type { OwnMetrics } from './exposition.ts'
import { health } from './health.ts'
import { metricPaths, metricSeries } from './metric-history.ts'
import { page } from './page.ts'
import { recordWithId, soleRecord } from './record.ts'

/** What answers are made from, besides the frame. */
export interface AnswerSources {
  readonly mirrorStatus: () => MirrorStatus
  readonly series: HistoryReader
  readonly declaredMetrics: EncodedList
  readonly ownMetrics: OwnMetrics
  readonly openApi: Representation
  readonly landing: Representation
}

export type Outcome = Representation | Problem | Promise<Representation | Problem>

/** Most routes answer only once there is a frame. */
type AnsweredFrom<R extends RouteName> = (typeof routes)[R]['beforeWorld'] extends true ? Frame | null : Frame

type AnswerTo<R extends RouteName> = (
  frame: AnsweredFrom<R>,
  given: Given<R>,
  sources: AnswerSources,
) => Outcome

type PageRoute = {
  [R in RouteName]: (typeof routes)[R]['answer'] extends { kind: 'page' } ? R : never
}[RouteName]
type DetailRoute = {
  [R in RouteName]: (typeof routes)[R]['answer'] extends { kind: 'detail' } ? R : never
}[RouteName]

const pageOf = (name: PageRoute) => {
  const { collection } = routes[name].answer
  return (frame: Frame, given: Given<PageRoute>) => page(name, frame.collections[collection], given)
}

const detailOf = (name: DetailRoute) => {
  const { path, answer } = routes[name]
  const wanted: readonly CollectionName[] = answer.collections
  return (frame: Frame, { id }: Given<DetailRoute>): Representation | Problem => {
    const collections = wanted.map((collection) => frame.collections[collection])
    const expected = `expected one that ${path} has in publish ${frame.publishSeq}`
    return recordWithId(name, collections, id) ?? new Problem('NoSuchEntity', `id: got "${id}", ${expected}.`)
  }
}

/** How every route is answered. A route that is missing here does not compile. */
export const answers: { readonly [R in RouteName]: AnswerTo<R> } = {
  landing: (_frame, _given, { landing }) => landing,
  openapi: (_frame, _given, { openApi }) => openApi,
  health: (frame, _given, { mirrorStatus }) => health(mirrorStatus(), frame !== null),
  metrics: (frame, { familyNames }, { ownMetrics }) => exposition(frame, familyNames, ownMetrics),
  azs: pageOf('azs'),
  az: detailOf('az'),
  customers: pageOf('customers'),
  customer: detailOf('customer'),
  diagnostics: (frame) => soleRecord('diagnostics', frame.diagnostics),
  events: (frame, given) => eventsPage(frame.events, given),
  hostPools: pageOf('hostPools'),
  hostPool: detailOf('hostPool'),
  hosts: pageOf('hosts'),
  host: detailOf('host'),
  incidents: pageOf('incidents'),
  resolvedIncidents: pageOf('resolvedIncidents'),
  incident: detailOf('incident'),
  gateways: pageOf('gateways'),
  gateway: detailOf('gateway'),
  cables: pageOf('cables'),
  cable: detailOf('cable'),
  segments: pageOf('segments'),
  segment: detailOf('segment'),
  subnets: pageOf('subnets'),
  subnet: detailOf('subnet'),
  appliances: pageOf('appliances'),
  appliance: detailOf('appliance'),
  switches: pageOf('switches'),
  switch: detailOf('switch'),
  patchPanels: pageOf('patchPanels'),
  patchPanel: detailOf('patchPanel'),
  prospects: pageOf('prospects'),
  prospect: detailOf('prospect'),
  quests: pageOf('quests'),
  quest: detailOf('quest'),
  workOrders: pageOf('workOrders'),
  workOrder: detailOf('workOrder'),
  declaredMetrics: (_frame, given, { declaredMetrics }) => page('declaredMetrics', declaredMetrics, given),
  metricPaths: (_frame, { pathPrefix }, { series }) => metricPaths(series, pathPrefix),
  metricSeries: (_frame, { metricPath }, { series }) => metricSeries(series, metricPath),
}

const noWorldYet = new Problem(
  'NoWorldYet',
  'No world has been published yet; /health says how far it is. Ask again in a second.',
)

/** Answers a route: whether there is a world comes first, then the parameters, then what they name. */
export function answerTo(
  route: RouteName,
  frame: Frame | null,
  pathId: string | undefined,
  query: string,
  sources: AnswerSources,
): Outcome {
  if (frame === null && !routes[route].beforeWorld) return noWorldYet
  const given = readParameters(route, pathId, query)
  if (given instanceof Problem) return given
  const answer = answers[route] as AnswerTo<RouteName>
  return answer(frame as Frame, given, sources)
}
