import type { Dataquery } from '@grafana/grafana-foundation-sdk/cog'
import {
  DataqueryBuilder,
  PromQueryFormat,
  QueryEditorMode,
} from '@grafana/grafana-foundation-sdk/prometheus'
import type { Expr } from '../../promql/expressions.ts'
import { infinity, prometheus } from '../layout/variables.ts'
import { withWords } from '../style/words.ts'

/** A query of a panel, before it has a letter. */
export type Target = (refId: string) => Dataquery

const promql = (expr: Expr<never>) =>
  new DataqueryBuilder().datasource(prometheus).expr(expr.text).editorMode(QueryEditorMode.Code)

/** A legend cannot map values to words: its labels are replaced by words in the query. */
const withLegendWords = (expr: Expr<never>, legend: string): Expr<never> =>
  [...legend.matchAll(/\{\{(\w+)\}\}/g)].reduce((worded, [, label]) => withWords(worded, label), expr)

/** Values over time. The legend names each series by its labels. */
export const rangeQuery =
  (expr: Expr<never>, legend: string): Target =>
  (refId) =>
    promql(withLegendWords(expr, legend)).refId(refId).range().legendFormat(legend).build()

/** Current values. */
export const instantQuery =
  (expr: Expr<never>, legend: string): Target =>
  (refId) =>
    promql(withLegendWords(expr, legend)).refId(refId).instant().legendFormat(legend).build()

/** Current values as rows of a table whose columns are the labels. */
export const tableQuery =
  (expr: Expr<never>): Target =>
  (refId) =>
    promql(expr).refId(refId).instant().format(PromQueryFormat.Table).build()

/** A column of a JSON response: selector, title and type. */
export interface JsonColumn {
  readonly selector: string
  readonly text: string
  readonly type: 'string' | 'number' | 'boolean'
}

interface JsonQuery {
  /** Path and query below the data source's own URL, without the session. */
  readonly url: string
  readonly columns: readonly JsonColumn[]
}

/** A query of the Infinity data source for its backend parser. */
interface InfinityQuery extends Dataquery {
  readonly refId: string
  readonly url: string
  readonly root_selector: string
  readonly columns: readonly JsonColumn[]
}

/** Only records of the time that the dashboard shows, as far back as the archive of the mirror goes. */
export const inTimeShown = 'from=${__from}&to=${__to}'

/** Of these, only records with the words of the search box. */
export const searched = `${inTimeShown}&text=\${search:percentencode}`

/** Adds the selected session: the mirror of another one refuses the request. */
const ofSession = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}session=\${session}`

/** Rows of a table of the mirror. */
export const json =
  ({ url, columns }: JsonQuery): Target =>
  (refId) => {
    const query = {
      refId,
      datasource: infinity,
      type: 'json',
      source: 'url',
      format: 'table',
      parser: 'backend',
      url: ofSession(url),
      url_options: { method: 'GET', data: '' },
      // A table of the mirror is already a list of rows.
      root_selector: '',
      columns,
      filters: [],
      global_query_id: '',
    }
    return query as unknown as InfinityQuery
  }

export const withRefIds = (targets: readonly Target[]): Dataquery[] =>
  targets.map((target, at) => target(String.fromCodePoint(65 + at)))

/**
 * The empty text of panels with increases over the displayed time range, which are empty if the world was replaced
 * meanwhile: see increaseOver().
 */
export const withoutWorld = (targets: readonly Target[]): string | undefined =>
  JSON.stringify(withRefIds(targets)).includes('[$__range]') ? 'Another world began.' : undefined
