import { everyDashboard, panelsOf } from '../dashboards/dashboard-json.ts'
import { filled } from '../dashboards/filled.ts'

/** The values of the variables of dashboards. */
const chosen = { host: '1', customer: '1', zone: '1', incident: '1', rack: '1', link: '1', row: '1' }

/** The requests of each dashboard to the mirror itself at a refresh, besides those to Prometheus. */
const refreshes: readonly (readonly string[])[] = everyDashboard
  .map((dashboard) =>
    panelsOf(dashboard).flatMap(({ targets = [] }) => targets.flatMap(({ url }) => url ?? [])),
  )
  .filter((urls) => urls.length > 0)

/** The requests of the dashboards of a session, one dashboard after the other. */
export const dashboardTargets = (session: string, turn: number): string[] =>
  refreshes[turn % refreshes.length].map((url) => {
    const target = filled(url, { ...chosen, session })
    // A mirror by itself is asked without a session.
    return session === '' ? target.replace(/[?&]session=$/, '') : target
  })
