import { bool, int, list, ns, num, oneOf, defineRecord, str } from '../fields.ts'
import { healthStatuses, metricTypes, seriesScales, seriesUnits } from '../vocabularies.ts'

export const MetaSchema = defineRecord('Meta', 'How fresh the body is. First member of every body.', {
  age_ms: int("Wall time since the world's state was captured, when the response was written.", 'ms'),
  publish_seq: int('Number of the publish that the body is from; 0 before the first.', 'count'),
  sim_time_ns: ns('Simulated time of that publish.'),
})

export const SeriesMetaSchema = defineRecord(
  'SeriesMeta',
  'How fresh the series is, and when its values were taken.',
  {
    ...MetaSchema.fields,
    step_ns: ns('Simulated time from one value to the next.'),
    last_ns: ns('Simulated time of the newest value; 0 where there is none.'),
  },
)

export const HealthSchema = defineRecord('Health', 'Whether the service lives and how fresh the mirror is.', {
  status: oneOf(
    healthStatuses,
    'starting: no world yet; ok; idle: publishing pauses; stale: the source has stopped.',
  ),
  world_ready: bool('Whether a world has been published.'),
  age_ms: int('As in meta.', 'ms'),
  publish_seq: int('As in meta.', 'count'),
  reason: str('Why the status is what it is; empty when ok.'),
})

/** A member of the health body that is present only after the first publish. */
export const HealthSimTimeField = ns('As in meta; left out until a world has been published.')

export const MetricPathsSchema = defineRecord('MetricPaths', 'The metric paths that have a history.', {
  paths: list(str('A metric path.'), 'At most 10,000, in a stable order.'),
  total_paths: int('How many there are.'),
  truncated: bool('Whether some are missing from the list.'),
})

export const MetricSeriesSchema = defineRecord('MetricSeries', 'The history of one metric path.', {
  path: str('The path.'),
  values: list(num('A value.', 'as_stated'), 'Oldest to newest.'),
  scale: oneOf(seriesScales, 'How values are kept, and the axis that suits them.'),
  unit: oneOf(seriesUnits, 'Unit of the values.'),
})

export const DeclaredMetricSchema = defineRecord(
  'DeclaredMetric',
  'A metric family of the text exposition.',
  {
    name: str('Name of the family.'),
    type: oneOf(metricTypes, 'Type of the family.'),
    unit: str('Unit in words; empty for a plain number.'),
    help: str('What it says.'),
    labels: list(str('Name of a label.'), 'Labels of its samples.'),
  },
)

export const ProblemSchema = defineRecord('Problem', 'What went wrong, after RFC 9457.', {
  type: str('Kind of problem; about:blank where the title says it all.'),
  title: str('Kind of problem in words.'),
  status: int('HTTP status.', 'none'),
  detail: str('What came and what was expected.'),
})
