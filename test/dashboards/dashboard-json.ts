import { readdirSync, readFileSync } from 'node:fs'
import { generatedDashboards } from '../../dashboards/all.ts'

interface Source {
  readonly type: string
  readonly uid: string
}

interface JsonColumn {
  readonly selector: string
  readonly text: string
  readonly type: string
}

export interface Target {
  readonly refId: string
  readonly datasource?: Source
  readonly expr?: string
  readonly legendFormat?: string
  readonly instant?: boolean
  readonly format?: string
  readonly url?: string
  readonly root_selector?: string
  readonly columns?: readonly JsonColumn[]
}

export interface Link {
  readonly title: string
  readonly type?: string
  readonly url?: string
  readonly tags?: readonly string[]
  readonly includeVars?: boolean
  readonly keepTime?: boolean
}

export interface Override {
  readonly matcher: { readonly id: string; readonly options: string }
  readonly properties: readonly { readonly id: string; readonly value: unknown }[]
}

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: Source
  readonly maxDataPoints?: number
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly Target[]
  readonly options?: {
    readonly legend?: { readonly placement?: string; readonly showLegend?: boolean }
    readonly graphMode?: string
    readonly reduceOptions?: object
    readonly namePlacement?: string
    readonly showValue?: string
    readonly sortBy?: readonly { readonly displayName: string }[]
    readonly content?: string
    readonly root?: {
      readonly elements: readonly unknown[]
      readonly background: { readonly image: { readonly field: string }; readonly size: string }
    }
  }
  readonly links?: readonly Link[]
  readonly transformations?: readonly { readonly id: string; readonly options: unknown }[]
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string
      readonly noValue?: string
      readonly links?: readonly Link[]
      readonly color?: { readonly mode: string }
      readonly mappings?: readonly { readonly type: string; readonly options: unknown }[]
    }
    readonly overrides: readonly Override[]
  }
}

export interface Variable {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly query: string
  readonly regex?: string
  readonly refresh?: number
  readonly multi?: boolean
  readonly includeAll?: boolean
  readonly allValue?: string
  readonly hide?: number
  readonly datasource?: Source
}

interface Annotation {
  readonly name: string
  readonly expr: string
  readonly iconColor: string
  readonly textFormat?: string
  readonly hide?: boolean
  readonly datasource: Source
}

export interface DashboardJson {
  readonly uid: string
  readonly title: string
  readonly description: string
  readonly editable: boolean
  readonly refresh: string
  readonly time: { readonly from: string }
  readonly schemaVersion: number
  readonly tags: readonly string[]
  readonly panels: readonly Panel[]
  readonly links: readonly Link[]
  readonly templating: { readonly list: readonly Variable[] }
  readonly annotations: { readonly list: readonly Annotation[] }
}

const folder = new URL('../../dashboards/generated/', import.meta.url)

/** The committed files by name. */
export const committedFiles = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
)

/** Dashboards as the programs make them, which is what is committed. */
export const everyDashboard = [...generatedDashboards().values()].map(
  (text) => JSON.parse(text) as DashboardJson,
)

/** Panels with content: all but headings. */
export const panelsOf = ({ panels }: DashboardJson): Panel[] => panels.filter(({ type }) => type !== 'row')

/** The location of a panel or a query, for error messages. */
export const placeOf = (dashboard: DashboardJson, panel: Panel, target?: Target): string =>
  [dashboard.title, panel.title, ...(target === undefined ? [] : [target.refId])].join(' / ')
