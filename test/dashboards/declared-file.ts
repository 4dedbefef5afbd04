import type {
  Dashboard,
  DashboardLink,
  Panel,
  RowPanel,
  FieldConfig,
  FieldConfigSource,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { GraphFieldConfig, TableFieldOptions } from '@grafana/grafana-foundation-sdk/common'
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus'
import type * as bargauge from '@grafana/grafana-foundation-sdk/bargauge'
import type * as canvas from '@grafana/grafana-foundation-sdk/canvas'
import type * as heatmap from '@grafana/grafana-foundation-sdk/heatmap'
import type * as stat from '@grafana/grafana-foundation-sdk/stat'
import type * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline'
import type * as table from '@grafana/grafana-foundation-sdk/table'
import type * as text from '@grafana/grafana-foundation-sdk/text'
import type * as timeseries from '@grafana/grafana-foundation-sdk/timeseries'
import type * as trend from '@grafana/grafana-foundation-sdk/trend'

/** The type after serialization to JSON: words instead of enums, and without the method that only marks queries. */
type Json<T> = 0 extends 1 & T
  ? T
  : T extends string
    ? `${T}`
    : T extends number | boolean | null | undefined
      ? T
      : T extends readonly (infer E)[]
        ? Json<E>[]
        : { [K in keyof T as K extends '_implementsDataqueryVariant' ? never : K]: Json<T[K]> }

/** A query of the Infinity data source, whose types are not part of the SDK. */
interface InfinityQuery {
  refId: string
  datasource: { type: 'yesoreyeram-infinity-datasource'; uid: string }
  type: 'json'
  source: 'url'
  format: 'table'
  parser: 'backend'
  url: string
  url_options: { method: 'GET'; data: '' }
  root_selector: string
  columns: { selector: string; text: string; type: 'string' | 'number' | 'boolean' | 'timestamp' }[]
  filters: []
  global_query_id: ''
}

/** Keys of newer versions of Grafana, which `dashboards/visualizations/newer-grafana.ts` adds. */
interface NewerOptions {
  maxRowHeight?: number
  annotations?: { multiLane: boolean; lines: { width: number }; regions: { opacity: number } }
}
/** A frame with a background, as in `dashboards/visualizations/newer-grafana.ts`. */
type Frame = canvas.Options['root'] & { background: canvas.BackgroundConfig }
type LaterLink = Json<DashboardLink> & { oneClick?: true }

type Fields<Custom> = Omit<Json<FieldConfigSource>, 'defaults'> & {
  defaults: Omit<Json<FieldConfig>, 'custom' | 'links'> & { custom?: Json<Custom>; links?: LaterLink[] }
}

type Parts = 'type' | 'targets' | 'options' | 'fieldConfig' | 'links'
interface Kind<Type extends string, Options, Custom = never> extends Omit<Json<Panel>, Parts> {
  type: Type
  targets?: (Json<Dataquery> | InfinityQuery)[]
  options?: Json<Options> & NewerOptions
  links?: LaterLink[]
  fieldConfig?: Fields<Custom>
}

type AnyPanel =
  | Json<RowPanel>
  | Kind<'bargauge', bargauge.Options>
  | Kind<'canvas', Omit<canvas.Options, 'root'> & { root: Frame }>
  | Kind<'heatmap', heatmap.Options, heatmap.FieldConfig>
  | Kind<'stat', stat.Options>
  | Kind<'state-timeline', statetimeline.Options, statetimeline.FieldConfig>
  | Kind<'table', table.Options, TableFieldOptions>
  | Kind<'text', text.Options>
  | Kind<'timeseries', timeseries.Options, GraphFieldConfig>
  | Kind<'trend', trend.Options, GraphFieldConfig>

interface Requirement {
  type: 'grafana' | 'datasource' | 'panel'
  id: string
  name: string
  version: string
}

interface Input {
  name: string
  label: string
  description: string
  type: 'datasource'
  pluginId: string
  pluginName: string
}

/** The file of a dashboard, in the definitions of the SDK. */
export interface DashboardFile extends Omit<Json<Dashboard>, 'panels'> {
  __inputs: Input[]
  __requires: Requirement[]
  panels: AnyPanel[]
}
