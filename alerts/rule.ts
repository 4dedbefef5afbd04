import { compare, filter, metric, overTime, recorded } from '../promql/expressions.ts'
import type { Expr } from '../promql/expressions.ts'
import type { TargetLabel } from '../promql/metrics.ts'
import { promDuration, scaleFor, scrapesPerWindow } from './settings.ts'
import type { AlertSettings } from './settings.ts'
import type { AlertSeverity } from './severity.ts'
import type { AlertName } from './cases/alert-cases.ts'
import type { OwnTimes } from './own-times.ts'

export interface Recording {
  readonly record: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
}

export interface Alert {
  readonly alert: AlertName
  readonly expr: string
  /** The time for which the expression has to hold first; null for none. */
  readonly for: string | null
  /**
   * The time for which the alert keeps firing after its end, so that a flapping condition is one alert; null for none.
   */
  readonly keepFiringFor: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<AnnotationName, string>> & Partial<OwnTimes>
}

type AnnotationName = 'summary' | 'description' | 'runbook_url' | 'dashboard_url'

/** Rules of one subject; the runbook of that name has a section for each alert. */
export interface RuleGroup {
  readonly subject: string
  readonly recordings: readonly Recording[]
  readonly alerts: readonly Alert[]
}

/** The dashboards that alerts link to, by their uids without the prefix. */
type DashboardName =
  | 'business'
  | 'compute'
  | 'customer'
  | 'device'
  | 'host'
  | 'incident'
  | 'incidents'
  | 'mirror'
  | 'network'
  | 'power'
  | 'rack'
  | 'security'
  | 'session'
  | 'sla'

/** The dashboard variable for each label. */
const dashboardVariables = {
  job: 'job',
  instance: 'instance',
  session: 'session',
  az: 'zone',
  pool: 'pool',
  host: 'host',
  customer: 'customer',
  tier: 'tier',
  incident: 'incident',
  rack: 'rack',
  // Devices are selected by name, which is a label of alerts about a device.
  name: 'device',
} as const
type DashboardLabel = keyof typeof dashboardVariables

interface AlertSpec<L extends string> {
  readonly severity: AlertSeverity
  readonly expr: Expr<L>
  /** Wall seconds for which the expression has to hold, at the design speed. */
  readonly forSeconds?: number
  /** Wall seconds for which the alert keeps firing after its end, at the design speed. */
  readonly keepFiringSeconds?: number
  /** Wall seconds for which it keeps firing at any speed: a scrape that fails ends no alert. */
  readonly bridgesSeconds?: number
  /** Whether the alert is about the world, so that it keeps its state while the world is paused. */
  readonly isAboutWorld?: boolean
  /** The labels that distinguish alerts of this name, besides those of the target. */
  readonly key?: readonly Exclude<L, TargetLabel>[]
  /**
   * State and subject, as the title of a notification. In a template, `{label}` is the label's value, `{world}` the
   * session.
   */
  readonly summary: string
  /** The severity of the state and the next step. */
  readonly description: string
  /** The name of the subject, as in the world's own messages. */
  readonly subject?: string
  readonly times?: OwnTimes
  readonly dashboard: DashboardName
  readonly opens?: readonly (L & DashboardLabel)[]
}

/** Targets whose world does not move: paused, or without a newer snapshot. */
const worldPaused = (settings: AlertSettings): Expr<TargetLabel> => {
  const paused = compare(metric('dcsim_sim_paused'), '==', 1)
  // A world of any speed publishes each second.
  const window = promDuration(scrapesPerWindow * settings.scrape)
  const moved = overTime('changes', 'dcsim_sim_time_seconds', window)
  return { text: `${paused.text} or ${compare(moved, '==', 0).text}`, simple: false }
}

/**
 * A pause of the world must neither start nor stop a pending or firing alert: during a pause, the condition counts only
 * where the alert fires already.
 */
