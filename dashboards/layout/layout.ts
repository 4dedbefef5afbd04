import { DashboardBuilder, DashboardCursorSync, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Dashboard, Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboards, dashboardTag } from '../uids.ts'
import type { DashboardUid } from '../uids.ts'
import { annotations } from './annotations.ts'
import { withReadableColumns } from '../visualizations/column-widths.ts'
import { withWholeRows } from '../visualizations/row-heights.ts'
import type { RowLimits } from '../visualizations/row-heights.ts'
import type { GridPlace } from '../style/screens.ts'
import { withQuietMarks } from '../visualizations/newer-grafana.ts'
import { menu } from './links.ts'
import { withSizes } from '../visualizations/picture.ts'
import { textLine } from '../visualizations/panels.ts'
import { variables } from './variables.ts'
import type { VariableName } from './variables.ts'

/** The width of a dashboard in columns. */
const gridColumns = 24

/** Panels on top of each other, with their heights, which add up to the height of the row. */
type Stack = readonly (readonly [height: number, panel: Panel])[]

/** A panel or a stack of panels, and its width. */
type Placed = readonly [columns: number, panel: Panel | Stack]

/** Panels side by side, all of one height, whose widths add up to the width of the dashboard. */
interface PanelRow {
  readonly height: number
  readonly panels: readonly Placed[]
}

export const row = (height: number, ...panels: readonly Placed[]): PanelRow => ({ height, panels })

/** A tile that is narrower cuts its title on a laptop. */
const tilesMax = 4
const tileHeight = 3

/** Figures side by side, in as many rows as their titles need. */
export function tiles(panels: readonly Panel[]): PanelRow[] {
  const beside = Math.ceil(panels.length / Math.ceil(panels.length / tilesMax))
  return Array.from({ length: Math.ceil(panels.length / beside) }, (_, at) => {
    const own = panels.slice(at * beside, (at + 1) * beside)
    return row(tileHeight, ...own.map((panel) => [gridColumns / own.length, panel] as const))
  })
}

/** Rows under a heading; rows without one are at the top. */
export interface Section {
  readonly title?: string
  readonly rows: readonly PanelRow[]
}

interface Layout {
  readonly uid: DashboardUid
  readonly description: string
  /** The question that the page answers, in a line at the top; by default the description. May contain HTML. */
  readonly answers?: string
  readonly variables?: readonly VariableName[]
  /** Shows all sessions, without selecting one. */
  readonly everySession?: boolean
  /** The variables that select one value here, although they select several on other dashboards. */
  readonly single?: readonly VariableName[]
  /** Whether the dashboard also queries the JSON API. */
  readonly infinity?: boolean
  /** Whether the dashboard has a search box. */
  readonly search?: boolean
  /** Whether the dashboard draws the cable of a chosen port. */
  readonly port?: boolean
  /** Whether the dashboard reads from the long-term store, if there is one. */
  readonly longTerm?: boolean
  /** The beginning of the default time range. */
  readonly from?: string
  readonly refresh?: string
  readonly sections: readonly Section[]
}

/**
 * The line with the question that a page answers. Grafana leaves 12 of its 30 pixels to the text, and makes a line 17 high,
 * also where a style asks for less: moved up, it is whole. On a phone, the clauses that fit into the first line are in view.
 */
const answer = ({ uid, answers, description, everySession = false }: Layout): Panel => {
  const clauses = (answers ?? description).split(/(?<=[,:;.?]) /).map((each) => `<span>${each}</span>`)
  return textLine(
    `<div style="display:flex;flex-wrap:wrap;gap:4px;margin-top:-3px;font-size:11px"><span>${dashboards[uid].icon}</span>` +
      `<b>${dashboards[uid].title}</b>${clauses.join('')}${everySession ? '' : '<b>${session:text}</b><b style="flex:1 1 0;min-width:200px">${unreported}</b>'}</div>`,
  )
}

/** 30 pixels: one line. */
const answerHeight = 1

/** From this width on, a graph has space for a legend beside it. */
const wide = 12

interface Legend {
  readonly displayMode?: string
  readonly placement?: string
}

/** A table as a legend takes two thirds of a narrow graph: there the legend is a list below it. */
function withLegendInPlace(panel: Panel, columns: number): Panel {
  const legend = (panel.options as { legend?: Legend } | undefined)?.legend
  if (columns >= wide || legend?.placement !== 'right') return panel
  const below = { ...legend, displayMode: 'list', placement: 'bottom', calcs: [] }
  return { ...panel, options: { ...(panel.options as object), legend: below } }
}

const hasMarks = ({ type }: Panel): boolean => type === 'timeseries' || type === 'state-timeline'

/** Adapts a panel to its size. */
function fitted(panel: Panel, place: GridPlace, limits: RowLimits): Panel {
  if (panel.type === 'canvas') return withSizes(panel, place)
  if (panel.type === 'table') return withWholeRows(withReadableColumns(panel, place), place, limits)
  const inPlace = withLegendInPlace(panel, place.columns)
  return hasMarks(panel) ? withQuietMarks(inPlace) : inPlace
}

const isStack = (content: Panel | Stack): content is Stack => Array.isArray(content)

/** Assigns a position and an id to each panel, from left to right and from top to bottom. */
function arranged(sections: readonly Section[]): (Panel | RowPanel)[] {
  const placed: (Panel | RowPanel)[] = []
  const limits: RowLimits = new Map()
  let y = 0
  for (const { title, rows } of sections) {
    if (title !== undefined) {
      const heading = new RowBuilder(title).id(placed.length + 1).gridPos({ x: 0, y, w: gridColumns, h: 1 })
      placed.push(heading.build())
      y += 1
    }
    for (const { height, panels } of rows) {
      let x = 0
      for (const [columns, content] of panels) {
        let top = y
        for (const [h, panel] of isStack(content) ? content : [[height, content] as const]) {
          const gridPos = { x, y: top, w: columns, h }
          const place = { columns, rows: h, isBelowHeading: title !== undefined }
          placed.push({ ...fitted(panel, place, limits), id: placed.length + 1, gridPos })
          top += h
        }
        if (top !== y + height) throw new Error(`A stack at ${y} is ${top - y} high, not ${height}.`)
        x += columns
      }
      if (x !== gridColumns) throw new Error(`A row at ${y} is ${x} columns wide, not ${gridColumns}.`)
      y += height
    }
  }
  return placed
}

/** The SDK puts links into a closed menu, which hides them. */
function inSight<T>(built: T): T {
  const isKept = (key: string, value: unknown): unknown =>
    key === 'placement' && value === 'inControlsMenu' ? undefined : value
  return JSON.parse(JSON.stringify(built, isKept)) as T
}

/** A dashboard with the common parts: the line at the top, variables, annotations and links. */
export function dashboard(layout: Layout): Dashboard {
  const top = { rows: [row(answerHeight, [gridColumns, answer(layout)])] }
  const panels = arranged([top, ...layout.sections])
  const built = new DashboardBuilder(dashboards[layout.uid].title)
    .uid(layout.uid)
    .description(layout.description)
    .tags([dashboardTag])
    .readonly()
    .timezone('browser')
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: layout.from ?? 'now-1h', to: 'now' })
    .refresh(layout.refresh ?? '30s')
    .variables(variables(layout.variables ?? [], layout))
    .annotations(
      annotations(
        layout.uid,
        panels.filter((panel) => panel.type !== 'row'),
      ),
    )
    .links([menu()])
    .build()
  return { ...inSight({ ...built, panels }), annotations: built.annotations }
}
