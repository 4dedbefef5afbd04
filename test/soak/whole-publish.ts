/** Reads the whole content of one publish, and checks its consistency. */
import { setTimeout as pause } from 'node:timers/promises'
import { collectionNames } from '../../src/contract/collections.ts'
import type { CollectionName } from '../../src/contract/collections.ts'
import { routes } from '../../src/contract/routes.ts'
import type { Route } from '../../src/contract/routes.ts'
import { inSession } from './read-mirrors.ts'

interface Item {
  readonly [field: string]: unknown
}

interface Page {
  readonly meta: { readonly age_ms: number; readonly publish_seq: number; readonly sim_time_ns: number }
  readonly items: readonly Item[]
  readonly total: number
  readonly offset: number
  readonly count: number
  readonly [field: string]: unknown
}

interface Answer {
  readonly path: string
  readonly publishSeq: string
  readonly body: Page
}

const limitMax = 1000
const publishWithinMs = 30_000
/** The size of small pages, which are joined and compared with large ones. */
const smallLimit = 37
/** Of each collection. A publish that ended before all was read is followed by an attempt with fewer. */
const smallPagesMax = [40, 10, 2, 2, 2]

const pagePaths = new Map<CollectionName, string>()
for (const route of Object.values(routes) as Route[]) {
  if (route.answer.kind === 'page') pagePaths.set(route.answer.collection, route.path)
}

type Counted = readonly [collection: CollectionName, isCounted?: (item: Item) => boolean]

const isTrue = (field: string) => (item: Item) => item[field] === true

/** The counts of the diagnostics. */
const counts: Readonly<Record<string, Counted>> = {
  azs: ['azs'],
  hosts: ['hosts'],
  hosts_online: ['hosts', isTrue('online')],
  switches: ['switches'],
  gateways: ['gateways'],
  appliances: ['appliances'],
  patch_panels: ['patchPanels'],
  cables: ['cables'],
  cables_failed: ['cables', isTrue('is_failed')],
  host_pools: ['hostPools'],
  segments: ['segments'],
  subnets: ['subnets'],
  customers: ['customers'],
  prospects: ['prospects'],
  incidents_active: ['incidents'],
  incidents_resolved: ['resolvedIncidents'],
  work_orders: ['workOrders'],
  quests: ['quests'],
  quests_done: ['quests', ({ state }) => state === 'Done'],
}

async function get(origin: string, session: string, path: string): Promise<Answer> {
  const response = await fetch(`${origin}${inSession(path, session)}`)
  if (response.status !== 200) throw new Error(`status ${response.status} of ${path}`)
  const body = (await response.json()) as Page
  return { path, publishSeq: String(response.headers.get('x-sim-publish-seq')), body }
}

/** The diagnostics of a publish that has just begun to be served. */
async function newPublish(origin: string, session: string): Promise<Answer> {
  const { publishSeq: before } = await get(origin, session, routes.diagnostics.path)
  const untilMs = performance.now() + publishWithinMs
  while (performance.now() < untilMs) {
    const answer = await get(origin, session, routes.diagnostics.path)
    if (answer.publishSeq !== before) return answer
    await pause(20)
  }
  throw new Error(`no publish within ${publishWithinMs} ms`)
}

/** Pages of two sizes of every collection, and the diagnostics; null if a new publish occurred meanwhile. */
async function readPublish(
  origin: string,
  session: string,
  smallPages: number,
): Promise<Map<string, Answer[]> | null> {
  const first = await newPublish(origin, session)
  const pagesOf = async (name: CollectionName): Promise<Answer[]> => {
    const path = pagePaths.get(name)!
    const large = await get(origin, session, `${path}?limit=${limitMax}`)
    const count = Math.min(smallPages, Math.ceil(large.body.total / smallLimit))
    const small = Array.from({ length: count }, (_, index) =>
      get(origin, session, `${path}?offset=${index * smallLimit}&limit=${smallLimit}`),
    )
    return [large, ...(await Promise.all(small))]
  }
  const all = await Promise.all(collectionNames.map(async (name) => [name, await pagesOf(name)] as const))
  const isOne = all.every(([, pages]) => pages.every(({ publishSeq }) => publishSeq === first.publishSeq))
  return isOne ? new Map<string, Answer[]>([['diagnostics', [first]], ...all]) : null
}

function checkMeta({ path, publishSeq, body }: Answer, simTimeNs: number): string[] {
  const { meta } = body
  const isRight =
    String(meta.publish_seq) === publishSeq && meta.sim_time_ns === simTimeNs && meta.age_ms >= 0
  return isRight ? [] : [`torn: ${path} of publish ${publishSeq} says ${JSON.stringify(meta)}`]
}

function checkPages(name: string, [large, ...small]: readonly Answer[]): string[] {
  const { items, total, count } = large.body
  const failures: string[] = []
  if (items.length !== count || count !== Math.min(total, limitMax)) {
    failures.push(`torn: ${name} has ${items.length} items, count ${count}, total ${total}`)
  }
  // Small pages may reach further than the large one.
  const together = small.flatMap((page) => page.body.items).slice(0, items.length)
  const expected = items.slice(0, together.length)
  if (JSON.stringify(together) !== JSON.stringify(expected))
    failures.push(`torn: pages of ${name} do not add up`)
  if (small.some((page) => page.body.total !== total))
    failures.push(`torn: pages of ${name} differ in their total`)
  return failures
}

function checkDiagnostics(diagnostics: Page, pages: Readonly<Record<CollectionName, Page>>): string[] {
  const reported = diagnostics['counts'] as Readonly<Record<string, number>>
  return Object.entries(counts).flatMap(([field, [collection, isCounted = () => true]]) => {
    const { items, total } = pages[collection]
    // A collection of more than one page is counted by its total alone.
    if (total > items.length && counts[field].length > 1) return []
    const expected = total > items.length ? total : items.filter(isCounted).length
    return reported[field] === expected
      ? []
      : [`torn: diagnostics say ${field} ${reported[field]}, the collections ${expected}`]
  })
}

interface PublishCheck {
  readonly isComplete: boolean
  readonly failures: readonly string[]
}

/** Checks one publish. It is incomplete if new publishes always occurred before all was read. */
export async function checkWholePublish(origin: string, session: string): Promise<PublishCheck> {
  for (const smallPages of smallPagesMax) {
    const answers = await readPublish(origin, session, smallPages)
    if (answers === null) continue
    const [diagnostics] = answers.get('diagnostics')!
    const pages = Object.fromEntries(
      collectionNames.map((name) => [name, answers.get(name)![0].body]),
    ) as unknown as Record<CollectionName, Page>
    const { sim_time_ns: simTimeNs } = diagnostics.body.meta
    const failures = [...answers.values()].flat().flatMap((answer) => checkMeta(answer, simTimeNs))
    for (const name of collectionNames) failures.push(...checkPages(name, answers.get(name)!))
    failures.push(...checkDiagnostics(diagnostics.body, pages))
    return { isComplete: true, failures }
  }
  return { isComplete: false, failures: [] }
}
