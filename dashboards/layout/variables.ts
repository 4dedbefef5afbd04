import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  TextBoxVariableBuilder,
  VariableHide,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { VariableModel } from '@grafana/grafana-foundation-sdk/dashboard'
import { metric, relabeled } from '../../promql/expressions.ts'
import type { MetricLabel, MetricName } from '../../promql/metrics.ts'
import { bands } from '../../src/contract/vocabularies.ts'
import { hiddenVariables } from './hidden-variables.ts'
import { devices, target, valuesOf } from './variable-options.ts'
import type { VariableOptions } from './variable-options.ts'
import { hideInControlsMenu } from '../visualizations/newer-grafana.ts'

export const prometheus = { type: 'prometheus', uid: '${prometheus_datasource}' }
export const infinity = { type: 'yesoreyeram-infinity-datasource', uid: '${infinity_datasource}' }

/** Ids for queries, names for display: both are extracted from the labels of an info family. */
const namedIds = <N extends MetricName>(name: N, id: MetricLabel<N>, text: MetricLabel<N>) => ({
  query: `query_result(${metric<N>(name, target).text})`,
  regex: namedGroups(id, text),
})

/** Extracts value and text from labels in any order. */
function namedGroups(id: string, text: string): string {
  return `/(?=.*[{,]${id}="(?<value>[^"]*)")(?=.*[{,]${text}="(?<text>[^"]*)")/`
}

/** Greater than any simulated time in seconds. */
const bandWeight = 1e12

/** Incidents in descending order of gravity; resolved ones have the time at which they began as their value. */
const incidentsByGravity = [
  ...bands.map(
    (band, at) => `${metric('dcsim_incident_info', { ...target, band }).text} * ${(at + 1) * bandWeight}`,
  ),
  `last_over_time(${metric('dcsim_incident_info', target).text}[$__range]) * on (job, instance, incident) group_left () max by (job, instance, incident) (last_over_time(${metric('dcsim_incident_started_sim_timestamp_seconds', target).text}[$__range]))`,
].join(' or ')

