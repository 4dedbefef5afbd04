import type { Plan } from './plan.ts'
import type { Simulation } from './simulation.ts'
import { eventsIn } from './world.ts'

/** Tables that were asked for before come first. */
const [lookMs, looksMax] = [500, 100]

/** A batch of changes is sent and stored within this time. */
const batchMs = 6_000

/** A table as JSON, with its rows as far as they are looked at here. */
interface Row {
  readonly incident_id: string
  readonly opened_at: string
  readonly resolved_at: string | null
  readonly band: string
  readonly date: string
  readonly major: number
  readonly world: number
  readonly current: boolean
}

/** Whether incidents stay in their list from batch to batch: a fast world resolves more than its list holds. */
const seesLists = ({ source, speed }: Plan): boolean => source === 'attached' || speed <= 60

/** Whether a resolved incident is stored as it is in the lists. */
const isStoredIn = (stored: readonly Row[], { incident_id, opened_at, resolved_at }: Row): boolean => {
  const found = stored.find((row) => row.incident_id === incident_id)
  return found?.opened_at === opened_at && found.resolved_at === resolved_at
}

/** Whether a mirror that is given such a plan sees each publish. */
const isCalm = ({ actions }: Plan): boolean =>
  actions.every(({ kind }) => ['pipeline', 'crawl', 'burst', 'session-dies'].includes(kind))

/** Everything that was sent to the archive is in it: once, and in agreement with the rest. */
export async function checkArchive(
  simulation: Simulation,
  stored: () => ReadonlySet<string> | null,
  onTurn: () => boolean,
): Promise<void> {
  const { clients, scheduler, failures, plan } = simulation
  const read = async (target: string): Promise<string> => {
    const body: string[] = []
    clients.askOnce(target, (answer) => {
      if (answer.status !== 200) failures.push(`${target} has status ${answer.status}`)
      body.push(answer.body.toString())
    })
    for (let look = 0; look < looksMax && body.length === 0; look++)
      await scheduler.runUntil(scheduler.nowMs() + lookMs, onTurn)
    if (body.length === 0) failures.push(`${target} is not answered`)
    return body[0] ?? '[]'
  }
  const rowsOf = async (target: string): Promise<readonly Row[]> => JSON.parse(await read(target)) as Row[]
  clients.isIdle = true
  // A thread that died starts with the first request, and has the lists with the next publish.
  await read('/tables/worlds')
  const publishMs = plan.cadenceMs + (plan.source === 'attached' ? plan.upstreamCadenceMs : 0)
  await scheduler.runUntil(scheduler.nowMs() + 2 * publishMs, onTurn)
  const expected = stored() ?? new Set()
  const found = eventsIn(await read('/tables/events.csv?from=0&limit=100000')).map((event) => event.join('#'))
  const missing = expected.difference(new Set(found))
  if (missing.size > 0)
    failures.push(`the archive lacks ${missing.size} events of ${expected.size}, such as ${[...missing][0]}`)
  if (new Set(found).size < found.length) failures.push('the archive has an event twice')
  const lists = seesLists(plan) ? await rowsOf('/tables/incidents?state=resolved&limit=1000') : []
  await scheduler.runUntil(scheduler.nowMs() + batchMs, onTurn)
  for (const { world, current } of await rowsOf('/tables/worlds')) {
    if (current) {
      const stored = await rowsOf(`/tables/incidents?from=0&world=${world}&limit=100000`)
      const other = lists.find((row) => !isStoredIn(stored, row))
      if (other !== undefined)
        failures.push(`the archive lacks incident ${other.incident_id} as it is in the lists`)
      continue
    }
    const rows = await rowsOf(`/tables/incidents?from=0&world=${world}&limit=1000`)
    if (rows.some(({ resolved_at }) => resolved_at === null))
      failures.push(`an incident of the former world ${world} is still open`)
  }
  if (!isCalm(plan)) return
  const incidents = await rowsOf('/tables/incidents?from=0&limit=100000')
  // A day is written when the next one begins, and again until it is three days old.
  const days = (await rowsOf('/tables/days?from=0')).toSorted((one, other) =>
    one.date < other.date ? 1 : -1,
  )
  for (const { date, major } of days.slice(2)) {
    const opened = incidents.filter(
      ({ opened_at, band }) => opened_at.slice(0, 10) === date.slice(0, 10) && band === 'Major',
    )
    if (opened.length !== major)
      failures.push(`the chronicle of ${date} has ${major} incidents, the archive ${opened.length}`)
  }
}
