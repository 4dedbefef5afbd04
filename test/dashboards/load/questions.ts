import type { CommittedDashboard, Panel, Variable } from '../committed.ts'
import { committedDashboards, panelsOf, placeOf } from '../committed.ts'

/** A question to Prometheus, as a dashboard puts it. */
export interface Question {
  /** Dashboard and panel. */
  readonly panel: string
  readonly expr: string
  /** Seconds between the values that are asked for; null for the last value alone. */
  readonly stepSeconds: number | null
}

/** What is looked at: how much, and how often it was scraped. */
export interface Span {
  readonly seconds: number
  readonly everySeconds: number
}

/** A dashboard over the whole width of a usual screen. */
const screenPixels = 1920
const columns = 24

/** Grafana takes steps of these lengths, in seconds, each up to the limit beside it. */
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

/** The distance of values that Grafana asks for, to have about one a pixel. */
function stepFor({ seconds, everySeconds }: Span, points: number): number {
  const exact = Math.max(seconds / points, everySeconds)
  const [step] = roundSteps.find(([, limit]) => exact < limit) ?? [7200]
  return Math.max(step, everySeconds)
}

/** Puts a span into an expression, as Grafana does. */
function spanned(expr: string, { seconds, everySeconds }: Span, stepSeconds: number): string {
  const rateSeconds = Math.max(stepSeconds + everySeconds, 4 * everySeconds)
  return expr
    .replaceAll('$__rate_interval', `${rateSeconds}s`)
    .replaceAll('$__range', `${seconds}s`)
    .replaceAll('$__interval', `${stepSeconds}s`)
}

const pointsOf = ({ gridPos, maxDataPoints }: Panel): number =>
  maxDataPoints ?? Math.floor((gridPos.w / columns) * screenPixels)

const ofPanels = (dashboard: CommittedDashboard, span: Span): Question[] =>
  panelsOf(dashboard).flatMap((panel) =>
    (panel.targets ?? []).flatMap(({ expr, instant }) => {
      if (expr === undefined) return []
      const step = stepFor(span, pointsOf(panel))
      const stepSeconds = instant === true ? null : step
      return [{ panel: placeOf(dashboard, panel), expr: spanned(expr, span, step), stepSeconds }]
    }),
  )

/** Marks have a step of their own; Grafana asks for fewer where there would be too many. */
const markPoints = 1440

const ofMarks = ({ title, annotations }: CommittedDashboard, span: Span): Question[] =>
  annotations.list.map(({ name, expr }) => ({
    panel: `${title} / mark: ${name}`,
    expr,
    stepSeconds: Math.max(60, stepFor(span, markPoints)),
  }))

/** What a dashboard asks Prometheus over a span, its marks too. */
export const questionsOf = (dashboard: CommittedDashboard, span: Span): Question[] => [
  ...ofPanels(dashboard, span),
  ...ofMarks(dashboard, span),
]

/** What its variables ask at each refresh to offer their options: values now, or `label_values` as Grafana writes it. */
export const ofVariables = ({ title, templating }: CommittedDashboard, span: Span): Question[] =>
  templating.list
    .filter(({ type }) => type === 'query')
    .map(({ name, query }) => ({
      panel: `${title} / variable: ${name}`,
      expr: spanned(/^query_result\((.+)\)$/.exec(query)?.[1] ?? query, span, span.everySeconds),
      stepSeconds: null,
    }))

/** Everything that the panels of all dashboards ask Prometheus over a span, and their marks, once each. */
export function questionsOver(span: Span): Question[] {
  const marks = ofMarks(committedDashboards[0], span)
  return [...committedDashboards.flatMap((dashboard) => ofPanels(dashboard, span)), ...marks]
}

export const variables: readonly Variable[] = committedDashboards.flatMap(({ templating }) =>
  templating.list.filter(({ type }) => type === 'query'),
)