const optionsOf = {
  job: {
    label: 'Job',
    description: 'Scrape jobs that read the mirror.',
    query: 'label_values(dcsim_sim_info, job)',
    many: true,
    aside: true,
  },
  session: {
    label: 'Session',
    description:
      'The session to look at: those that run, then those that ran in the time shown. Without a choice, the targets that have no session.',
    query:
      'query_result(sort_desc(max by (session) (dcsim_sim_info{job=~"$job"} * 2 or last_over_time(dcsim_sim_info{job=~"$job"}[$__range]))))',
    regex: namedGroups('session', 'session'),
    many: false,
    inOrderOfQuery: true,
    aside: true,
  },
  instance: {
    label: 'Instance',
    description: 'Mirrors of the session. Several stand side by side; they are never added up.',
    query: 'label_values(dcsim_sim_info{job=~"$job", session="$session"}, instance)',
    many: true,
    aside: true,
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
    aside: true,
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
  device: {
    label: 'Device',
    description: 'The switch, gateway or appliance to look at.',
    query: `label_values(${devices()}, name)`,
    many: false,
  },
  rack: {
    label: 'Rack',
    description: 'The rack to look at. Those with the most hosts stand first.',
    query: `query_result(sort_desc(${metric('dcsim_rack_info', target).text} * on (job, instance, rack) group_left () max by (job, instance, rack) (${metric('dcsim_rack_hosts', target).text})))`,
    regex: namedGroups('rack', 'place'),
    many: false,
    inOrderOfQuery: true,
  },
  band: {
    label: 'Band',
    description: 'Gravity of incidents.',
    query: valuesOf('dcsim_incidents_active', 'band'),
    many: true,
    aside: true,
  },
  incident: {
    label: 'Incident',
    description:
      'The incident to look at: the active ones, the gravest first, then those that were active while the dashboard looks, the latest first.',
    query: `query_result(sort_desc(max by (incident, title) (label_join(${incidentsByGravity}, "title", " ", "incident", "symptom", "subject"))))`,
    regex: namedGroups('incident', 'title'),
    many: false,
    nameless: true,
    inOrderOfQuery: true,
  },
  unreported: {
    label: 'Not reported',
    description:
      'The parts of the world that the game does not report, as a sentence; empty where there are none.',
    query: `query_result(${relabeled(metric('dcsim_mirror_source_unknown_parts', target), 'unreported', 'Not reported by this game: $1.', 'parts').text})`,
    regex: '/[{,]unreported="(?<value>[^"]*)"/',
    many: false,
    isHidden: true,
  },
  ...hiddenVariables,
} as const satisfies Record<string, VariableOptions>

export type VariableName = keyof typeof optionsOf

/** Selects the value of a label that an installation adds to those that identify a target. */
export function identityVariable(label: string, chosen: readonly string[]): VariableModel {
  const earlier = Object.fromEntries(chosen.map((name) => [name, `$${name}`]))
  const series = metric('dcsim_sim_info', { ...target, ...earlier }).text
  const description = `The ${label} of the session.`
  return queryVariable(label, {
    label,
    description,
    query: `label_values(${series}, ${label})`,
    many: false,
    aside: true,
  }).build()
}

function queryVariable(name: string, options: VariableOptions): Builder<VariableModel> {
  const variable = new QueryVariableBuilder(name)
    .label(options.label)
    .description(options.description)
    .datasource(prometheus)
    .query(options.query)
    .definition(options.query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(options.many)
    .includeAll(options.many)
  if (options.regex !== undefined) variable.regex(options.regex)
  if (options.many && options.isHidden !== true) variable.allValue('.+')
  if (options.many) variable.current({ text: 'All', value: '$__all' })
  return {
    build: () => {
      const sort = options.inOrderOfQuery === true ? VariableSort.Disabled : VariableSort.NaturalAsc
      const label = options.nameless === true ? { hide: VariableHide.HideLabel } : {}
      const built = { ...variable.build(), ...label, sort }
      // Its values follow from other choices, which an address has.
      return options.isHidden === true
        ? { ...built, hide: VariableHide.HideVariable, skipUrlSync: true }
        : options.aside === true
          ? aside(built)
          : built
    },
  }
}

const aside = (variable: VariableModel): VariableModel =>
  Object.assign({ ...variable }, { hide: hideInControlsMenu })

const asideSource = (source: Builder<VariableModel>): Builder<VariableModel> => ({
  build: () => aside(source.build()),
})

const prometheusSource = () =>
  new DatasourceVariableBuilder('prometheus_datasource').label('Prometheus data source').type('prometheus')

/** The stack's data source for long-term history. Without it, Grafana selects another. */
const longTerm = { text: 'Prometheus, long term', value: 'dcsim-longterm' }

/** The Prometheus with the longest history. Its selection is neither taken over from other dashboards nor passed on. */
const longTermSource = (): Builder<VariableModel> => ({
  build: () => ({ ...aside(prometheusSource().current(longTerm).build()), skipUrlSync: true }),
})

const infinitySource = (): Builder<VariableModel> =>
  new DatasourceVariableBuilder('infinity_datasource')
    .label('Infinity data source')
    .type('yesoreyeram-infinity-datasource')
    .description(
      'Reads the mirror’s tables in words. Install the Infinity plugin if there is none to choose.',
    )

const anyInstance: VariableOptions = {
  ...optionsOf.instance,
  query: 'label_values(dcsim_sim_info{job=~"$job"}, instance)',
}

const identityOf = (everySession = false): VariableName[] =>
  everySession ? ['job', 'instance'] : ['job', 'session', 'instance', 'unreported']

/** The words that records of the archive have to contain. */
const searchBox = (): Builder<VariableModel> =>
  new TextBoxVariableBuilder('search')
    .label('Search')
    .description('Incidents and events with all of these words, or words that begin with them.')
    .defaultValue('')

/** The port whose cable is drawn: links of a table set it, without a control. */
const chosenPort = (): Builder<VariableModel> =>
  new TextBoxVariableBuilder('port').label('Port').defaultValue('').hide(VariableHide.HideVariable)

/** The variables of a dashboard, after the common ones for data sources and session. */
export const variables = (
  names: readonly VariableName[],
  reads: {
    infinity?: boolean
    longTerm?: boolean
    single?: readonly VariableName[]
    everySession?: boolean
    search?: boolean
    port?: boolean
  } = {},
) => [
  reads.longTerm === true ? longTermSource() : asideSource(prometheusSource()),
  ...(reads.infinity === true ? [asideSource(infinitySource())] : []),
  ...identityOf(reads.everySession)
    .concat(names)
    .map((name) => {
      const options: VariableOptions =
        name === 'instance' && reads.everySession === true ? anyInstance : optionsOf[name]
      return queryVariable(
        name,
        reads.single?.includes(name) === true ? { ...options, many: false } : options,
      )
    }),
  ...(reads.search === true ? [searchBox()] : []),
  ...(reads.port === true ? [chosenPort()] : []),
]
