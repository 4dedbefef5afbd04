import type { Target } from '../dashboard-json.ts'
import type { Field, Frame, Grafana } from './grafana.ts'

/** A series in a response of Prometheus: times in seconds. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [seconds: number, value: string])[]
}

const written = (metric: Series['metric']): string => {
  const { __name__: name = '', ...labels } = metric
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${pairs.join(', ')}}`
}

/** The legend of a series, by the rules of the Prometheus data source. */
const legendOf = ({ legendFormat = '' }: Target, metric: Series['metric']): string =>
  legendFormat === '' || legendFormat === '__auto'
    ? written(metric)
    : legendFormat.replaceAll(/\{\{\s*(.+?)\s*\}\}/g, (_, label: string) => metric[label] ?? label)

const times = (series: Series): number[] => series.values.map(([seconds]) => seconds * 1000)
const numbers = (series: Series): number[] => series.values.map(([, value]) => Number(value))

/** One frame of times and values per series. */
export function seriesFrames(grafana: Grafana, target: Target, answer: readonly Series[]): Frame[] {
  return answer.map((series) => {
    const { __name__: _, ...labels } = series.metric
    const legend = legendOf(target, series.metric)
    return grafana.frame(target.refId, legend, [
      { name: 'Time', type: 'time' as never, values: times(series), config: {} },
      {
        name: 'Value',
        type: 'number' as never,
        values: numbers(series),
        labels,
        config: { displayNameFromDS: legend },
      },
    ])
  })
}

/** One frame for a whole response, with a column per label, by the data source's rules for tables. */
export function tableFrame(
  grafana: Grafana,
  target: Target,
  answer: readonly Series[],
  isOnly: boolean,
): Frame {
  const labels = [...new Set(answer.flatMap(({ metric }) => Object.keys(metric).toSorted()))]
  const fields: Partial<Field>[] = [
    { name: 'Time', type: 'time' as never, values: answer.flatMap(times), config: {} },
    ...labels.map((label) => ({
      name: label,
      type: 'string' as never,
      values: answer.flatMap(({ metric, values }) => values.map(() => metric[label] ?? '')),
      config: { filterable: true },
    })),
    {
      name: isOnly ? 'Value' : `Value #${target.refId}`,
      type: 'number' as never,
      values: answer.flatMap(numbers),
      config: {},
    },
  ]
  return grafana.frame(target.refId, undefined, fields)
}

/** The frame that Infinity makes of rows. Its columns may be in any order: older versions sort them. */
export function rowsFrame(
  grafana: Grafana,
  target: Target,
  rows: readonly Readonly<Record<string, unknown>>[],
): Frame {
  const columns = (target.columns ?? []).toSorted((one, other) => (one.text < other.text ? -1 : 1))
  const fields = columns.map(({ selector, text, type }) => ({
    name: text,
    type: type as never,
    values: rows.map((row) => row[selector] ?? null),
    config: {},
  }))
  return grafana.frame(target.refId, target.refId, fields)
}
