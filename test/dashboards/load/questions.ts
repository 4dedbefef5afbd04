import type { DashboardJson, Panel, Variable } from '../dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from '../dashboard-json.ts'

/** A query to Prometheus in the form that a dashboard sends. */
export interface Question {
  /** Dashboard and panel. */
  readonly panel: string
  readonly expr: string
  /** The step of a range query in seconds; null for an instant query. */
  readonly stepSeconds: number | null
}

/** The displayed range, and the scrape interval of its samples. */
export interface Span {
  readonly seconds: number
  readonly everySeconds: number
}

/** A panel over the whole width of a typical screen. */
const screenPixels = 1920
const columns = 24

/** Grafana's steps in seconds, each used up to the limit beside it. */
const roundSteps = [
  [1, 1.5],
  [2, 3.5],
  [5, 7.5],
  [10, 12.5],
  [15, 17.5],
  [20, 25],
  [30, 45],
  [60, 90],
  [120, 210],
  [300, 450],
  [600, 750],
  [900, 1050],
  [1200, 1500],
  [1800, 2700],
  [3600, 5400],
] as const

/** The step for which Grafana gets about one value per pixel. */
function stepFor({ seconds, everySeconds }: Span, points: number): number {
  const exact = Math.max(seconds / points, everySeconds)
  const [step] = roundSteps.find(([, limit]) => exact < limit) ?? [7200]
  return Math.max(step, everySeconds)
}

/** Replaces the range's variables in an expression, as Grafana does. */
function spanned(expr: string, { seconds, everySeconds }: Span, stepSeconds: number): string {
  const rateSeconds = Math.max(stepSeconds + everySeconds, 4 * everySeconds)
  return expr
    .replaceAll('$__rate_interval', `${rateSeconds}s`)
    .replaceAll('$__range', `${seconds}s`)
    .replaceAll('$__interval', `${stepSeconds}s`)
}

const pointsOf = ({ gridPos, maxDataPoints }: Panel): number =>
  maxDataPoints ?? Math.floor((gridPos.w / columns) * screenPixels)

const ofPanels = (dashboard: DashboardJson, span: Span): Question[] =>
  panelsOf(dashboard).flatMap((panel) =>
    (panel.targets ?? []).flatMap(({ expr, instant }) => {
      if (expr === undefined) return []
      const step = stepFor(span, pointsOf(panel))
      const stepSeconds = instant === true ? null : step
      return [{ panel: placeOf(dashboard, panel), expr: spanned(expr, span, step), stepSeconds }]
    }),
  )

/** Annotations have a step of their own; Grafana requests fewer points if there would be too many. */
const markPoints = 1440

const ofMarks = ({ title, annotations }: DashboardJson, span: Span): Question[] =>
  annotations.list.map(({ name, expr }) => ({
    panel: `${title} / mark: ${name}`,
    expr,
    stepSeconds: Math.max(60, stepFor(span, markPoints)),
  }))

/** The queries of a dashboard over a range, including annotations. */
export const questionsOf = (dashboard: DashboardJson, span: Span): Question[] => [
  ...ofPanels(dashboard, span),
  ...ofMarks(dashboard, span),
]

/** The queries of its variables at each refresh: instant queries, or `label_values` in Grafana's syntax. */
export const ofVariables = ({ title, templating }: DashboardJson, span: Span): Question[] =>
  templating.list
    .filter(({ type }) => type === 'query')
    .map(({ name, query }) => ({
      panel: `${title} / variable: ${name}`,
      expr: spanned(/^query_result\((.+)\)$/.exec(query)?.[1] ?? query, span, span.everySeconds),
      stepSeconds: null,
    }))

export const variables: readonly Variable[] = everyDashboard.flatMap(({ templating }) =>
  templating.list.filter(({ type }) => type === 'query'),
)
