import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { VariableModel } from '@grafana/grafana-foundation-sdk/dashboard'
import { metric, oneOf } from '../../alerts/promql.ts'
import type { MetricLabel, MetricName } from '../../alerts/promql.ts'

export const prometheus = { type: 'prometheus', uid: '${prometheus_datasource}' }
export const infinity = { type: 'yesoreyeram-infinity-datasource', uid: '${infinity_datasource}' }

/** Which series a variable offers, and whether several of them can be chosen at once. */
interface Offer {
  readonly label: string
  readonly description: string
  readonly query: string
  /** Takes value and text out of what the query gives, where it gives whole series. */
  readonly regex?: string
  readonly many: boolean
}

const sessions = { job: oneOf(['$job']), instance: oneOf(['$instance']) }

/** The values of a label. */
const valuesOf = <N extends MetricName>(name: N, label: MetricLabel<N>): string =>
  `label_values(${metric<N>(name, sessions).text}, ${label})`

/** Ids for the queries, names for the reader: both read off the labels of an info family. */
const namedIds = <N extends MetricName>(name: N, id: MetricLabel<N>, text: MetricLabel<N>) => ({
  query: `query_result(${metric<N>(name, sessions).text})`,
  regex: `/(?=.*[{,]${id}="(?<value>[^"]*)")(?=.*[{,]${text}="(?<text>[^"]*)")/`,
})

const offers = {
  job: {
    label: 'Job',
    description: 'Scrape jobs that read the mirror.',
    query: 'label_values(dcsim_sim_info, job)',
    many: true,
  },
  instance: {
    label: 'Instance',
    description: 'Sessions. Several stand side by side; they are never added up.',
    query: 'label_values(dcsim_sim_info{job=~"$job"}, instance)',
    many: true,
  },
  zone: {
    label: 'Zone',
    description: 'Availability zones.',
    ...namedIds('dcsim_az_info', 'az', 'display_name'),
    many: true,
  },
  pool: {
    label: 'Pool',
    description: 'Host pools.',
    ...namedIds('dcsim_pool_info', 'pool', 'name'),
    many: true,
  },
  tier: {
    label: 'Plan',
    description: 'Plans of customers.',
    query: valuesOf('dcsim_customers_by_lifecycle', 'tier'),
    many: true,
  },
  customer: {
    label: 'Customer',
    description: 'The customer to look at.',
    ...namedIds('dcsim_customer_info', 'customer', 'name'),
    many: false,
  },
  host: {
    label: 'Host',
    description: 'The host to look at.',
    ...namedIds('dcsim_host_info', 'host', 'name'),
    many: false,
  },
  band: {
    label: 'Band',
    description: 'Gravity of incidents.',
    query: valuesOf('dcsim_incidents_active', 'band'),
    many: true,
  },
  incident: {
    label: 'Incident',
    description: 'The incident to look at: an active one, or one that was active while the dashboard looks.',
    query: valuesOf('dcsim_incident_info', 'incident'),
    many: false,
  },
} as const satisfies Record<string, Offer>

export type VariableName = keyof typeof offers

function offered(name: VariableName): Builder<VariableModel> {
  const offer: Offer = offers[name]
  const variable = new QueryVariableBuilder(name)
    .label(offer.label)
    .description(offer.description)
    .datasource(prometheus)
    .query(offer.query)
    .definition(offer.query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(offer.many)
    .includeAll(offer.many)
  if (offer.regex !== undefined) variable.regex(offer.regex)
  if (offer.many) variable.allValue('.+').current({ text: 'All', value: '$__all' })
  return { build: () => ({ ...variable.build(), sort: VariableSort.NaturalAsc }) }
}

const prometheusSource = () =>
  new DatasourceVariableBuilder('prometheus_datasource').label('Prometheus data source').type('prometheus')

/** The data source that the stack provisions for the long past. Where there is none, Grafana takes another. */
const longTerm = { text: 'Prometheus, long term', value: 'dcsim-longterm' }

/** Prometheus as far back as anything goes. What is chosen on other dashboards is not taken over, nor passed on. */
const longTermSource = (): Builder<VariableModel> => ({
  build: () => ({ ...prometheusSource().current(longTerm).build(), skipUrlSync: true }),
})

const infinitySource = (): Builder<VariableModel> =>
  new DatasourceVariableBuilder('infinity_datasource')
    .label('Infinity data source')
    .type('yesoreyeram-infinity-datasource')
    .description(
      'Reads what the mirror tells in words. Install the Infinity plugin if there is none to choose.',
    )

/** The variables of a dashboard, after the sources and the sessions that all of them have. */
export const variables = (
  names: readonly VariableName[],
  reads: { infinity?: boolean; longTerm?: boolean } = {},
) => [
  reads.longTerm === true ? longTermSource() : prometheusSource(),
  ...(reads.infinity === true ? [infinitySource()] : []),
  ...(['job', 'instance', ...names] as const).map(offered),
]