function pauseAware<L extends string>(settings: AlertSettings, name: string, draft: AlertSpec<L>): string {
  const { expr, key = [] } = draft
  const { labeled } = expr
  // Labels are looked up once, for both: in a large world that takes most of the time.
  const isLast = labeled !== undefined && key.every((label) => !labeled.added.includes(label))
  const condition = isLast ? labeled.of : (expr as Expr<string>)
  const moving = filter(condition, 'unless', worldPaused(settings))
  const firing = recorded<string>('ALERTS', { alertname: name, alertstate: 'firing' })
  const stillFiring = filter(condition, 'and', firing, key)
  const aware = { text: `(${moving.text})\nor\n(${stillFiring.text})`, simple: false }
  return isLast ? labeled.with(aware).text : aware.text
}

/** A recorded value that keeps its last value while the world is paused, regardless of later windows. */
export function recordAveraged<L extends TargetLabel>(
  settings: AlertSettings,
  name: string,
  expr: Expr<L>,
): Recording & { readonly expr: string } {
  const still = worldPaused(settings)
  const moving = filter(expr as Expr<L | TargetLabel>, 'unless', still)
  const kept = filter(recorded<L | TargetLabel>(name), 'and', still)
  return { record: name, expr: `(${moving.text})\nor\n(${kept.text})`, labels: {} }
}

export const recordNow = (
  name: string,
  expr: Expr<never>,
  labels: Readonly<Record<string, string>> = {},
): Recording => ({ record: name, expr: expr.text, labels })

/** The address stands for the name of a target without a session. */
const world = '{{ with $labels.session }}session {{ . }}{{ else }}{{ $labels.instance }}{{ end }}'
const labelTemplate = (label: string): string => (label === 'world' ? world : `{{ $labels.${label} }}`)

const filledIn = (template: string): string =>
  template.replaceAll(/(?<!\{)\{([a-z_]+)\}(?!\})/g, (_, label: string) => labelTemplate(label))

const variableFor = (label: string, variable: string): string =>
  `var-${variable}={{ $labels.${label} | urlquery }}`

function dashboardUrl(
  settings: AlertSettings,
  dashboard: DashboardName,
  opens: readonly DashboardLabel[],
): string {
  // A link to a target contains all labels that identify it.
  const query = opens.flatMap((label) => [
    ...(label === 'instance' ? ['session', ...settings.identity].map((name) => variableFor(name, name)) : []),
    variableFor(label, dashboardVariables[label]),
  ])
  const url = `${settings.grafana}/d/dcsim-${dashboard}`
  return query.length === 0 ? url : `${url}?${query.join('&')}`
}

export type DefineAlert = <L extends string>(name: AlertName, draft: AlertSpec<L>) => Alert

/** Makes alerts of one subject. */
export const alertDefiner =
  (settings: AlertSettings, subject: string): DefineAlert =>
  (name, draft) => {
    const {
      expr,
      forSeconds = 0,
      keepFiringSeconds = 0,
      bridgesSeconds = 0,
      isAboutWorld = true,
      summary,
      description,
      dashboard,
      opens = [],
    } = draft
    const tuned = settings.alerts[name] ?? {}
    const waits = forSeconds > 0
    return {
      alert: name,
      expr: waits && isAboutWorld ? pauseAware(settings, name, draft) : expr.text,
      for: tuned.for ?? (waits ? scaleFor(settings, forSeconds) : null),
      keepFiringFor:
        tuned.keepFiringFor ??
        (keepFiringSeconds > 0 ? scaleFor(settings, keepFiringSeconds) : null) ??
        (bridgesSeconds > 0 ? promDuration(bridgesSeconds) : null),
      labels: {
        ...settings.labels,
        severity: tuned.severity ?? draft.severity,
        category: subject,
        ...(draft.subject !== undefined && { subject: filledIn(draft.subject) }),
      },
      annotations: {
        summary: filledIn(summary),
        description: filledIn(description),
        ...draft.times,
        runbook_url: `${settings.runbooks}/${name}`,
        dashboard_url: dashboardUrl(settings, dashboard, opens),
      },
    }
  }
