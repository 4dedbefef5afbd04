import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import { DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { DashboardLink } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboardPath, dashboards, dashboardTag } from '../uids.ts'
import type { DashboardUid } from '../uids.ts'
import { oneClick } from '../visualizations/newer-grafana.ts'
import type { VariableName } from './variables.ts'

const sameWorld = '${prometheus_datasource:queryparam}&${job:queryparam}&${session:queryparam}'
export const preservedQueryParams = `\${__url_time_range}&${sameWorld}`

/** The menu with links from each dashboard to all others, with the same time range and variables. */
export const menu = () =>
  new DashboardLinkBuilder('Dashboards')
    .type(DashboardLinkType.Dashboards)
    .tags([dashboardTag])
    .asDropdown(true)
    .includeVars(true)
    .keepTime(true)

/** A click opens it, as it is the only link of its cell or tile. */
export const link = (title: string, url: string): Builder<DashboardLink> => ({
  build() {
    const { placement: _, ...built } = new DashboardLinkBuilder(title)
      .type(DashboardLinkType.Link)
      .url(url)
      .build()
    return { ...built, ...oneClick }
  },
})

/** From a panel to the dashboard with more about its subject. */
export const toDashboard = (uid: DashboardUid) =>
  link(dashboards[uid].title, `${dashboardPath(uid)}?${preservedQueryParams}&\${instance:queryparam}`)

/** From a row of a table to its entity. The row has the id and the instance in columns. */
export const fromRow = (uid: DashboardUid, variable: VariableName, column: string) =>
  link(
    `Open ${dashboards[uid].title.toLowerCase()}`,
    `${dashboardPath(uid)}?${preservedQueryParams}&var-instance=\${__data.fields.instance}&var-${variable}=\${__data.fields.${column}}`,
  )

/** The same from a row of the JSON API, whose mirror is unknown. */
export const fromJsonRow = (uid: DashboardUid, variable: VariableName, column: string) =>
  link(
    `Open ${dashboards[uid].title.toLowerCase()}`,
    `${dashboardPath(uid)}?${preservedQueryParams}&\${instance:queryparam}&var-${variable}=\${__data.fields.${column}}`,
  )

const shownFromBefore = `from=\${__data.fields.graph_from}&to=now&${sameWorld}&\${instance:queryparam}&var-incident=\${__data.fields.incident_id}`

/** From a row of incidents to the incident, in a time range that begins before its opening. */
export const fromIncidentRow = () =>
  link('Open incident', `${dashboardPath('dcsim-incident')}?${shownFromBefore}`)

/** From a row that says what leads on: to its incident, or to a page with more about its kind. */
export const fromLeadingRow = () =>
  link(
    'Open ${__data.fields.leads_to}',
    `/d/dcsim-\${__data.fields.leads_to}/\${__data.fields.leads_to}?${shownFromBefore}`,
  )

/** The same from a line of a graph, whose labels have the id and the instance. */
export const fromSeries = (uid: DashboardUid, variable: VariableName, label: string) =>
  link(
    `Open ${dashboards[uid].title.toLowerCase()}`,
    `${dashboardPath(uid)}?${preservedQueryParams}&var-instance=\${__field.labels.instance}&var-${variable}=\${__field.labels.${label}}`,
  )
